import { join } from 'node:path'

/** What the assets of the site are made of. */
export interface AssetFiles {
  readonly css: string
  readonly script: string
}

const styleFolder = join(import.meta.dir, 'style')

/** Reads them from the checkout. scripts/build.ts embeds the result in the executable. */
export async function readAssetFiles(): Promise<AssetFiles> {
  const [script, css] = await Promise.all([buildScript(), readStyleSheets()])
  return { css: minify(css.join('\n')), script }
}

/** `base.css` comes first in the cascade, then the others by name. */
async function readStyleSheets(): Promise<string[]> {
  const names = [...new Bun.Glob('*.css').scanSync(styleFolder)].sort()
  const ordered = ['base.css', ...names.filter((name) => name !== 'base.css')]
  return Promise.all(ordered.map((name) => Bun.file(join(styleFolder, name)).text()))
}

/** Without comments, indentation and line breaks; our style sheets have no strings with any of these. */
function minify(css: string): string {
  return css.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '').replace(/\s+/g, ' ')
}

async function buildScript(): Promise<string> {
  const entry = join(import.meta.dir, 'script/site.ts')
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error('the site has no script')
  return script.text()
}
