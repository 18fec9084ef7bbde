import { type CodedBody, createCodedBody } from '../../http/compression.ts'
import { readDocsFiles } from './docs-files.ts'

/** What the page says of the service that it belongs to. */
export interface DocsPage {
  /** Its URL, without a slash at the end. */
  readonly base: string
  /** Of a record that examples read. */
  readonly id: number
  /** All operations as HTML, for readers without JavaScript. */
  readonly operations: string
}

export interface DocsAssets {
  toPage(page: DocsPage): string
  /** By name; each name has a part of the content's hash, so clients may cache it forever. */
  readonly files: ReadonlyMap<string, DocsFile>
}

export interface DocsFile {
  readonly type: string
  readonly body: CodedBody
}

export async function loadDocsAssets(): Promise<DocsAssets> {
  const { html, css, icon, script } = await readDocsFiles()
  const sources = [
    { name: 'page.css', type: 'text/css; charset=utf-8', content: css },
    { name: 'icon.svg', type: 'image/svg+xml', content: icon },
    { name: 'page.js', type: 'text/javascript; charset=utf-8', content: script },
  ]
  const named = sources.map((source) => ({ ...source, servedAs: toServedName(source.name, source.content) }))
  return {
    files: new Map(named.map(({ servedAs, type, content }) => [servedAs, { type, body: createCodedBody(content) }])),
    toPage({ base, id, operations }) {
      const root = Bun.escapeHTML(toPathPrefix(base))
      const assets = named.map(({ name, servedAs }) => [name, `${root}/api/docs/${servedAs}`] as const)
      const values = new Map([
        ...assets,
        ['root', root],
        ['base', Bun.escapeHTML(base)],
        ['id', String(id)],
        ['operations', operations],
      ])
      return html.replace(/\{([\w.]{1,40})\}/g, (found, name: string) => values.get(name) ?? found)
    },
  }
}

/** The path prefix of the base URL, if a proxy adds one. */
function toPathPrefix(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}

/** `page.js` -> `page-1a2b3c4d.js` */
function toServedName(name: string, content: string): string {
  return name.replace('.', `-${Bun.hash(content).toString(16).padStart(16, '0').slice(0, 8)}.`)
}
