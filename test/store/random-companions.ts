import { expect } from 'bun:test'
import fc from 'fast-check'
import type { Author } from '../../src/record/role.ts'
import { checkCompanions } from '../../src/store/companion/check-companions.ts'
import type { Database } from '../../src/store/database.ts'
import { checkLinkUses } from '../../src/store/link/check-link-uses.ts'
import { checkBatches } from '../../src/store/maintain/check/leftovers.ts'
import { checkBodies, checkVersions } from '../../src/store/maintain/check/records.ts'
import { exportDump } from '../../src/store/maintain/dump/dump-export.ts'
import { createDumpImport } from '../../src/store/maintain/dump/dump-import.ts'
import { moveStore } from '../../src/store/maintain/move-store.ts'
import { createRecordReader } from '../../src/store/read/record.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

export const talks = 2
export const word = fc.constantFrom('a', 'b', 'c')
export const ann = { name: 'ann', role: 'publisher' } as const
const bob = { name: 'bob', role: 'publisher' } as const
export const anyAuthor = fc.constantFrom<Author>(ann, bob)
export const anyTalk = fc.nat(talks - 1)
/** What of a talk can change. */
export const names = ['title', 'related', 'chapters', 'transcripts/en'] as const
export type Values = { readonly [N in Name]: string }
export type Name = (typeof names)[number]

export const toUrl = (name: string) => `https://example.org/${name}`
export const toUrls = (urls: readonly string[]) => urls.join()
export const toLinks = (urls: string) => ({
  links: (urls === '' ? [] : urls.split(',')).map((each) => ({ url: toUrl(each), kind: 'other' })),
})

export const toParts = (titles: readonly string[]) => ({ chapters: titles.map((title, start) => ({ start, title })) })

export const engines = { SQLite: openSqliteStore, PostgreSQL: openPostgresStore }

export async function readValues(db: Database, id: number): Promise<Values> {
  const reader = createRecordReader(db)
  const stored = await reader.read(id)
  const { content: related } = await reader.readCompanion(id, 'related')
  const { content: chapters } = await reader.readCompanion(id, 'chapters')
  const { content: transcript } = await reader.readCompanion(id, 'transcripts/en')
  const urls = (related as { links: { url: string }[] }).links.map(({ url }) => url.slice(toUrl('').length))
  const titles = (chapters as { chapters: { title: string }[] }).chapters.map(({ title }) => title)
  return {
    title: JSON.parse(Buffer.from(stored?.body ?? []).toString()).title,
    related: urls.join(),
    chapters: titles.join(),
    'transcripts/en': (transcript as { cues: { text: string }[] }).cues.map(({ text }) => text).join(),
  }
}

export async function listProblems(db: Database): Promise<unknown[]> {
  const found: unknown[] = []
  for (const check of [
    checkCompanions,
    checkBodies,
    checkBatches,
    checkLinkUses,
    (one: Database) => checkVersions(one, () => undefined),
  ])
    for await (const problem of check(db)) found.push(problem)
  return found
}

async function readDump(db: Database): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportDump(db)) lines.push(line)
  return lines
}

/** Copies a store both ways, by a dump and by a move; both must have the same in them. */
export async function expectCopies(store: ListStore, open: () => Promise<ListStore>): Promise<void> {
  const lines = await readDump(store.writing)
  const [dumped, moved] = [await open(), await open()]
  await dumped.writing.transaction('write', async () => {
    const dump = createDumpImport(dumped.writing)
    for (const line of lines) await dump.take(Buffer.from(line))
    await dump.finish(() => undefined)
  })
  expect(await readDump(dumped.writing)).toEqual(lines)
  const silent = { onStage: () => undefined, onStep: () => undefined }
  await store.writing.transaction('read', () =>
    moved.writing.transaction('write', () => moveStore(store.writing, moved.writing, silent)),
  )
  expect(await readDump(moved.writing)).toEqual(lines)
  for (const copy of [dumped, moved]) {
    expect(await listProblems(copy.writing)).toEqual([])
    await copy.remove()
  }
}
