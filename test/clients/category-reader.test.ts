import { expect, test } from 'bun:test'
import { fail, type Json, readJson, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const total = 64
const archive = useArchive(
  Array.from({ length: total }, (_, index) => ({ category: 'EuroPython 2014', title: `Talk ${index}` })),
)

/** Reads a category, then each of its records, ten at a time. */
async function download(slug: string): Promise<readonly Json[]> {
  const category = await readJson(await fetch(`${archive.url()}/api/v2/category/${slug}?format=json`))
  const { videos } = category
  const rest = Array.isArray(videos) ? videos.map(String) : fail(`no videos: ${JSON.stringify(category)}`)
  const records: Json[] = []
  const work = async () => {
    for (let address = rest.shift(); address !== undefined; address = rest.shift()) {
      const answer = await fetch(`${address}?format=json`)
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json'])
      records.push(await readJson(answer))
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
  return records
}

test('gets every record of the category, as JSON', async () => {
  const records = await download('europython-2014')
  expect(new Set(records.map(({ id }) => id)).size).toBe(total)
  for (const record of records) expect(record.category).toBe('EuroPython 2014')
})

test('does not get what is no longer public', async () => {
  const [first] = await download('europython-2014')
  const headers = { Authorization: `Token ${archive.token()}`, 'Content-Type': 'application/json' }
  const address = `${archive.url()}/api/v2/video/${first?.id}`
  const patched = await fetch(address, { method: 'PATCH', headers, body: JSON.stringify({ state: 2 }) })
  expect(patched.status).toBe(200)
  expect(await download('europython-2014')).toHaveLength(total - 1)
})
