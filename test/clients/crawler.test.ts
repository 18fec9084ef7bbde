import { expect, test } from 'bun:test'
import { fail, type Json, readJson, toList, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const total = 87
const archive = useArchive(
  Array.from({ length: total }, (_, index) => ({ category: 'Crawled', title: `Talk ${index}` })),
)

/** Knows nothing of `next`: counts up while it gets 200. */
async function crawl(query: string): Promise<readonly Json[]> {
  const all: Json[] = []
  for (let page = 1; page <= 20; page++) {
    const answer = await fetch(`${archive.url()}/api/v2/video?page=${page}&${query}`)
    if (answer.status !== 200) {
      expect(answer.status).toBe(404)
      return all
    }
    all.push(...toList((await readJson(answer)).results))
  }
  return fail('the crawler never came to an end')
}

test('reaches the end, with each record once and the newest first', async () => {
  const all = await crawl('ordering=-added')
  const titles = Array.from({ length: total }, (_, index) => `Talk ${total - 1 - index}`)
  expect(all.map(({ title }) => title)).toEqual(titles)
})

test('reaches the end in every order', async () => {
  for (const ordering of ['added', 'title', '-updated', 'id', '-recorded', 'nonsense']) {
    const all = await crawl(`ordering=${ordering}&limit=0`)
    expect(new Set(all.map(({ id }) => id)).size).toBe(total)
    expect(all).toHaveLength(total)
  }
})

test('reaches the end of an empty list', async () => {
  expect(await crawl('category=none')).toEqual([])
})
