import { describe } from 'bun:test'
import type { Command } from '../../../src/record/command.ts'
import { parseListQuery } from '../../../src/record/query/query.ts'
import type { Changes } from '../../../src/record/record.ts'
import { createSiteReads } from '../../../src/store/read/create-reads.ts'
import type { MemoryIndexes } from '../../../src/store/search/memory-indexes.ts'
import type { NewestQuery } from '../../../src/store/site-reads.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../list-stores.ts'
import { author } from '../random-talks.ts'

export const timeoutMs = 120_000

type SiteReads = ReturnType<typeof createSiteReads>

/** A new store, and the reads of its pages. */
export interface SiteStore extends ListStore {
  readonly indexes: MemoryIndexes
  readonly site: SiteReads
  /** The reads of a server that has just started: nothing is loaded. */
  openSite(indexes?: MemoryIndexes): SiteReads
  /** Returns the id of the new record. */
  create(changes: Changes): Promise<number>
  change(id: number, changes: Changes): Promise<void>
  execute(command: Command): Promise<void>
}

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

/** Runs the same tests on both engines. */
export function describeEngines(declare: (open: () => Promise<SiteStore>) => void): void {
  for (const [name, open] of Object.entries(engines)) describe(name, () => declare(async () => toSite(await open())))
}

function toSite(store: ListStore): SiteStore {
  let changes = 0
  const open = (indexes: MemoryIndexes) =>
    createSiteReads({ db: store.db, indexes, sql: store.createListSql(indexes), changesCounter: () => changes })
  const indexes = store.createIndexes()

  async function run(command: Command) {
    const outcomes = await store.writer.run([command], new Set())
    changes++
    const outcome = outcomes === 'busy' ? undefined : outcomes[0]
    if (outcome !== undefined && ['stored', 'batch', 'category', 'companion'].includes(outcome.is)) return outcome
    throw new Error(JSON.stringify(outcome))
  }

  return {
    ...store,
    indexes,
    site: open(indexes),
    openSite: (others = store.createIndexes()) => open(others),
    async create(fields) {
      const command: Command = { kind: 'create', author, changes: { category: 'Alpha', state: 1, ...fields } }
      const outcome = await run(command)
      if (outcome.is !== 'stored') throw new Error('no record was created')
      return outcome.stored.id
    },
    change: async (id, fields) => void (await run({ kind: 'merge', id, author, precondition: {}, changes: fields })),
    execute: async (command) => void (await run(command)),
  }
}

/** A query as a client would write it. */
export function toNewest(ask: string, rest: Partial<NewestQuery> = {}): NewestQuery {
  const parsed = parseListQuery(new URLSearchParams(ask), 'live')
  if (!parsed.ok) throw new Error(`not a list: ${ask}`)
  const { filters, match } = parsed.query
  return { filters, match, limit: 50, offset: 0, ...rest }
}

export const toIds = (records: readonly string[]) => records.map((text): number => JSON.parse(text).id)
