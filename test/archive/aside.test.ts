import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginReading, type Lull, type Reading } from '../../src/archive/aside.ts'
import type { Prepared } from '../../src/archive/prepared.ts'
import { dumpStart } from '../../src/store/sql/dump-start.ts'
import { readingThread } from '../../src/thread-programs.ts'
import { withFolder } from '../faults/scratch.ts'
import { talksFolder } from './command.ts'
import { writeManyTalks } from './talk-files.ts'

const begin = (given: string) => beginReading(new Worker(readingThread), given, dumpStart)

async function readAll(reading: Reading): Promise<readonly (Prepared | Lull)[]> {
  const all: (Prepared | Lull)[] = []
  for await (const each of reading.all()) all.push(each)
  return all
}

test('a thread reads all talks in order, with their words, and says when there is nothing yet', () =>
  withFolder(async (folder) => {
    writeManyTalks(folder, 300)
    const all = await readAll(begin(folder))
    const talks = all.flatMap((each) => (each.is === 'talk' ? [each] : []))
    expect(talks.map(({ slug }) => slug)).toEqual(Array.from({ length: 300 }, (_, i) => `talk-${i + 1}`))
    expect(talks[41]).toMatchObject({ words: { title: 'talk 42', category: 'many' }, kept: { values: { number: 42 } } })
    expect(all[0]).toEqual({ is: 'lull' })
  }))

test('it reads no further ahead than it may', () =>
  withFolder(async (folder) => {
    const line = JSON.stringify({ title: 'Talk', category: 'Event', description: 'x'.repeat(90_000) })
    const file = join(folder, 'talks.ndjson')
    writeFileSync(file, Array(400).fill(line).join('\n'))
    const worker = new Worker(readingThread)
    const reading = beginReading(worker, file, dumpStart)
    let length = 0
    worker.addEventListener('message', ({ data }: MessageEvent<{ text?: string }>) => {
      length += data.text?.length ?? 0
    })
    await Bun.sleep(1_500)
    // 72 million letters in all; eight and the part with which it was enough.
    expect(length).toBeGreaterThan(8_000_000)
    expect(length).toBeLessThan(16_000_000)
    expect((await readAll(reading)).filter(({ is }) => is === 'talk')).toHaveLength(400)
  }))

test('what it fails with over there is thrown here, with its code', async () => {
  const worker = new Worker(readingThread)
  const reading = beginReading(worker, talksFolder, dumpStart)
  const failure = { is: 'failed', text: 'no room', code: 'ENOSPC' }
  worker.dispatchEvent(new MessageEvent('message', { data: failure }))
  await expect(readAll(reading)).rejects.toMatchObject({ message: 'no room', code: 'ENOSPC' })
})

test('a source that is none any more fails', async () => {
  await expect(readAll(begin(join(talksFolder, 'is-not-there')))).rejects.toThrow('has changed')
})
