import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../../bench/generated/random.ts'
import type { Command } from '../../../src/record/command.ts'
import { facetNames, parseListQuery } from '../../../src/record/query/query.ts'
import type { Changes } from '../../../src/record/record.ts'
import type { MemoryIndexes } from '../../../src/store/search/memory-indexes.ts'
import type { SnapshotDeps } from '../../../src/store/search/words-loader.ts'
import type { ListStore } from '../list-stores.ts'

export const author = { name: 'test', role: 'admin' } as const
/** As many as a store must have to get a snapshot. */
export const recordCount = 1_100

const words = [
  'needle',
  'hay',
  'stack',
  'straße',
  'игла',
  '針',
  'バーン',
  'ｗｉｄｅ',
  'C++',
  '3.12',
  'naïve',
  '😀',
  'don’t',
]

function toTalk(number: number): Changes {
  const random = createRandom(number)
  const some = (count: number) => Array.from({ length: count }, () => words[random.below(words.length)])
  return {
    title: `Talk ${number} ${some(3).join(' ')}`,
    summary: `unique${number} ${some(6).join(' ')}`,
    category: `Event ${random.below(5)}`,
    state: random.percent(20) ? 2 : 1,
    language: ['', 'English', 'Welsh'][random.below(3)] ?? '',
    speakers: [`Speaker ${random.below(50)}`, `Speaker ${50 + random.below(50)}`],
    tags: random.percent(50) ? [] : [`tag${random.below(9)}`],
    recorded: random.percent(10) ? null : `20${10 + random.below(15)}-0${1 + random.below(9)}-11`,
    duration: random.percent(10) ? null : random.below(9_000),
    source_url: random.percent(30) ? '' : `https://host${random.below(3)}.example.org/${random.below(900)}`,
    whiteboard: random.percent(10) ? 'look' : '',
  }
}

export const create = (number: number): Command => ({ kind: 'create', author, changes: toTalk(number) })

export async function run(store: ListStore, ...commands: Command[]): Promise<void> {
  const outcomes = await store.writer.run(commands, new Set())
  if (outcomes === 'busy' || outcomes.some(({ is }) => is !== 'stored')) throw new Error('a record was not stored')
}

export function createSnapshotFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-snapshot-'))
  return { path: join(folder, 'store.search'), remove: () => rmSync(folder, { recursive: true }) }
}

/** What a query thread would have; reports are collected. */
export function toDeps(store: ListStore, path: string, reports: unknown[], more: Partial<SnapshotDeps> = {}) {
  const { readStoreId } = store
  const deps: SnapshotDeps = {
    ...{ path, readStoreId, isOwnName: true, isWriter: true },
    changesCounter: () => Number.NaN,
    report: (error) => void reports.push(error),
    intervals: { lookMs: 20, writeMs: 0 },
  }
  return { ...deps, ...more }
}

/** Loads everything; whether the words came from a snapshot. */
export async function load({ columns, ranked, nameLoader, words: index, snapshot }: MemoryIndexes): Promise<boolean> {
  while (await columns.loadSome());
  await ranked.loadSome()
  // The first step does nothing else.
  const isRestored = snapshot !== null && index.dictionary.size() > 0
  for (let step = 0; !ranked.isComplete() && step < 10_000; step++) await ranked.loadSome()
  while (await nameLoader.loadSome());
  return isRestored
}

/** Runs the steps of an idle thread until `isDone`. */
export async function idle({ columns, ranked, snapshot }: MemoryIndexes, isDone: () => boolean): Promise<void> {
  for (let step = 0; !isDone(); step++) {
    if (step === 10_000) throw new Error('nothing happens')
    const work = [columns, ranked, snapshot].find((each) => each?.isComplete() === false)
    await (work === undefined || work === null ? Bun.sleep(1) : work.loadSome())
    await Bun.sleep(0)
  }
}

export const isWritten = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
export const untilWritten = (indexes: MemoryIndexes, path: string) => idle(indexes, () => isWritten(path))
export const hasWord = (path: string, word: string) => isWritten(path) && readFileSync(path).includes(word)

const asks = [
  'q=needle&match=best',
  'q=neadle+stak&match=best',
  'q=игла&match=best',
  'q=針&match=best',
  'q=unique77&match=best',
  'q=uniqu&match=best',
  'q=c%2B%2B+3.12&match=best',
  'q=%22hay+stack%22&match=best',
  'speaker=speaker+7',
  'tag=tag3&language=Welsh',
  'category=event-2&recorded_after=2015-01-01',
  'missing=tags',
  'missing=language,tags',
  'finding=same_video',
  'finding=same_video&missing=tags',
  'whiteboard=0',
  'whiteboard=1&by=test',
  'by=test',
  'host=host1.example.org',
  'added_after=2020-01-01&missing=recorded',
  '',
]

/** The answers to lists of all kinds. */
export async function ask(store: ListStore, indexes: MemoryIndexes): Promise<unknown[]> {
  const list = store.createList(indexes)
  const pages: unknown[] = []
  for (const visibility of ['all', 'live'] as const) {
    for (const each of asks) {
      const parsed = parseListQuery(new URLSearchParams(`${each}&facets=${facetNames}&fields=id`), visibility)
      if (!parsed.ok) throw new Error(each)
      pages.push([each, visibility, await list(parsed.query)])
    }
  }
  return pages
}
