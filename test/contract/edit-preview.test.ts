import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { createCurator, type FieldList } from './curator.ts'
import { type Fields, listPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '1'] })

async function signedIn() {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf('reader'))
  return curator
}

/** What is under the id of the preview. */
const partOf = (html: string) => html.slice(html.indexOf('<div id="preview"'), html.indexOf('</article>'))

const previewed = async (id: unknown, fields: FieldList) => {
  const answer = await (await signedIn()).post(id === null ? '/edit/preview' : `/edit/preview/${id}`, fields)
  expect(answer.status).toBe(200)
  return { ...answer, part: partOf(answer.body) }
}

const videos = [
  ['of a host', { 'field.source_url': 'https://youtu.be/abcdefghijk' }, 'data-frame='],
  ['in a file', { 'field.video_webm_url': 'http://media.example.org/a.webm' }, 'src="http://media.example.org/a.webm"'],
] as const

describe('The preview of a form', () => {
  test('shows what the form has now, and stores nothing', async () => {
    const { id } = await service.create({ title: 'Tides', summary: 'Stored', speakers: ['Ada Quill'] })
    const before = (await service.read(id)).body
    const answer = await previewed(id, [
      ['field.title', 'Moons & <b>tides</b>'],
      ['field.description', 'Some *emphasis*\nand [a link](https://example.org/)'],
      ['field.speakers', 'Ada Quill\nBen Stone'],
      ['field.tags', 'sea'],
    ])
    expect(answer.part).toContain('>Moons &amp; &lt;b>tides&lt;/b></h2>')
    expect(answer.part).toContain('<em>emphasis</em>')
    expect(answer.part).toContain('rel="nofollow noopener ugc"')
    for (const text of ['Stored', 'Ada Quill', 'Ben Stone', 'sea']) expect(answer.part).toContain(text)
    expect(answer.body).toContain('Nothing is saved')
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
    expect((await service.read(id)).body).toBe(before)
  })

  test.each(videos)('has a player for a video %s', async (_, fields, expected) => {
    const { id } = await service.create()
    expect((await previewed(id, Object.entries(fields))).part).toContain(expected)
  })

  test('shows all fields that are right, and names those that are wrong', async () => {
    const { id } = await service.create({ title: 'Tides' })
    const answer = await previewed(id, [
      ['field.title', ' '],
      ['field.video_mp4_url', 'javascript:alert(1)'],
      ['field.summary', 'Typed'],
    ])
    expect(answer.part).toContain('>Tides</h2>')
    expect(answer.part).toContain('Typed')
    expect(answer.part.includes('javascript:')).toBe(false)
    expect(answer.body).toContain('show their stored values: Title, MP4: Address.')
  })

  test('shows a new talk before it is stored', async () => {
    const { part } = await previewed(null, [
      ['field.title', 'Brand new'],
      ['field.category', 'An event that nobody knows'],
      ['field.source_url', 'https://vimeo.com/12345'],
    ])
    for (const text of ['Brand new', 'An event that nobody knows', 'data-host="vimeo"']) expect(part).toContain(text)
    expect((await service.call({ method: 'GET', path: `${listPath}?q=Brand` })).body).toContain('"count":0')
  })

  test('shows an empty form', async () => {
    expect((await previewed(null, [])).part).toContain('No recording')
  })

  test('of a talk that does not exist is 404, as a page', async () => {
    const answer = await (await signedIn()).post('/edit/preview/999999', [])
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test('never plays old player markup, and escapes whatever is typed', async () => {
    const { id } = await service.create()
    const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    const names = ['title', 'category', 'speakers', 'tags', 'summary', 'description', 'quality_notes', 'copyright_text']
    const { part } = await previewed(id, [
      ...names.map((name) => [`field.${name}`, hostile] as const),
      ['field.embed', '<iframe src="https://other.example.org/"></iframe>'],
    ])
    for (const markup of ['<script', '<img', 'other.example.org']) expect(part.includes(markup)).toBe(false)
  })
})

describe('The preview of a stored talk', () => {
  const read = async ({ id }: Fields) => (await signedIn()).get(`/edit/video/${id}/preview`)

  test('shows a draft to curators alone', async () => {
    const draft = await service.create({ state: 2, title: 'Not yet', summary: '*Soon*' })
    const { status, body } = await read(draft)
    expect(status).toBe(200)
    for (const text of ['>Not yet</h2>', '<em>Soon</em>', 'only curators can see it']) expect(body).toContain(text)
    const stranger = await createCurator(service).get(`/edit/video/${draft.id}/preview`)
    expect([stranger.status, stranger.body.includes('Not yet')]).toEqual([303, false])
  })

  test('says that a live one is live', async () => {
    expect((await read(await service.create())).body).toContain('everybody can see it')
  })

  test('is 404 for an unknown talk', async () => {
    expect((await read({ id: 999_999 })).status).toBe(404)
  })
})

describe('A preview that takes too long', () => {
  const hasty = useService({ roles: ['reader'], args: ['--threads', '1', '--list-ms', '10'] })
  /** Each takes longer than the limit to parse. */
  const slow = ['summary', 'description', 'quality_notes'].map((name, i): [string, string] => [
    `field.${name}`,
    `${i}${'[a ![b'.repeat(1_600)}`,
  ])

  test('ends, and its page keeps what was typed', async () => {
    const curator = createCurator(hasty)
    await curator.signIn(hasty.keyOf('reader'))
    let token = ''
    await until('the token is read in time', async () => {
      token = await curator.readToken()
      return token !== ''
    })
    const answer = await curator.post('/edit/preview', slow, { token })
    expect(answer.status).toBe(503)
    for (const [name, text] of slow) expect(answer.body).toContain(`name="${name}" value="${text}"`)
  })
})
