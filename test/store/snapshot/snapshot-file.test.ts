import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createRandom } from '../../../bench/generated/random.ts'
import { readSnapshot, toContent, wipeSnapshot, writeSnapshot } from '../../../src/store/search/snapshot-file.ts'
import { runs } from '../../harness/runs.ts'
import { createSnapshotFolder } from './indexed-store.ts'

const random = createRandom(19)
const folder = createSnapshotFolder()
const { path } = folder
afterAll(() => folder.remove())

const own = { path, isOwnName: true }
const max = 1 << 20
const value = {
  words: Array.from({ length: 2_000 }, (_, i) => `word${i}`),
  numbers: Uint32Array.from({ length: 5_000 }, (_, i) => i * i),
  at: 'straße 針',
}

/** What can be read from these bytes; null if nothing can. */
function read(bytes: Uint8Array): Promise<unknown> {
  writeFileSync(`${path}.read`, bytes)
  return readSnapshot(`${path}.read`, max).catch(() => null)
}

let bytes: Buffer
beforeAll(async () => {
  await writeSnapshot(own, toContent(value))
  bytes = readFileSync(path)
})

test('what was written is read', async () => {
  expect(await readSnapshot(path, max)).toEqual(value)
})

test('a flipped bit anywhere makes the file useless', async () => {
  const offsets = [...Array(64).keys(), ...Array.from({ length: runs(1_000) }, () => random.below(bytes.length))]
  for (const offset of offsets) {
    const damaged = Buffer.from(bytes)
    damaged[offset] = (damaged[offset] ?? 0) ^ (1 << random.below(8))
    expect([offset, await read(damaged)]).toEqual([offset, null])
  }
})

test('a file that was cut short is useless, also by a crash while another is written over it', async () => {
  for (let run = 0; run < runs(200); run++) {
    const end = run < 3 ? run * 31 : random.below(bytes.length)
    expect(await read(bytes.subarray(0, end))).toBeNull()
    const other = Buffer.from(bytes)
    for (let at = 32; at < end; at++) other[at] = random.below(256)
    if (end > 40) expect(await read(other)).toBeNull()
    expect(await read(Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(24), bytes.subarray(32)]))).toBeNull()
  }
})

test('other files are useless', async () => {
  for (const other of ['', 'x', 'SQLite format 3\0'.repeat(100)]) expect(await read(Buffer.from(other))).toBeNull()
  expect(await readSnapshot(`${path}.missing`, max)).toBeNull()
  for (const other of [`${path}/below`, '/', '/dev/zero']) expect(readSnapshot(other, max)).rejects.toThrow()
})

test('a file that is larger than plausible is not read', async () => {
  expect(readSnapshot(path, bytes.length - 1)).rejects.toThrow('plausible size')
  writeFileSync(`${path}.large`, bytes)
  truncateSync(`${path}.large`, 2 ** 40)
  expect(readSnapshot(`${path}.large`, max)).rejects.toThrow('plausible size')
})

test('nothing is left of a longer one that was written over', async () => {
  await writeSnapshot(own, toContent({ words: ['few'] }))
  expect(await readSnapshot(path, max)).toEqual({ words: ['few'] })
  expect(statSync(path).size).toBe(bytes.length)
  expect(readFileSync(path).includes('word7')).toBe(false)
  await writeSnapshot(own, toContent(value))
  expect(await readSnapshot(path, max)).toEqual(value)
})

test('a wiped one is empty, and is written again', async () => {
  await wipeSnapshot(own)
  expect([statSync(path).size, await readSnapshot(path, max)]).toEqual([0, null])
  await wipeSnapshot(own)
  await writeSnapshot({ path, isOwnName: false }, toContent(value))
  expect(await readSnapshot(path, max)).toEqual(value)
})

test('links and what is too large are removed if the name is ours, and stay otherwise', async () => {
  const target = `${path}.target`
  writeFileSync(target, bytes)
  for (const isOwnName of [false, true]) {
    for (const work of [wipeSnapshot, (place: typeof own) => writeSnapshot(place, toContent(value))]) {
      const [link, large] = [1, 2].map((each) => `${path}.${each}.${isOwnName}.${work.name}`) as [string, string]
      symlinkSync(target, link)
      writeFileSync(large, bytes)
      truncateSync(large, 2 ** 40)
      for (const each of [link, large]) await work({ path: each, isOwnName }).catch(() => undefined)
      expect(existsSync(link) && readFileSync(link).equals(bytes)).toBe(!isOwnName || work !== wipeSnapshot)
      expect((statSync(large, { throwIfNoEntry: false })?.size ?? 0) > max).toBe(!isOwnName)
    }
  }
  expect(readFileSync(target).equals(bytes)).toBe(true)
})
