import { join } from 'node:path'

/** What the assets of the site are made of. */
export interface AssetFiles {
  readonly css: string
  readonly script: string
}

/** In the order of the cascade. */
const styleSheets = ['base.css', 'layout.css', 'talk-card.css', 'parts.css']

/** Reads them from the checkout. scripts/build.ts embeds the result in the executable. */
export async function readAssetFiles(): Promise<AssetFiles> {
  const [script, ...css] = await Promise.all([buildScript(), ...styleSheets.map(readStyleSheet)])
  return { css: minify(css.join('\n')), script }
}

const readStyleSheet = (name: string) => Bun.file(join(import.meta.dir, name)).text()

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
