import { describe, expect, test } from 'bun:test'
import createMarkdown from 'markdown-it'
import { headerOf } from '../harness/raw.ts'
import { type Fields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1', '--query-threads', '1'] })

const get = (path: string) => service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })
const toPage = ({ id, slug }: Fields) => `/video/${id}/${slug}`
const readPage = async (talk: Fields) => (await get(toPage(talk))).body

async function put(id: unknown, name: string, json: unknown): Promise<void> {
  const answer = await service.call({ method: 'PUT', path: `${toPath(id)}/${name}`, as: 'admin', json })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
}

const putChapters = (id: unknown, chapters: readonly unknown[]) => put(id, 'chapters', { chapters })

/** The texts of a piece of a page. */
const toText = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const toSection = (body: string, heading: string) =>
  body.split('<section').find((each) => each.includes(`<h2>${heading}</h2>`)) ?? ''

function readJsonLd(body: string) {
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  return JSON.parse(text)['@graph'][0]
}

const file = 'https://media.example.org/a.mp4'

describe('The page of a talk', () => {
  test('has its slides as a button, and the other links with their kinds', async () => {
    const talk = await service.create()
    await put(talk.id, 'related', {
      links: [
        { url: 'https://example.org/code', label: 'Everything shown', kind: 'code' },
        { url: 'https://example.org/notes', label: 'My notes', kind: 'notes' },
        { url: 'https://example.org/a.pdf', label: 'In English', kind: 'slides' },
        { url: 'https://example.org/b.pdf', label: 'In German', kind: 'slides' },
        { url: 'https://example.org/else', kind: 'other' },
      ],
    })
    const body = await readPage(talk)
    expect(body).toContain('<li><a href="https://example.org/a.pdf" rel="nofollow noopener ugc">Slides</a></li>')
    expect(toText(toSection(body, 'Links'))).toStartWith(
      '> Links In German Slides Everything shown Code My notes example.org/else',
    )
    expect(toSection(body, 'Links')).not.toContain('a.pdf')
  })

  test('folds what is long', async () => {
    const talk = await service.create({ duration: 3_600, video_mp4_url: file })
    await put(talk.id, 'related', {
      links: Array.from({ length: 30 }, (_, i) => ({ url: `https://example.org/${i}`, label: `Link ${i}` })),
    })
    await putChapters(
      talk.id,
      Array.from({ length: 100 }, (_, i) => ({ start: i * 30, title: `Chapter ${i}` })),
    )
    const body = await readPage(talk)
    expect(toSection(body, 'Links')).toContain('<summary>22 more</summary>')
    expect(toSection(body, 'Links')).toContain('Link 29')
    expect(toSection(body, 'Chapters')).toContain('<summary>90 more</summary><ol start="11">')
    expect(toSection(body, 'Chapters')).toContain('href="?t=2970"')
  })

  test('says where else it can be watched', async () => {
    const talk = await service.create({ source_url: 'https://example.org/watch' })
    await put(talk.id, 'recordings', {
      recordings: [
        { url: 'https://www.archive.org/details/a', kind: 'page' },
        { url: 'https://media.example.org/de.MP4?x', kind: 'file', language: 'German', note: 'with questions' },
      ],
    })
    const text = toText(toSection(await readPage(talk), 'Also at').split('</section>')[0] ?? '')
    expect(text).toEndWith('Also at archive.org media.example.org MP4 · German · with questions')
  })

  test('has chapters that lead to their times, in the player and for search engines too', async () => {
    const talk = await service.create({ duration: 900, video_mp4_url: file })
    expect(await readPage(talk)).not.toMatch(/<h2>Chapters|<track|hasPart/)
    await putChapters(talk.id, [
      { start: 0, title: 'Opening' },
      { start: 724.5, title: 'Questions' },
    ])
    const body = await readPage(talk)
    const section = toSection(body, 'Chapters')
    expect(section).toContain('<a href="?t=724" data-start="724.5"><span class="time">12:04</span>')
    expect(body).toContain(`<track kind="chapters" src="/video/${talk.id}/chapters.vtt"/>`)
    const page = `${service.server().url}${toPage(talk)}`
    expect(readJsonLd(body).hasPart).toEqual([
      { '@type': 'Clip', name: 'Opening', startOffset: 0, endOffset: 724.5, url: `${page}?t=0` },
      { '@type': 'Clip', name: 'Questions', startOffset: 724.5, endOffset: 900, url: `${page}?t=724` },
    ])
    expect((await get(`/embed/${talk.id}`)).body).toContain(`src="/video/${talk.id}/chapters.vtt"`)
  })

  test('has chapters without links if it plays nothing', async () => {
    const talk = await service.create({ source_url: 'https://example.org/watch' })
    await putChapters(talk.id, [{ start: 65, title: 'Opening' }])
    const section = toSection(await readPage(talk), 'Chapters')
    expect(section).toContain('<span class="time">1:05</span>')
    expect(section).not.toContain('?t=')
  })
})

describe('A part of a longer recording', () => {
  async function createParts(fields: Fields = {}) {
    const [first, second] = [await service.create({ title: 'First' }), await service.create({ title: 'Second' })]
    const hidden = await service.create({ title: 'Xylograph', state: 2 })
    const whole = await service.create({ title: 'Many & more', duration: 2_000, video_mp4_url: file, ...fields })
    await putChapters(whole.id, [
      { start: 10, title: 'The first', video: first.id },
      { start: 300, title: 'The hidden', video: hidden.id },
      { start: 724, title: 'The second', end: 1_000, video: second.id },
      { start: 1_100, title: 'The end' },
    ])
    return { first, second, hidden, whole }
  }

  test('has its own page, to which the chapter leads, unless it is a draft', async () => {
    const { first, hidden, whole } = await createParts()
    const section = toSection(await readPage(whole), 'Chapters')
    expect(section).toContain(`<a href="?t=10" data-start="10"><span class="time">0:10</span></a>`)
    expect(section).toContain(`<a href="${toPage(first)}"><span class="title" dir="auto">The first</span></a>`)
    expect(section).toContain('<span class="time">5:00</span><span class="title" dir="auto">The hidden</span></a>')
    for (const path of [toPage(whole), `/video/${whole.id}/chapters.json`, `/video/${whole.id}.md`]) {
      const { body } = await get(path)
      expect([path, body.includes('ylograph'), body.includes(`video/${hidden.id}`)]).toEqual([path, false, false])
    }
    await service.patch(hidden.id, { state: 1 })
    expect(toSection(await readPage(whole), 'Chapters')).toContain(`<a href="${toPage(hidden)}">`)
  })

  test('plays its piece of the recording, and leads to the parts before and after it', async () => {
    const { first, second, whole } = await createParts()
    const body = await readPage(second)
    expect(body).toContain(`<source src="${file}#t=724,1000" type="video/mp4"/>`)
    expect(body).toContain(`<track kind="chapters" src="/video/${whole.id}/chapters.vtt"/>`)
    const [note = ''] = /<nav class="part-note".*?<\/nav>/s.exec(body) ?? []
    expect(toText(note)).toBe('From 12:04 of Many &amp; more Previous: The first')
    expect(note).toContain(`href="${toPage(whole)}?t=724"`)
    expect(note).toContain(`href="${toPage(first)}"`)
    expect(await readPage(first)).toContain(`Next: <a href="${toPage(second)}" dir="auto">The second</a>`)
    expect((await get(`/embed/${second.id}`)).body).toContain(`src="${file}#t=724,1000"`)
    expect((await get(`${toPage(second)}?t=800`)).body).toContain(`src="${file}#t=800,1000"`)
    expect(readJsonLd(body)).not.toHaveProperty('contentUrl')
  })

  test('plays its own recording if it has another one', async () => {
    const { second } = await createParts()
    await service.patch(second.id, { video_mp4_url: 'https://media.example.org/own.mp4' })
    const body = await readPage(second)
    expect(body).toContain('<source src="https://media.example.org/own.mp4" type="video/mp4"/>')
    expect(toText(/<nav class="part-note".*?<\/nav>/s.exec(body)?.[0] ?? '')).toStartWith('Also from 12:04 of')
    const url = 'https://www.youtube.com/watch?v=longlonglon'
    const same = await createParts({ video_mp4_url: null, source_url: url })
    await service.patch(same.second.id, { source_url: url })
    const page = await readPage(same.second)
    expect(page).toContain('data-start="724"')
    expect(page).toContain('data-end="1000"')
    expect(page).toContain(`href="${url}&amp;t=724s"`)
  })

  test('says nothing of a draft that it is a part of', async () => {
    const { second, whole } = await createParts()
    expect(await readPage(second)).toContain('part-note')
    await service.patch(whole.id, { state: 2 })
    const body = await readPage(second)
    expect(body).not.toMatch(/part-note|media\.example\.org/)
    expect(body).not.toContain(toPage(whole))
    await service.patch(whole.id, { state: 1 })
    await putChapters(whole.id, [])
    expect(await readPage(second)).not.toContain('part-note')
  })
})

describe('Chapters for programs', () => {
  test('are WebVTT, JSON of podcasts and Markdown, cached like pages', async () => {
    const { url } = service.server()
    const part = await service.create({ title: 'A part' })
    const talk = await service.create({ title: 'Whole', duration: 900, video_mp4_url: file })
    await putChapters(talk.id, [
      { start: 0, title: 'Opening' },
      { start: 724.5, title: 'Questions', video: part.id },
    ])
    await put(talk.id, 'related', { links: [{ url: 'https://example.org/a.pdf', label: 'All', kind: 'slides' }] })
    await put(talk.id, 'recordings', { recordings: [{ url: 'https://archive.org/a', language: 'German', note: 'x' }] })
    const vtt = await get(`/video/${talk.id}/chapters.vtt`)
    expect([vtt.status, headerOf(vtt, 'Cache-Control')]).toEqual([200, 'public, max-age=0, must-revalidate'])
    expect(vtt.body).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:12:04.500\nOpening\n\n00:12:04.500 --> 00:15:00.000\nQuestions\n',
    )
    const json = await get(`/video/${talk.id}/chapters.json`)
    expect(headerOf(json, 'Content-Type')).toBe('application/json+chapters')
    expect(JSON.parse(json.body)).toEqual({
      version: '1.2.0',
      title: 'Whole',
      chapters: [
        { startTime: 0, endTime: 724.5, title: 'Opening' },
        { startTime: 724.5, endTime: 900, title: 'Questions', url: `${url}${toPage(part)}` },
      ],
    })
    const podcast = (await get(`/list.rss?ids=${talk.id}`)).body
    expect(podcast).toContain(
      `<podcast:chapters url="${url}/video/${talk.id}/chapters.json" type="application/json+chapters"/>`,
    )
    const { body } = await get(`/video/${talk.id}.md`)
    for (const line of [
      `- [12:04](<${url}${toPage(talk)}?t=724>) [Questions](<${url}${toPage(part)}>)`,
      '- <https://archive.org/a> · German · x',
      '- [All](<https://example.org/a.pdf>) (slides)',
    ]) {
      expect(body.split('\n')).toContain(line)
    }
  })

  test('are in the feed of the changes of their event, even if 50 of its talks were changed later', async () => {
    const category = 'Changed chapters'
    const first = await service.create({ category })
    await putChapters(first.id, [{ start: 0, title: 'Opening' }])
    for (let i = 0; i < 50; i++) await service.create({ category, title: `Later ${i}` })
    const readFeed = async () => (await get('/category/changed-chapters/changes.atom')).body
    expect(await readFeed()).not.toContain(`/video/${first.id}/`)
    await putChapters(first.id, [])
    expect((await readFeed()).split('<entry')[1]).toContain(`/video/${first.id}/`)
  })

  test('of drafts are nowhere', async () => {
    const talk = await service.create({ title: 'Hidden later', video_mp4_url: file })
    await putChapters(talk.id, [{ start: 0, title: 'Zeugmatic' }])
    const paths = ['vtt', 'json'].map((format) => `/video/${talk.id}/chapters.${format}`)
    for (const path of paths) expect((await get(path)).body).toContain('Zeugmatic')
    await service.patch(talk.id, { state: 2 })
    const draft = await service.create({ title: 'Never shown', state: 2 })
    await putChapters(draft.id, [{ start: 0, title: 'Zeugmatic' }])
    for (const path of [...paths, toPage(talk), `/video/${talk.id}.md`, `/embed/${talk.id}`]) {
      const { status, body } = await get(path)
      expect([path, status, body.includes('Zeugmatic')]).toEqual([path, 410, false])
    }
    for (const path of [`/video/${draft.id}/chapters.vtt`, `/video/${draft.id}/chapters.json`, toPage(draft)])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect((await get('/feed.rss')).body).not.toContain(`/video/${talk.id}/chapters.json`)
  })

  test('and links are text in every format, whatever they say', async () => {
    const hostile = '"\'></script><script>alert(1)</script><!-- --> 00:01 --> 00:02 [x](javascript:a) \u202eevil\u2066'
    const talk = await service.create({ title: 'Hostile', duration: 900, video_mp4_url: file })
    await putChapters(talk.id, [{ start: 0, title: hostile }])
    const url = 'https://example.org/?"><script>alert(1)</script>'
    await put(talk.id, 'related', { links: [{ url, label: hostile, kind: 'slides' }, { url: `${url}2` }] })
    await put(talk.id, 'recordings', { recordings: [{ url: `${url}3`, note: hostile, language: 'German' }] })
    const body = await readPage(talk)
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('&lt;/script>&lt;script>alert(1)')
    expect(readJsonLd(body).hasPart[0].name).toBe(hostile)
    const vtt = (await get(`/video/${talk.id}/chapters.vtt`)).body
    expect(vtt.match(/-->/g)).toHaveLength(1)
    expect(vtt).not.toContain('<script')
    const json = JSON.parse((await get(`/video/${talk.id}/chapters.json`)).body)
    expect(json.chapters).toMatchObject([{ title: hostile }])
    const html = createMarkdown({ html: true }).render((await get(`/video/${talk.id}.md`)).body)
    expect(html).not.toMatch(/<script|href="javascript|<!--/)
  })
})
