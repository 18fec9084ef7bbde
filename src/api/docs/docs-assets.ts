import { readDocsFiles } from './docs-files.ts'

export interface DocsAssets {
  /** The page for a service below this path. */
  toPage(prefix: string): string
  /** By name; each name has a part of the content's hash, so clients may cache it forever. */
  readonly files: ReadonlyMap<string, DocsFile>
}

export interface DocsFile {
  readonly type: string
  readonly content: string
}

export async function loadDocsAssets(): Promise<DocsAssets> {
  const { html, css, icon, script } = await readDocsFiles()
  const sources: readonly (readonly [string, DocsFile])[] = [
    ['page.css', { type: 'text/css; charset=utf-8', content: css }],
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

/** `page.js` -> `page-1a2b3c4d.js` */
function toServedName(name: string, content: string): string {
  return name.replace('.', `-${Bun.hash(content).toString(16).padStart(16, '0').slice(0, 8)}.`)
}
