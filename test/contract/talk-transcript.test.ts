import { describe, expect, test } from 'bun:test'
import createMarkdown from 'markdown-it'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { readPodcast } from '../site/machine/feed-service.ts'
import { type Fields, parseFields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1', '--query-threads', '1'] })

const get = (path: string) => service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })
const toPage = ({ id, slug }: Fields) => `/video/${id}/${slug}`
const file = 'https://media.example.org/a.mp4'

type Segment = {
  readonly startTime: number
  readonly endTime: number
  readonly body: string
  readonly speaker?: string
}

async function say(id: unknown, language: string, segments: readonly Segment[], origin = 'machine'): Promise<void> {
  const path = `${toPath(id)}/transcripts/${language}?origin=${origin}`
  const answer = await service.call({ method: 'PUT', path, as: 'admin', json: { version: '1.0.0', segments } })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
}

const toSegments = (...texts: readonly string[]): Segment[] =>
  texts.map((body, i) => ({ startTime: i * 4, endTime: i * 4 + 4, body }))

async function untilFound(q: string, count: number): Promise<void> {
  const path = `/api/v2/moments?q=${encodeURIComponent(q)}`
  await until(`${q} is found`, async () => {
    const found = parseFields(await service.call({ method: 'GET', path, as: 'admin' }))
    return found.count === count && found.count_is === undefined
  })
}

function readJsonLd(body: string) {
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  return JSON.parse(text)['@graph'][0]
}

describe('The transcript of a talk', () => {
  test('is closed at first, and open at a time or for a search in the language that is shown', async () => {
    const talk = await service.create({ language: 'English', duration: 60, video_mp4_url: file })
    await say(talk.id, 'en', toSegments('A lamp for each ship.', 'And a bell for the fog.'))
    await say(talk.id, 'de', toSegments('Eine Lampe je Schiff.', 'Im Nebel eine Glocke: bell.'), 'translated')
    await untilFound('bell', 1)
    const read = async (query: string) => (await get(`${toPage(talk)}${query}`)).body
    const closed = await read('')
    expect(closed).toContain('<section class="transcript" id="transcript"><details><summary>')
    expect(closed).toContain('Transcribed by a machine; may contain mistakes.')
    const current = /<span data-start="[^"]*" aria-current="true">[^<]*/g
    for (const second of [4, 5])
      expect((await read(`?t=${second}`)).match(current)).toEqual([
        '<span data-start="4" aria-current="true">And a bell for the fog. ',
      ])
    const said = await read('?say=bell')
    expect(said).toContain('<q lang="en" dir="auto">And a <mark>bell</mark> for the fog.</q>')
    const german = await read('?transcript=de&say=bell')
    expect(german).toContain('<q lang="de" dir="auto">')
    expect(german).not.toContain('Transcribed by a machine')
    const links = german.match(/href="\?t=[^"]*"/g) ?? []
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect(link).toEndWith('&amp;transcript=de"')
    expect(await read('?say=whale')).toContain('“whale” is not said in this talk.')
  })

  test('keeps its language and words where an old or short URL of the talk redirects', async () => {
    const talk = await service.create({})
    const query = '?t=4&say=a+bell&transcript=de'
    for (const path of [`/video/${talk.id}`, `/video/${talk.id}/old-slug`])
      expect(headerOf(await get(`${path}${query}`), 'Location')).toBe(`${toPage(talk)}${query}`)
  })

  test('is text for programs, with times', async () => {
    const talk = await service.create({ title: 'Bells', category: 'Fog', speakers: ['Ann'], language: 'English' })
    const [first, second] = toSegments('One bell', 'means fog.') as [Segment, Segment]
    await say(talk.id, 'en', [first, second, { startTime: 72.5, endTime: 75, body: 'Why?', speaker: 'Bo *x*' }])
    await say(talk.id, 'de', toSegments('Eine Glocke'), 'human')
    const page = `${service.server().url}${toPage(talk)}`
    const markdown = (await get(`/video/${talk.id}.md`)).body
    expect(markdown).toEndWith(
      `## Transcript\n\nTranscribed by a machine; may contain mistakes.\n\n[0:00](<${page}?t=0>) One bell means fog.\n\n[1:12](<${page}?t=72>) **Bo \\*x\\*:** Why?\n`,
    )
    const text = await get(`/video/${talk.id}.txt`)
    expect(headerOf(text, 'Content-Type')).toBe('text/plain; charset=utf-8')
    expect(headerOf(text, 'Link')).toBe(`<${page}>; rel="canonical"; type="text/html"`)
    expect(text.body).toBe(
      `Bells\n\nSpeakers: Ann\nEvent: Fog\nLanguage: English\nPage: ${page}\n\nTranscript\n\nTranscribed by a machine; may contain mistakes.\n\n0:00 One bell means fog.\n\n1:12 Bo *x*: Why?\n`,
    )
    expect((await get(`/video/${talk.id}.txt?transcript=de`)).body).toEndWith('Transcript\n\n0:00 Eine Glocke\n')
  })

  test('is in podcasts and, if it is short, in the JSON-LD, which says how to reach a second', async () => {
    const talk = await service.create({ language: 'English', video_mp4_url: file })
    await say(talk.id, 'en', toSegments('One bell', 'means fog.'))
    await say(talk.id, 'pt-BR', toSegments('Um sino'), 'translated')
    const { url } = service.server()
    const path = `/list.rss?ids=${talk.id}`
    await readPodcast(service, path)
    const feed = (await get(path)).body
    const toUrl = (name: string) =>
      `url="${url}${toPath(talk.id)}/transcripts/${name}" language="${name.split('.')[0]}"`
    expect(feed.match(/<podcast:transcript [^>]*>/g)).toEqual([
      `<podcast:transcript ${toUrl('en.vtt')} type="text/vtt" rel="captions"/>`,
      `<podcast:transcript ${toUrl('en.json')} type="application/json"/>`,
      `<podcast:transcript ${toUrl('pt-BR.vtt')} type="text/vtt" rel="captions"/>`,
      `<podcast:transcript ${toUrl('pt-BR.json')} type="application/json"/>`,
    ])
    const about = readJsonLd((await get(toPage(talk))).body)
    expect(about).toMatchObject({
      transcript: 'One bell means fog.',
      potentialAction: {
        '@type': 'SeekToAction',
        target: `${url}${toPage(talk)}?t={seek_to_second_number}`,
        'startOffset-input': 'required name=seek_to_second_number',
      },
    })
    await say(talk.id, 'en', toSegments(...Array.from({ length: 3 }, () => 'bell '.repeat(399))))
    expect(readJsonLd((await get(toPage(talk))).body).transcript).toBeUndefined()
    const silent = await service.create({ source_url: 'https://example.org/watch' })
    expect(readJsonLd((await get(toPage(silent))).body).potentialAction).toBeUndefined()
  })

  test('is text in every format, whatever it says', async () => {
    const hostile = '</script><script>alert(1)</script><!-- 00:01 --> 00:02 ]]> [x](javascript:a) \u202eevil\u2066 &lt;'
    const talk = await service.create({ title: 'Hostile', language: 'English', duration: 900, video_mp4_url: file })
    const long = `${hostile} ${'x'.repeat(2_000)}`.slice(0, 2_000)
    const said = toSegments(`${hostile}\u0000quagga`, `# ${hostile}`, long)
    await say(talk.id, 'en', [...said, { startTime: 60, endTime: 61, body: 'So', speaker: hostile }])
    await untilFound('quagga', 1)
    const pages = [toPage(talk), `${toPage(talk)}?say=quagga`, '/moments?q=quagga', '/search?q=quagga']
    for (const path of pages) {
      const { status, body } = await get(path)
      expect([path, status, body.includes('<script>alert')]).toEqual([path, 200, false])
      expect(body).toContain('&lt;/script>&lt;script>alert(1)')
      expect(body).not.toContain('\u0000')
    }
    expect(readJsonLd((await get(toPage(talk))).body).transcript).toContain(hostile)
    const html = createMarkdown({ html: true }).render((await get(`/video/${talk.id}.md`)).body)
    expect(html).not.toMatch(/<script|href="javascript|<!--/)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    const text = await get(`/video/${talk.id}.txt`)
    expect([text.body.includes('\u0000'), headerOf(text, 'X-Content-Type-Options')]).toEqual([false, 'nosniff'])
    const vtt = (await get(`${toPath(talk.id)}/transcripts/en.vtt`)).body
    expect([vtt.match(/-->/g)?.length, vtt.includes('<script')]).toEqual([4, false])
  })

  test('of a draft or a withdrawn talk is nowhere', async () => {
    const talk = await service.create({ title: 'Withdrawn soon', video_mp4_url: file })
    const draft = await service.create({ title: 'A draft', state: 2, video_mp4_url: file })
    for (const { id } of [talk, draft]) await say(id, 'en', toSegments('The numbat is asleep'))
    await untilFound('numbat', 2)
    await service.patch(talk.id, { state: 2 })
    const own = ({ id, slug }: Fields) =>
      [`/video/${id}/${slug}?say=numbat`, `/video/${id}.md`, `/video/${id}.txt`, `/embed/${id}`].concat([
        `${toPath(id)}/transcripts`,
        `${toPath(id)}/transcripts/en.vtt`,
        `${toPath(id)}/moments?q=numbat`,
      ])
    const shared = ['/moments?q=numb', '/search?q=numb', '/api/v2/moments?q=numb', '/search/suggest?q=numb']
    const lists = ['/feed.rss', `/list.rss?ids=${talk.id},${draft.id}`, '/sitemap.xml', '/suggestions.json?q=numb']
    for (const path of [...own(talk), ...own(draft), ...shared, ...lists]) {
      const { body } = await get(path)
      const isTold = /numbat|asleep/.test(body.replaceAll('say=numbat', '').replaceAll('q=numbat', ''))
      expect([path, isTold, body.includes(`${toPath(talk.id)}/transcripts/`)]).toEqual([path, false, false])
    }
  })
})
