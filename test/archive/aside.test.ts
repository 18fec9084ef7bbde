import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PreparedEntry } from '../../src/archive/prepared.ts'
import { openInWorker } from '../../src/archive/read-in-worker.ts'
import type { IdleSignal, OpenedSource } from '../../src/archive/source.ts'
import { dumpStart } from '../../src/store/maintain/dump/dump-start.ts'
import { readingThread } from '../../src/thread-programs.ts'
import { withFolder } from '../faults/scratch.ts'
import { talksFolder } from './command.ts'
import { writeManyTalks } from './talk-files.ts'

const begin = (given: string, worker = new Worker(readingThread)) => openInWorker(worker, given, dumpStart)

async function readAll(opened: OpenedSource): Promise<readonly (PreparedEntry | IdleSignal)[]> {
  if (opened.is !== 'source') throw new Error(`no source, but ${opened.is}`)
  const all: (PreparedEntry | IdleSignal)[] = []
  for await (const each of opened.all()) all.push(each)
  return all
}

test('a thread reads all talks in order, with their words, and says when there is nothing yet', () =>
  withFolder(async (folder) => {
    writeManyTalks(folder, 300)
    const opened = await begin(folder)
    expect(opened).toMatchObject({ is: 'source', total: 300 })
    const all = await readAll(opened)
    const talks = all.flatMap((each) => (each.is === 'talk' ? [each] : []))
    expect(talks.map(({ slug }) => slug)).toEqual(Array.from({ length: 300 }, (_, i) => `talk-${i + 1}`))
    expect(talks[41]).toMatchObject({ words: { title: 'talk 42', category: 'many' }, kept: { values: { number: 42 } } })
    expect(all).toContainEqual({ is: 'lull' })
  }))

test('it reads no further ahead than it may', () =>
  withFolder(async (folder) => {
    const line = JSON.stringify({ title: 'Talk', category: 'Event', description: 'x'.repeat(90_000) })
    const file = join(folder, 'talks.ndjson')
    writeFileSync(file, Array(400).fill(line).join('\n'))
    const worker = new Worker(readingThread)
    let length = 0
    worker.addEventListener('message', ({ data }: MessageEvent<{ text?: string }>) => {
      length += data.text?.length ?? 0
    })
    const opened = await begin(file, worker)
    await Bun.sleep(1_500)
    // 72 million letters in all; eight and the part with which it was enough.
    expect(length).toBeGreaterThan(8_000_000)
    expect(length).toBeLessThan(16_000_000)
    expect((await readAll(opened)).filter(({ is }) => is === 'talk')).toHaveLength(400)
  }))

test('what it fails with over there is thrown here, with its code', async () => {
  const worker = new Worker(readingThread)
  const opened = await begin(talksFolder, worker)
  const failure = { is: 'failed', text: 'no room', code: 'ENOSPC' }
  worker.dispatchEvent(new MessageEvent('message', { data: failure }))
  await expect(readAll(opened)).rejects.toMatchObject({ message: 'no room', code: 'ENOSPC' })
})

test('whether a source still has a path is known here', async () => {
  const opened = await begin(talksFolder)
  if (opened.is !== 'source') throw new Error('no source')
  const paths = (await readAll(opened)).flatMap((each) => (each.is === 'talk' ? [each.path] : []))
  expect(paths.length).toBeGreaterThan(2)
  expect([...paths, 'nowhere/videos/none.json'].map(opened.has)).toEqual([...paths.map(() => true), false])
})

test('what is no source is told as such', async () => {
  expect(await begin(join(talksFolder, 'is-not-there'))).toMatchObject({ is: 'refused' })
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'dump'), `${dumpStart}}`)
    expect(await begin(join(folder, 'dump'))).toEqual({ is: 'dump' })
  })
})
