import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createRandom } from '../../../bench/generated/random.ts'
import { type ColumnsCopy, copyColumns } from '../../../src/store/columns/columns-copy.ts'
import { createRecordData } from '../../../src/store/columns/record-data.ts'
import { createSegment } from '../../../src/store/search/segment.ts'
import { createWordsIndex } from '../../../src/store/search/words-index.ts'
import { type Captured, capture } from '../../../src/store/snapshot/capture.ts'
import { restoreSnapshot } from '../../../src/store/snapshot/restore-snapshot.ts'
import { writeSnapshot } from '../../../src/store/snapshot/write-snapshot.ts'
import { runs } from '../../harness/runs.ts'
import { createSnapshotFolder, schema, toTalk } from './indexed-store.ts'

const change = { seq: 60, id: 59, at: '2026-01-01T00:00:00.000' } as const
const storeId = 'the-store'
const talkCount = 60
const random = createRandom(19)

const folder = createSnapshotFolder()
const path = folder.path
afterAll(() => folder.remove())

/** Indexes of a few records; some have been changed or erased. */
function createIndexes() {
  const [data, index] = [createRecordData(), createWordsIndex()]
  for (let id = 1; id <= talkCount; id++) {
    const { state, language, recorded, duration } = toTalk(id)
    const row = {
      id: 3 * id,
      state: state ?? 1,
      category: id % 7,
      language: language ?? '',
      media: id % 4,
      liveSeq: id,
      quality: id % 100,
      host: `host${id % 3}.example.org`,
      author: `author ${id % 4}`,
      added: change.at,
      updated: change.at,
      video: id % 5 === 0 ? '' : `https://example.org/${id % 30}`,
    }
    data.set(
      { ...row, recorded: recorded ?? null, duration: duration ?? null },
      [id, 500],
      id % 2 === 0 ? [] : [id % 5],
    )
    index.put(data.slots.toSlot(3 * id), toRecord(id))
    if (id % 20 === 0) index.segments()
  }
  for (const id of [3, 30, 177]) {
    index.remove(data.slots.toSlot(id))
    data.remove(id)
  }
  index.put(data.slots.toSlot(6), toRecord(1_000))
  return { data, index }
}

// Whatever words are made of; the other fields do not matter here.
const toRecord = (id: number) =>
  ({ description: '', ...toTalk(id) }) as Parameters<ReturnType<typeof createWordsIndex>['put']>[1]

const noCheck = () => undefined
const write = (to: string, captured: Captured) => writeSnapshot(to, captured, { schema, storeId }, noCheck)
const captureAll = ({ data, index }: ReturnType<typeof createIndexes>) =>
  capture({ lastChange: () => change, copy: () => copyColumns(data) }, index)

let written = 0
/** What can be restored from a file, as the bytes of another snapshot; null if nothing can. */
async function restore(from: string): Promise<Buffer | null> {
  const [data, index] = [createRecordData(), createWordsIndex()]
  const needs = { path: from, schema, index, readStoreId: async () => storeId, onBad: () => undefined }
  const steps = restoreSnapshot(needs, data)
  for (;;) {
    const { done, value } = await steps.next()
    if (done !== true) continue
    if (value === null) return null
    for (const segment of index.segments()) expect(segment.titles).toEqual(createSegment({ ...segment }).titles)
    const again = `${path}.${written++}`
    await write(again, { ...captureAll({ data, index }), change: value })
    return readFileSync(again)
  }
}

let bytes: Buffer
beforeAll(async () => {
  const first = `${path}.first`
  await write(first, captureAll(createIndexes()))
  // Words that no record has any more have no numbers in what was restored.
  bytes = (await restore(first)) ?? Buffer.alloc(0)
  writeFileSync(path, bytes)
})

test('what was restored is written as the same bytes', async () => {
  expect(bytes.length).toBeGreaterThan(10_000)
  expect((await restore(path))?.equals(bytes)).toBe(true)
})

test('a flipped bit anywhere makes the file useless, or makes no difference', async () => {
  const offsets = [...Array(64).keys(), ...Array.from({ length: runs(400) }, () => random.below(bytes.length))]
  for (const offset of offsets) {
    const damaged = Buffer.from(bytes)
    damaged[offset] = (damaged[offset] ?? 0) ^ (1 << random.below(8))
    writeFileSync(`${path}.damaged`, damaged)
    const restored = await restore(`${path}.damaged`)
    expect([offset, restored === null || restored.equals(bytes)]).toEqual([offset, true])
  }
})

test('a file that was cut short or continued is useless', async () => {
  for (let run = 0; run < runs(60); run++) {
    writeFileSync(`${path}.cut`, bytes)
    truncateSync(`${path}.cut`, run < 3 ? run * 63 : random.below(bytes.length))
    expect(await restore(`${path}.cut`)).toBeNull()
  }
  writeFileSync(`${path}.cut`, Buffer.concat([bytes, Buffer.from('x')]))
  expect(await restore(`${path}.cut`)).toBeNull()
})

test('other files are useless', async () => {
  for (const other of ['', 'x', 'SQLite format 3\0'.repeat(100)]) {
    writeFileSync(`${path}.other`, other)
    expect(await restore(`${path}.other`)).toBeNull()
  }
  expect(await restore(`${path}.missing`)).toBeNull()
  expect(await restore(`${path}/below`)).toBeNull()
  expect(await restore('/')).toBeNull()
})

type Spoil = (captured: Captured) => Captured

const inColumns = (spoil: (columns: ColumnsCopy) => Partial<ColumnsCopy>): Spoil => {
  return (captured) => ({ ...captured, columns: { ...captured.columns, ...spoil(captured.columns) } })
}
const inSegment = (spoil: (segment: Captured['segments'][number]['segment']) => object): Spoil => {
  return (captured) => ({
    ...captured,
    segments: captured.segments.map(({ segment, dead }, i) => ({
      dead: new Uint8Array(dead.length),
      segment: i > 0 ? segment : { ...segment, ...spoil(segment) },
    })),
  })
}
const put = <Numbers extends { slice(): Numbers; fill(value: number, from: number, to: number): Numbers }>(
  numbers: Numbers,
  at: number,
  value: number,
) => numbers.slice().fill(value, at, at + 1)

const spoils: { readonly [name: string]: Spoil } = {
  'a state that does not exist': inColumns(({ states }) => ({ states: put(states, 5, 3) })),
  'a language that does not exist': inColumns(({ languages }) => ({ languages: put(languages, 5, 99) })),
  'the same id twice': inColumns(({ ids }) => ({ ids: put(ids, 5, 3 * 2) })),
  'an id that is none': inColumns(({ ids }) => ({ ids: put(ids, 5, Number.NaN) })),
  'a column that is too short': inColumns(({ days }) => ({ days: days.slice(1) })),
  'a list outside': inColumns(({ speakers }) => ({
    speakers: { ...speakers, starts: put(speakers.starts, 5, 1_000_000) },
  })),
  'a list that is too long': inColumns(({ speakers }) => ({
    speakers: { ...speakers, lists: put(speakers.lists, speakers.starts[5] ?? 0, 1_000_000) },
  })),
  'a record without words': (captured) => ({ ...captured, segments: captured.segments.slice(1) }),
  'a record in two segments': (captured) => ({ ...captured, segments: [...captured.segments, ...captured.segments] }),
  'words of an erased record': inColumns(({ states }) => ({ states: put(states, 5, 0) })),
  'a slot outside': inSegment(({ slots }) => ({ slots: put(slots, 0, 5_000) })),
  'a position outside': inSegment(({ positions }) => ({ positions: put(positions, 9, 60_000) })),
  'a position of a title outside': inSegment(({ titles }) => ({
    titles: { ...titles, positions: put(titles.positions, 2, 60_000) },
  })),
  'titles that descend': inSegment(({ titles }) => ({ titles: { ...titles, starts: put(titles.starts, 3, 900) } })),
  'starts that descend': inSegment(({ starts }) => ({ starts: put(starts, 9, 0) })),
  'starts that end too early': inSegment(({ starts }) => ({ starts: starts.slice(0, -1) })),
  'words that descend': inSegment(({ words }) => ({ words: words.slice().reverse() })),
  'fewer occurrences than positions': inSegment(({ occurrences }) => ({ occurrences: occurrences.slice(1) })),
}

test.each(Object.keys(spoils))('%s makes a file useless, even with the right checksums', async (name) => {
  const spoiled = spoils[name]?.(captureAll(createIndexes()))
  if (spoiled === undefined) throw new Error(name)
  await write(`${path}.spoiled-${name}`, spoiled)
  expect(await restore(`${path}.spoiled-${name}`)).toBeNull()
})
