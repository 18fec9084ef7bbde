import { expect, test } from 'bun:test'
import { readJson, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const total = 40
const archive = useArchive(Array.from({ length: total }, (_, index) => ({ category: 'One', title: `Talk ${index}` })))

/** Asks for every id there might be, some at a time, and keeps what it gets. */
test('asks for the ids 0 to 4999 one by one', async () => {
  const found: unknown[] = []
  const odd: string[] = []
  let next = 0
  const work = async () => {
    for (let id = next++; id < 5_000; id = next++) {
      const answer = await fetch(`${archive.url()}/api/v2/video/${id}/?format=json`)
      if (answer.status === 200) found.push((await readJson(answer)).id)
      else if (answer.status !== 404) odd.push(`${id}: ${answer.status}`)
      else await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  expect(odd).toEqual([])
  expect(found.map(Number).sort((one, other) => one - other)).toEqual(Array.from({ length: total }, (_, id) => id + 1))
}, 180_000)
