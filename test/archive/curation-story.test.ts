import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/record/json.ts'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { exportFrom, importInto } from './command.ts'
import { listFiles, writeTalk } from './talk-files.ts'

/** A folder of talks to try the story on, besides our own. */
const otherArchive = process.env.TEST_ARCHIVE

type Send = (method: string, path: string, body?: object) => Promise<JsonObject>
interface Entry {
  readonly id: number
  readonly name: string
  readonly count: number
}
interface Group {
  readonly reason: string
  readonly names: readonly Entry[]
}

test(
  'a curator merges variants, retags, withdraws, publishes and undoes it all: every record and file is restored',
  () => withFolder((folder) => tellStory(folder, writeArchive(join(folder, 'harbour')))),
  120_000,
)

if (otherArchive !== undefined) {
  test('the same with another archive', () => withFolder((folder) => tellStory(folder, otherArchive)), 600_000)
}

async function tellStory(folder: string, archive: string): Promise<void> {
  const db = join(folder, 'store.db')
  expect((await importInto(db, archive)).exitCode).toBe(0)
  const files = await exportFiles(db, join(folder, 'before'))
  const server = await startServer({ db, args: ['--threads', '1'] })
  const send: Send = async (method, path, body) => {
    const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${server.url}/api/v2/${path}`, init)
    const value = (await answer.json()) as JsonObject // every answer is one
    expect([answer.ok, value]).toEqual([true, expect.anything()])
    return value
  }
  try {
    const before = await readEverything(send)
    const batches = [
      ...(await mergeVariants(send, 'speaker')),
      ...(await mergeVariants(send, 'tag')),
      await addTag(send),
      await change(send, 'state=1', { state: 2 }),
      await change(send, 'state=2', { state: 1 }),
    ]
    expect(await readEverything(send)).not.toEqual(before)
    for (const batch of batches.reverse()) {
      expect(await send('POST', `batches/${batch}/undo`)).toMatchObject({ state: 'done', refused: [], left: [] })
    }
    expect(await readEverything(send)).toEqual(before)
  } finally {
    await server.stop()
  }
  expect(await exportFiles(db, join(folder, 'after'))).toEqual(files)
}

/** Each group into the name that is used most. Returns the batches. */
async function mergeVariants(send: Send, kind: 'speaker' | 'tag'): Promise<number[]> {
  const batches: number[] = []
  for (let group = await findGroup(send, kind); group !== undefined; group = await findGroup(send, kind)) {
    const [kept, ...others] = group.names.toSorted((a, b) => b.count - a.count)
    if (kept === undefined || others.length === 0) throw new Error(`a group of one: ${JSON.stringify(group)}`)
    for (const { id } of others) {
      const merged = await send('POST', `${kind}/${id}/merge`, { into: kept.id })
      expect(merged).toMatchObject({ state: 'done', refused: [] })
      batches.push(Number(merged.id))
    }
  }
  expect(batches).not.toBeEmpty()
  return batches
}

async function findGroup(send: Send, kind: 'speaker' | 'tag'): Promise<Group | undefined> {
  const { results } = await send('GET', `${kind}/variants`)
  return (results as unknown as readonly Group[])[0] // the shape that the contract gives
}

/** To the records that have the tag which is used most. */
async function addTag(send: Send): Promise<number> {
  const { results } = await send('GET', 'tag?page_size=100')
  const tags = (results as unknown as readonly Entry[]).toSorted((a, b) => b.count - a.count) // as in the contract
  return change(send, `tag_id=${tags[0]?.id}`, { tags: { add: ['seen by the curator'] } })
}

/** As a curator does it: look first, then change what was looked at. */
async function change(send: Send, query: string, patch: object): Promise<number> {
  const wanted = { select: { query }, patch, reason: 'spring cleaning' }
  const tried = await send('POST', 'batches?dry_run=1', wanted)
  expect(tried).toMatchObject({ id: null, refused: [] })
  const sure = { ...wanted, expect: tried.total, as_of: tried.as_of }
  const done = await send('POST', 'batches', sure)
  expect(done).toMatchObject({ state: 'done', changed: tried.changed, reason: 'spring cleaning' })
  expect(done.changed).toBeGreaterThan(0)
  return Number(done.id)
}

/** All records without the time of their last change, and all names. */
async function readEverything(send: Send) {
  const records = (await readAll(send, 'video?ordering=id')).map(({ updated: _, ...record }) => record)
  return { records, speakers: await readAll(send, 'speaker'), tags: await readAll(send, 'tag') }
}

async function readAll(send: Send, list: string): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  const sign = list.includes('?') ? '&' : '?'
  for (let page = 1; page <= 1000; page++) {
    const { results, next } = await send('GET', `${list}${sign}page_size=100&page=${page}`)
    all.push(...(results as unknown as readonly JsonObject[])) // objects in every list
    if (next === null) return all
  }
  throw new Error(`${list} has too many pages`)
}

async function exportFiles(db: string, out: string) {
  const { exitCode, stderr } = await exportFrom(db, 'pyvideo', out)
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  return listFiles(out).map((path) => [path, readFileSync(join(out, path), 'utf8')])
}

const speakers = [
  'Ada Quill',
  'ADA QUILL',
  'Ada  Quill',
  'Zoë Marsh',
  'Zoe Marsh',
  'Marsh, Zoe',
  'Ben Stone',
  'B. Stone',
]
const tags = ['harbours', 'Harbours', 'tides', 'knots']

/** Talks whose names are spelled in several ways. */
function writeArchive(root: string): string {
  writeTalk(root, 'harbour-2024/category.json', { title: 'Harbour 2024' })
  writeTalk(root, 'lighthouse-2023/category.json', { title: 'Lighthouse 2023' })
  for (let number = 1; number <= 48; number++) {
    const folder = number % 3 === 0 ? 'lighthouse-2023' : 'harbour-2024'
    writeTalk(root, `${folder}/videos/talk-${number}.json`, {
      title: `Talk ${number} about the sea`,
      slug: `talk-${number}`,
      description: `What we saw on day ${number}.\r\nAnd at night.`,
      recorded: `2024-05-${String(1 + (number % 28)).padStart(2, '0')}`,
      speakers: pick(speakers, number, number * 5 + 3),
      tags: pick(tags, number, number + 2),
      videos: [{ type: 'youtube', url: `https://www.youtube.com/watch?v=harbour${String(number).padStart(4, '0')}` }],
    })
  }
  return root
}

const pick = (names: readonly string[], ...numbers: readonly number[]) => [
  ...new Set(numbers.map((number) => names[number % names.length] ?? '')),
]
