import { join } from 'node:path'

/** What the assets of the site are made of. Pages for curators load theirs besides those of all pages. */
export interface AssetFiles {
  readonly css: string
  readonly script: string
  readonly editCss: string
  readonly editScript: string
}

const styleFolder = join(import.meta.dir, 'style')

/** Reads them from the checkout. scripts/build.ts embeds the result in the executable. */
export async function readAssetFiles(): Promise<AssetFiles> {
  const [script, editScript, css, editCss] = await Promise.all([
    buildScript('site.ts'),
    buildScript('edit.ts'),
    readStyleSheets((name) => !isForCurators(name)),
    readStyleSheets(isForCurators),
  ])
  return { css, script, editCss, editScript }
}

const isForCurators = (name: string) => name.startsWith('edit-')

/** `base.css` comes first in the cascade, then the others by name. */
async function readStyleSheets(isWanted: (name: string) => boolean): Promise<string> {
  const names = [...new Bun.Glob('*.css').scanSync(styleFolder)].filter(isWanted).sort()
  const ordered = names.toSorted((a, b) => Number(b === 'base.css') - Number(a === 'base.css'))
  const sheets = await Promise.all(ordered.map((name) => Bun.file(join(styleFolder, name)).text()))
  return minify(sheets.join('\n'))
}

/** Without comments, indentation and line breaks; our style sheets have no strings with any of these. */
function minify(css: string): string {
  return css.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '').replace(/\s+/g, ' ')
}

async function buildScript(name: string): Promise<string> {
  const entry = join(import.meta.dir, 'script', name)
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error(`the script ${name} is empty`)
  return script.text()
}
