import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/record/command.ts'
import type { Completion, CompletionQuery, Completions } from '../../src/record/query/completion.ts'
import { type ListQuery, parseListQuery } from '../../src/record/query/query.ts'
import { fromBodyText } from '../../src/record/record.ts'
import type { Visibility } from '../../src/record/state.ts'
import { createHighlighter, type Highlight, toHits } from '../../src/record/text/highlight.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createCompletion } from '../../src/store/completion/completion.ts'
import type { Database } from '../../src/store/database.ts'
import type { ListPage } from '../../src/store/list-reads.ts'
import { eraseRecord } from '../../src/store/maintain/erase.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import {
  createIndexes as createPostgresIndexes,
  createList as createPostgresList,
} from '../../src/store/postgres/list.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { createWriter as createPostgresWriter } from '../../src/store/postgres/writer.ts'
import type { ListDeps } from '../../src/store/read/list/list.ts'
import type { MemoryIndexes } from '../../src/store/search/memory-indexes.ts'
import { createDatabase, openForReading, openForWriting } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { createIndexes as createSqliteIndexes, createList as createSqliteList } from '../../src/store/sqlite/list.ts'
import { createWriter as createSqliteWriter } from '../../src/store/sqlite/writer.ts'
import type { Writer } from '../../src/store/write/command-writer.ts'
import { fail } from '../contract/service.ts'
import { createDatabase as createPostgresDatabase } from '../harness/fresh-store.ts'

/** A list request: its parameters, and who asks. */
export interface Asked {
  readonly parameters: string
  readonly visibility: Visibility
}

/** What the store answers, and where the search matches in each record. */
export type Answer =
  | { readonly refused: string }
  | (Omit<ListPage, 'hits' | 'records' | 'facets'> & {
      /** As the API gives them: ids and slugs of names depend on the order in which they came. */
      readonly facets: object | null
      readonly records: readonly string[] | null
      readonly highlights: readonly Highlight[]
    })

/** A store on one of the engines, without threads and HTTP. */
export interface SearchEngine {
  readonly name: string
  write(...commands: readonly Command[]): Promise<void>
  erase(id: number): Promise<void>
  /**
   * Asks the list that has followed every change since the last restart; repeated while its order is provisional. Rejects
   * after so many steps.
   */
  ask(asked: Asked, maxSteps?: number): Promise<Answer>
  /** All suggestions: repeated until none is missing because records have not been looked at. */
  suggest(asked: CompletionQuery, maxSteps?: number): Promise<Completions>
  /** Forgets all that is in memory. */
  restart(): void
  close(): Promise<void>
}

interface Parts {
  readonly name: string
  readonly db: Database
  readonly writing: Database
  createWriter(now: () => number): Writer
  createIndexes(db: Database, options: { onStep(): void }): MemoryIndexes
  createList(deps: ListDeps): ReturnType<typeof createSqliteList>
  close(): Promise<void>
}

const maxRepeats = 100
export const outOfTime = 'the query took too many steps'

const firstMs = Date.UTC(2024, 0, 1)

function createEngine({ name, db, writing, createWriter, createIndexes, createList, close }: Parts): SearchEngine {
  let clockMs = firstMs
  let changes = 0
  // The same on all engines, so that their records are equal to the last byte.
  const writer = createWriter(() => ++clockMs)
  let stepsLeft = Number.POSITIVE_INFINITY
  const onStep = () => void (stepsLeft-- > 0 || fail(outOfTime))
  function open() {
    const indexes = createIndexes(db, { onStep })
    const deps = { db, indexes, changesCounter: () => changes, onStep }
    return { indexes, list: createList(deps), ...createCompletion(deps) }
  }
  let readers = open()

  async function write(...commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      const outcomes = await writer.run([command], new Set())
      const refused = outcomes === 'busy' || outcomes.some(({ is }) => is === 'refused' || is === 'failed')
      if (refused) fail(`${name}: ${JSON.stringify(command)} became ${JSON.stringify(outcomes)}`)
    }
    changes++
  }

  async function askFinal(query: ListQuery): Promise<ListPage> {
    for (let time = 0; ; time++) {
      const page = await readers.list(query)
      // On a busy machine, a search may have no time to look at all changes.
      const isFinal = page.isProvisional === undefined && page.countIs === undefined
      if (isFinal || time === maxRepeats) return page
      stepsLeft = Number.POSITIVE_INFINITY
      const { columns, ranked } = readers.indexes
      await (columns.isComplete() ? ranked : columns).loadSome()
    }
  }

  /** One step of what a query thread does between two requests. */
  async function runBackground(): Promise<void> {
    stepsLeft = Number.POSITIVE_INFINITY
    const { columns, ranked } = readers.indexes
    if (columns.isComplete() && !ranked.isComplete()) await ranked.loadSome()
  }

  return {
    name,
    write,
    async erase(id) {
      if (!(await eraseRecord(writing, id, toTimestamp(++clockMs)))) fail(`${name}: there is no record ${id}`)
      changes++
    },
    async ask({ parameters, visibility }, maxSteps = Number.POSITIVE_INFINITY) {
      stepsLeft = maxSteps
      const parsed = parseListQuery(new URLSearchParams(parameters), visibility)
      if (!parsed.ok) return { refused: parsed.problem }
      const { filters, match } = parsed.query
      const { hits, isProvisional: _, ...page } = await askFinal(parsed.query)
      await runBackground()
      const found = filters.search === undefined ? null : (hits ?? toHits(filters.search))
      const highlight = found === null ? null : createHighlighter(found, match)
      const records = page.records ?? []
      const isWhole = parsed.query.fields === null
      const highlights = highlight === null || !isWhole ? [] : records.map((text) => highlight(fromBodyText(text)))
      return { ...page, facets: page.facets && toServedFacets(page.facets), highlights }
    },
    async suggest(asked, maxSteps = Number.POSITIVE_INFINITY) {
      for (let time = 0; time < maxRepeats; time++) {
        stepsLeft = maxSteps
        while (!readers.indexes.columns.isComplete()) await readers.indexes.columns.loadSome()
        const found = await readers.suggest(asked)
        if (!found.isPartial) return { ...found, results: found.results.map(toServed) }
        for (const each of [readers.indexes.nameLoader, readers.indexes.ranked]) await each.loadSome()
      }
      return fail(`${name}: the suggestions remain incomplete`)
    },
    restart() {
      readers = open()
    },
    async close() {
      await writer.close()
      await close()
    },
  }
}

function toServedFacets(facets: NonNullable<ListPage['facets']>): object {
  return Object.fromEntries(
    Object.entries(facets).map(([name, values]) => [name, values.map(({ value, count }) => ({ value, count }))]),
  )
}

/** Without ids and slugs that depend on the order in which names and titles came. */
function toServed(completion: Completion): Completion {
  if (completion.kind === 'video') return { ...completion, slug: '' }
  return completion.kind === 'category' ? completion : { ...completion, id: 0, slug: '' }
}

export async function createSqliteEngine(): Promise<SearchEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-search-'))
  const path = join(folder, 'store.db')
  await createDatabase(path)
  const [reading, writing] = [openForReading(path), openForWriting(path, 0)]
  const erasing = openForWriting(path, 0)
  return createEngine({
    name: 'SQLite',
    db: createSqliteDatabase(reading),
    writing: createSqliteDatabase(erasing),
    createWriter: (now) => createSqliteWriter({ db: writing, now, onError: raise }),
    createIndexes: createSqliteIndexes,
    createList: createSqliteList,
    async close() {
      reading.close()
      erasing.close()
      rmSync(folder, { recursive: true })
    },
  })
}

export async function createPostgresEngine(cluster: string): Promise<SearchEngine> {
  const store = await createPostgresDatabase(cluster)
  const [db, writing, erasing] = [openPostgres(store.db), openPostgres(store.db), openPostgres(store.db)]
  const problem = await migratePostgres(writing)
  if (problem !== null) fail(problem)
  return createEngine({
    name: 'PostgreSQL',
    db,
    writing: erasing,
    createWriter: (now) => createPostgresWriter({ db: writing, now, onError: raise }),
    createIndexes: createPostgresIndexes,
    createList: createPostgresList,
    async close() {
      await db.close()
      await erasing.close()
      await store.remove()
    },
  })
}

/** The parts of an answer that a client sees, and the ids for short. */
function toMembers(answer: Answer): { readonly [name: string]: unknown } {
  if ('refused' in answer) return answer
  return { ids: answer.records?.map((text) => /"id":(\d+)/.exec(text)?.[1]), ...answer }
}

/** How two answers differ in the first of these members, as one line; null if they do not. */
export function findDifference(
  one: Answer,
  other: Answer,
  isCompared: (name: string) => boolean = () => true,
): string | null {
  const [first, second] = [toMembers(one), toMembers(other)]
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const [ours, theirs] = [JSON.stringify(first[name]), JSON.stringify(second[name])]
    if (isCompared(name) && ours !== theirs) return `${name}: ${ours?.slice(0, 300)} / ${theirs?.slice(0, 300)}`
  }
  return null
}

function raise(error: unknown): never {
  throw error
}
