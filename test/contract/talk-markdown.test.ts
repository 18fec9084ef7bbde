import { expect, test } from 'bun:test'
import createMarkdown from 'markdown-it'
import { headerOf } from '../harness/raw.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()
const get = (path: string, headers = {}) => service.call({ method: 'GET', path, headers })

const whole = {
  title: 'Lamps *and* [tides](https://evil.example/)\n# <script>alert(1)</script> & more #',
  category: 'Harbour | Days_2019',
  speakers: ['Ann `Keeper`', 'Bo\n\n- **Page:** x'],
  tags: ['lamps'],
  language: 'English',
  recorded: '2019-05-01',
  duration: 2347,
  copyright_text: 'CC BY 4.0',
  source_url: 'https://www.youtube.com/watch?v=markdown001',
  video_mp4_url: 'https://files.example.org/a(1).mp4',
  video_mp4_length: 412_630_117,
  summary: 'Short, with a fence:\n\n```\nnever closed',
  description: '# A heading\n\n<img src=x onerror=alert(1)> and *emphasis*, <https://example.org/>.\n\n</main>',
}

test('A live talk is had as Markdown', async () => {
  const { id, slug } = await service.create({ ...whole, title: 'Lamps and tides', category: 'Plain Days' })
  const answer = await get(`/video/${id}.md`)
  const { url } = service.server()
  expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(headerOf(answer, 'Cache-Control')).toBe('public, max-age=0, must-revalidate')
  expect(headerOf(answer, 'Link')).toBe(`<${url}/video/${id}/${slug}>; rel="canonical"; type="text/html"`)
  expect(answer.body).toStartWith('# Lamps and tides\n\n- **Speakers:** [Ann \\`Keeper\\`](<')
  for (const line of [
    `- **Event:** [Plain Days](<${url}/category/plain-days>)`,
    '- **Day:** 2019-05-01',
    '- **Length:** 39:07',
    '- **Language:** English',
    '- **Licence:** [CC BY 4.0](<https://creativecommons.org/licenses/by/4.0/>)',
    '- **Video:** <https://www.youtube.com/watch?v=markdown001>',
    '- **Files:** [MP4](<https://files.example.org/a(1).mp4>) (413 MB)',
    '> # A heading',
  ]) {
    expect(answer.body.split('\n')).toContain(line)
  }
  const known = await get(`/video/${id}.md`, { 'If-None-Match': headerOf(answer, 'ETag') ?? '' })
  expect(known.status).toBe(304)
  const page = await get(`/video/${id}/${slug}`)
  expect(headerOf(page, 'Link')).toContain(`<${url}/video/${id}.md>; rel="alternate"; type="text/markdown"`)
  expect(page.body).toContain(`<link rel="alternate" type="text/markdown" href="/video/${id}.md"/>`)
})

test('Nothing that a record says becomes markup of the page', async () => {
  const { id } = await service.create(whole)
  const { body } = await get(`/video/${id}.md`)
  const html = createMarkdown({ html: true }).render(body)
  expect(html.match(/<h1>/g)).toHaveLength(2) // The title, and the heading within the quotation.
  expect(html).toContain(
    '<h1>Lamps *and* [tides](https://evil.example/) # &lt;script&gt;alert(1)&lt;/script&gt; &amp; more #</h1>',
  )
  expect(html.match(/<(?:script|img|main)|<\/main>/g)).toBeNull()
  const [outside = ''] = [html.replace(/<blockquote>[\s\S]*?<\/blockquote>/g, '')]
  expect(outside.match(/<h2>\w+<\/h2>/g)).toEqual(['<h2>Summary</h2>', '<h2>Description</h2>'])
  expect(outside).not.toContain('<pre>')
})

test('Drafts, withdrawn talks and other ids are as for the page', async () => {
  const draft = await service.create({ title: 'A draft', state: 2 })
  const gone = await service.create({ title: 'Withdrawn soon' })
  await service.patch(gone.id, { state: 2 })
  const statuses = [`/video/${draft.id}.md`, `/video/${gone.id}.md`, '/video/999999.md', '/video/x.md', '/video/.md']
  const found = await Promise.all(statuses.map(async (path) => [path, (await get(path)).status]))
  expect(found.map(([, status]) => status)).toEqual([404, 410, 404, 404, 404])
})
