import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anyRecord } from '../../src/record/companion/companion.ts'
import { companionKinds } from '../../src/record/companion/kinds.ts'
import { origins } from '../../src/record/transcript/transcript.ts'
import events from '../../src/serve/sample/events.json'
import records from '../../src/serve/sample/records.json'
import { addSample } from '../../src/serve/sample/sample.ts'
import transcripts from '../../src/serve/sample/transcripts.json'
import { createDatabase, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

const baseUrl = 'https://talks.example.org/archive'
let folder: string
let db: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rostrum-sample-'))
  const path = join(folder, 'store.db')
  await createDatabase(path)
  db = openForWriting(path, 0)
})

afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

test('however slow the machine, the sample comes whole', async () => {
  let elapsed = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => (elapsed += 1_000))
  try {
    await addSample(createSqliteDatabase(db), baseUrl)
    expect(db.query('SELECT count(*) AS n, max(id) AS last FROM record').get()).toEqual({
      n: records.length,
      last: records.length,
    })
  } finally {
    clock.mockRestore()
  }
})

test('a second start adds nothing', async () => {
  await addSample(createSqliteDatabase(db), baseUrl)
  await addSample(createSqliteDatabase(db), 'http://other.example.org')
  expect(db.query('SELECT count(*) AS n FROM record').get()).toEqual({ n: records.length })
  expect(db.query('SELECT count(*) AS n FROM category').get()).toEqual({ n: events.length })
})

test('its companions belong to the first versions of their talks', async () => {
  await addSample(createSqliteDatabase(db), baseUrl)
  const sql = `SELECT body, number FROM companion WHERE record_id = 1 AND name = 'related'`
  const { body, number } = db.query<{ body: Uint8Array; number: number }, []>(sql).get() ?? { body: [], number: 0 }
  expect([number, JSON.parse(Buffer.from(body).toString())]).toMatchObject([1, records[0]?.related ?? {}])
})

test('its chapters fit their talks, and name the talks that they are', () => {
  const chaptered = records.flatMap(({ title, duration, chapters }, i) =>
    chapters === undefined
      ? []
      : [{ title, chapters, record: { ...anyRecord, id: i + 1, duration: duration ?? null } }],
  )
  expect(chaptered.length).toBeGreaterThan(3)
  for (const { title, chapters, record } of chaptered) {
    expect([title, companionKinds.chapters.parse(chapters, record).ok]).toEqual([title, true])
    for (const chapter of chapters.chapters)
      if ('video' in chapter)
        expect(chapter.title).toEndWith(records[Number(chapter.video) - 1]?.title ?? 'no such talk')
  }
})

test('its transcripts are of live talks, fit their lengths, and show every origin and two languages of one talk', () => {
  for (const { video, cues } of transcripts) {
    const { title, state, duration = 0 } = records[video - 1] ?? {}
    const end = cues.at(-1)?.end ?? 0
    expect([title, state, end > duration * 500, end <= duration * 1000]).toEqual([title, 1, true, true])
  }
  expect(new Set(transcripts.map(({ origin }) => origin)).size).toBe(origins.length)
  expect(new Set(transcripts.map(({ video }) => video)).size).toBeLessThan(transcripts.length)
})

test('what is said in it is found, at its second', async () => {
  const server = await startServer({ args: ['--threads', '1', '--sample'] })
  try {
    const find = async () => {
      const answer = await fetch(`${server.url}/api/v2/moments?q=%22write+it+down%22`)
      return (await answer.json()) as { count: number; count_is?: string; results: readonly { record: object }[] }
    }
    await until('all transcripts are indexed', async () => (await find()).count_is === undefined)
    expect((await find()).results).toMatchObject([
      { record: { id: 127 }, moments: [{ start: 0.3, language: 'en' }] },
      { record: { id: 32 }, moments: [{ start: 223.4 }] },
    ])
  } finally {
    await server.stop()
  }
})

test('it is varied: events, speakers, topics, languages and lengths that make every page worth a look', () => {
  const live = records.filter(({ state }) => state === 1)
  const countOver = (values: readonly string[], least: number) => {
    const counts = Map.groupBy(values, (value) => value)
    return [...counts.values()].filter(({ length }) => length >= least).length
  }
  const lengths = live.flatMap(({ duration }) => duration ?? [])
  const seen = {
    events: countOver(
      live.map(({ category }) => category),
      6,
    ),
    speakers: countOver(
      live.flatMap(({ speakers }) => speakers),
      3,
    ),
    topics: countOver(
      live.flatMap(({ tags = [] }) => tags),
      3,
    ),
    languages: countOver(
      live.map(({ language }) => language),
      4,
    ),
    short: lengths.filter((seconds) => seconds < 600).length,
    long: lengths.filter((seconds) => seconds > 9_000).length,
    drafts: records.length - live.length,
  }
  const least = { events: 10, speakers: 25, topics: 20, languages: 6, short: 5, long: 2, drafts: 5 }
  // Spelled out by name, so that a failure says what there is too little of.
  const poor = Object.entries(least).filter(([what, count]) => Number(Reflect.get(seen, what)) < count)
  expect(poor).toEqual([])
})

test('each talk is of an event with a description, an address and a first day that is not after it', () => {
  const byTitle = new Map(events.map((event) => [event.title, event]))
  const wrong = records.filter(({ category, recorded }) => {
    const event = byTitle.get(category)
    return event === undefined || event.description === '' || event.url === '' || (recorded ?? '9') < event.start_date
  })
  expect(wrong.map(({ title }) => title)).toEqual([])
})

test('a few of its newest talks play from the server itself, whole and in parts', async () => {
  const server = await startServer({ args: ['--threads', '1', '--sample'] })
  try {
    const list = await fetch(`${server.url}/api/v2/video?ordering=-id&page_size=12&format=json`)
    const { results } = (await list.json()) as { results: readonly Playable[] }
    const playable = results.filter(({ video_mp4_url: url }) => url?.startsWith(`${server.url}/`))
    expect(playable.length).toBeGreaterThan(2)
    for (const { video_mp4_url: url, video_mp4_length: length } of playable) {
      if (url === null) continue
      const [whole, part] = [await fetch(url), await fetch(url, { headers: { Range: 'bytes=4-7' } })]
      expect([whole.status, whole.headers.get('Content-Type'), (await whole.bytes()).length]).toEqual([
        200,
        'video/mp4',
        length,
      ])
      expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
    }
    expect((await fetch(`${server.url}/assets/sample/none.mp4`)).status).toBe(404)
  } finally {
    await server.stop()
  }
})

test('with a base URL, their addresses start with it', async () => {
  const server = await startServer({ args: ['--threads', '1', '--sample', '--base-url', `${baseUrl}/`] })
  try {
    const list = await fetch(`${server.url}/api/v2/video?ordering=-id&page_size=1&format=json`)
    const { results } = (await list.json()) as { results: readonly object[] }
    expect(results).toEqual([
      expect.objectContaining({
        thumbnail_url: `${baseUrl}/assets/sample/dusk.webp`,
        video_mp4_url: `${baseUrl}/assets/sample/dusk.mp4`,
        video_webm_url: `${baseUrl}/assets/sample/dusk.webm`,
      }),
    ])
  } finally {
    await server.stop()
  }
})

interface Playable {
  readonly video_mp4_url: string | null
  readonly video_mp4_length: number | null
}
