import { expect, test } from 'bun:test'
import { type Json, readJson, toList, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const source = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const archive = useArchive(
  Array.from({ length: 45 }, (_, index) => ({
    category: index < 25 ? 'DjangoCon' : 'Others',
    title: `Talk ${index}`,
    ...(index % 2 === 0 ? { source_url: source } : { video_mp4_url: 'https://files.example.org/a.mp4' }),
  })),
)

const ask = async (query: string) => fetch(`${archive.url()}/api/v2/video//${query}`)

/** What the add-on reads of each record before it shows a line. */
function toLine(record: Json): string {
  for (const format of ['ogv', 'mp4', 'webm', 'flv']) expect(record).toHaveProperty(`video_${format}_url`)
  expect(typeof record.source_url).toBe('string')
  expect(typeof record.title).toBe('string')
  expect(typeof record.thumbnail_url).toBe('string')
  expect(Array.isArray(record.speakers)).toBe(true)
  const files = ['mp4', 'ogv', 'webm', 'flv'].map((format) => record[`video_${format}_url`])
  return String(files.find((file) => typeof file === 'string' && file !== '') ?? record.source_url)
}

test('shows a category page by page', async () => {
  const first = await readJson(await ask('?category=djangocon'))
  expect(toList(first.results)).toHaveLength(20)
  expect(first.next).not.toBeNull()
  const second = await readJson(await ask('?category=djangocon&page=2'))
  expect(toList(second.results)).toHaveLength(5)
  expect([second.next, second.count]).toEqual([null, 25])
  const records = [...toList(first.results), ...toList(second.results)]
  for (const record of records) expect(record.category).toBe('DjangoCon')
  expect(new Set(records.map(({ id }) => id)).size).toBe(25)
})

test('shows the newest first, each with something to play', async () => {
  const answer = await ask('?ordering=-added')
  expect(answer.status).toBe(200)
  const { results } = await readJson(answer)
  const lines = toList(results).map(toLine)
  expect(lines).toHaveLength(20)
  for (const line of lines) expect(line).toMatch(/^https:/)
  expect(toList(results)[0]?.title).toBe('Talk 44')
})

test('sends old parameters that no longer exist', async () => {
  const answer = await ask('?limit=0&username=someone&api_key=0123456789&order_by=x')
  expect(answer.status).toBe(200)
  expect((await readJson(answer)).count).toBe(45)
})
