import { toFolded } from '../../src/record/text/fold.ts'
import { createAssetLoader } from '../../src/site/asset/assets.ts'
import type { SiteSettings } from '../../src/site/site-settings.ts'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'"
const names = ['Ada Quill', 'Ada Marsh', 'Ben Stone', 'Zoë Marsh', 'Harbour 2024', 'English', 'German']

/** A form as a browser sent it. */
export interface SentForm {
  get(name: string): unknown
  getAll(name: string): readonly unknown[]
  forEach(look: (value: unknown, name: string) => void): void
}

export interface EditPages {
  readonly url: string
  /** The forms that were sent, in order. */
  readonly sent: SentForm[]
  /** What is served at a path from now on, inside of a page with the style and scripts of the editor. */
  set(path: string, html: string): void
  stop(): void
}

/** Pages with parts of the editor, with the policy, style sheets and scripts that they have on the site. */
export async function startEditPages(port = 0): Promise<EditPages> {
  // The assets depend on the accent colour alone.
  const assets = await createAssetLoader({ accent: '#3355cc' } as SiteSettings).load()
  const pages = new Map<string, string>()
  const sent: SentForm[] = []
  const toPage = (html: string) =>
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Edit</title>',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      `<link rel="stylesheet" href="/assets/${assets.css}"><link rel="stylesheet" href="/assets/${assets.editCss}">`,
      `<script type="module" src="/assets/${assets.editScript}"></script>`,
      `</head><body><main><h1>Edit</h1>${html}</main></body></html>`,
    ].join('')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (request.method === 'POST') {
        sent.push(await request.formData())
        return new Response(toPage('<p data-saved="video-7">Saved</p>'), {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
        })
      }
      const asset = pathname.startsWith('/assets/') ? assets.find(pathname.slice('/assets/'.length)) : null
      if (asset !== null) return new Response(asset.read('identity'), { headers: { 'Content-Type': asset.type } })
      if (pathname === '/edit/pick') {
        const q = toFolded(searchParams.get('q') ?? '').replace(/\s+/g, ' ')
        const found = names.filter((name) => toFolded(name).includes(q))
        return Response.json({ results: found.map((text, i) => ({ text, count: i + 1 })) })
      }
      const html = pages.get(pathname)
      if (html === undefined) return new Response(null, { status: 404 })
      const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
      return new Response(toPage(html), { headers })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    sent,
    set: (path, html) => void pages.set(path, html),
    stop: () => void server.stop(true),
  }
}
