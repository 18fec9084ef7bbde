import { join } from 'node:path'

export interface DocsAssets {
  /** The page for a service below this path. */
  toPage(prefix: string): string
  /** By name; each name has a piece of its content's hash, so it may be kept for ever. */
  readonly files: ReadonlyMap<string, DocsFile>
}

export interface DocsFile {
  readonly type: string
  readonly content: string
}

const folder = join(import.meta.dir, 'docs-page')

export async function loadDocsAssets(): Promise<DocsAssets> {
  const [html, css, operationCss, icon, script] = await Promise.all([
    read('page.html'),
    read('page.css'),
    read('operation.css'),
    read('icon.svg'),
    buildScript(),
  ])
  const sources: readonly (readonly [string, DocsFile])[] = [
    ['page.css', { type: 'text/css; charset=utf-8', content: css + operationCss }],
    ['icon.svg', { type: 'image/svg+xml', content: icon }],
    ['page.js', { type: 'text/javascript; charset=utf-8', content: script }],
  ]
  const named = sources.map(([name, file]) => ({ name, file, servedAs: toServedName(name, file.content) }))
  return {
    files: new Map(named.map(({ servedAs, file }) => [servedAs, file])),
    toPage(prefix) {
      const root = Bun.escapeHTML(prefix)
      const page = html.replaceAll('{root}', () => root)
      return named.reduce(
        (text, each) => text.replace(`{${each.name}}`, () => `${root}/api/docs/${each.servedAs}`),
        page,
      )
    },
  }
}

function read(name: string): Promise<string> {
  return Bun.file(join(folder, name)).text()
}

async function buildScript(): Promise<string> {
  const built = await Bun.build({ entrypoints: [join(folder, 'page.ts')], target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error('the page has no script')
  return script.text()
}

/** `page.js` -> `page-1a2b3c4d.js` */
function toServedName(name: string, content: string): string {
  return name.replace('.', `-${Bun.hash(content).toString(16).padStart(16, '0').slice(0, 8)}.`)
}
