import { join } from 'node:path'

/** The contents of the assets. Pages for curators load `editCss` and `editScript` in addition. */
export interface AssetFiles {
  readonly css: string
  readonly script: string
  readonly editCss: string
  readonly editScript: string
  readonly feedCss: string
}

const styleFolder = join(import.meta.dir, 'style')
const editFolder = join(import.meta.dir, '../../edit')

/** Reads the sources in the checkout. scripts/build.ts embeds the result in the executable. */
export async function readAssetFiles(): Promise<AssetFiles> {
  const [script, editScript, css, editCss, feedCss] = await Promise.all([
    buildScript(join(import.meta.dir, 'script/site.ts')),
    buildScript(join(editFolder, 'script/edit.ts')),
    readStyleSheets(styleFolder),
    readStyleSheets(join(editFolder, 'style')),
    Bun.file(join(import.meta.dir, 'feed.css'))
      .text()
      .then(minify),
  ])
  return { css, script, editCss, editScript, feedCss }
}

/** `base.css` comes first in the cascade, `print.css` last, and the others between them by name. */
async function readStyleSheets(folder: string): Promise<string> {
  const names = [...new Bun.Glob('*.css').scanSync(folder)].sort()
  const toPlace = (name: string) => (name === 'base.css' ? 0 : name === 'print.css' ? 2 : 1)
  const ordered = names.toSorted((a, b) => toPlace(a) - toPlace(b))
  const sheets = await Promise.all(ordered.map((name) => Bun.file(join(folder, name)).text()))
  return minify(sheets.join('\n'))
}

/** Removes comments, indentation and line breaks; our style sheets have no strings that contain them. */
function minify(css: string): string {
  return css.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '').replace(/\s+/g, ' ')
}

async function buildScript(entry: string): Promise<string> {
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error(`the script ${entry} is empty`)
  return script.text()
}
