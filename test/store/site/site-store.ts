import { describe } from 'bun:test'
import type { Command } from '../../../src/record/command.ts'
import type { Changes } from '../../../src/record/record.ts'
import { createSiteReads } from '../../../src/store/read/site.ts'
import type { SiteReads } from '../../../src/store/site-reads.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../list-stores.ts'
import { author } from '../random-talks.ts'

export const timeoutMs = 120_000

/** A new store, and the reads of its pages. */
export interface SiteStore extends ListStore {
  readonly site: SiteReads
  /** Returns the id of the new record. */
  create(changes: Changes): Promise<number>
  change(id: number, changes: Changes): Promise<void>
}

const engines: { readonly [name: string]: () => Promise<ListStore> } = {
  SQLite: openSqliteStore,
  PostgreSQL: openPostgresStore,
}

/** Runs the same tests on both engines. */
export function describeEngines(declare: (open: () => Promise<SiteStore>) => void): void {
  for (const [name, open] of Object.entries(engines)) describe(name, () => declare(async () => toSite(await open())))
}

let changes = 0

function toSite(store: ListStore): SiteStore {
  const site = createSiteReads({ db: store.db, changesCounter: () => changes })

  async function execute(command: Command): Promise<number> {
    const [outcome] = await store.writer.run([command], new Set())
    changes++
    if (typeof outcome === 'object' && outcome.is === 'stored') return outcome.stored.id
    throw new Error(JSON.stringify(outcome))
  }

  return {
    ...store,
    site,
    create: (fields) => execute({ kind: 'create', author, changes: { category: 'Alpha', state: 1, ...fields } }),
    change: async (id, fields) =>
      void (await execute({ kind: 'merge', id, author, precondition: {}, changes: fields })),
  }
}
