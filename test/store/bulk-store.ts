import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'bun:test'
import type { BulkCommand, Command } from '../../src/record/command.ts'
import type { JsonObject } from '../../src/record/json.ts'
import { parseBulk } from '../../src/record/parse-bulk.ts'
import { type Changes, fromBody, type VideoRecord } from '../../src/record/record.ts'
import type { Author } from '../../src/record/role.ts'
import type { BatchReport } from '../../src/store/batch-reads.ts'
import type { Outcome } from '../../src/store/store.ts'
import { createPostgresDatabases } from '../model/postgres-engine.ts'
import type { OpenEngine, Places } from '../model/sql-engine.ts'
import { createSqliteFiles } from '../model/sqlite-engine.ts'

export const ann = { name: 'ann', role: 'publisher' } as const
export const bob = { name: 'bob', role: 'publisher' } as const
export const eve = { name: 'eve', role: 'editor' } as const

/** A new store for each test, whose clock goes on by one second with each command. */
export interface BulkStore {
  /** Runs one command, which must not fail. */
  run(command: Command): Promise<Outcome>
  create(changes: Changes, author?: Author): Promise<number>
  change(id: number, changes: Changes, author?: Author): Promise<void>
  read(id: number): Promise<VideoRecord>
  /** The time of the last command. */
  at(): string
  readonly engine: () => OpenEngine
}

const startMs = Date.UTC(2024, 0, 1)

/** Tests what every engine promises. */
export function describeBulk(name: string, test: (store: BulkStore) => void): void {
  const engines: readonly [string, () => Promise<Places>][] = [
    ['SQLite', createSqliteFiles],
    ['PostgreSQL', createPostgresDatabases],
  ]
  for (const [engineName, createPlaces] of engines) describe(`${name} (${engineName})`, () => test(use(createPlaces)))
}

function use(createPlaces: () => Promise<Places>): BulkStore {
  let places: Places | undefined
  let place: Awaited<ReturnType<Places['create']>> | undefined
  let engine: OpenEngine | undefined
  let seconds = 0
  beforeAll(async () => {
    places = await createPlaces()
  }, 180_000)
  afterAll(async () => places?.remove())
  beforeEach(async () => {
    seconds = 0
    place = await places?.create()
    engine = place?.open()
  })
  afterEach(async () => {
    await engine?.close()
    await place?.remove()
  })

  const requireEngine = () => engine ?? fail('no store is open')
  async function run(command: Command): Promise<Outcome> {
    const [outcome] = await requireEngine().run([command], startMs + ++seconds * 1_000)
    return outcome === undefined || outcome.is === 'failed' ? fail(outcome) : outcome
  }
  return {
    run,
    async create(changes, author = ann) {
      const outcome = await run({ kind: 'create', author, changes: { title: 'T', category: 'C', ...changes } })
      return outcome.is === 'stored' ? outcome.stored.id : fail(outcome)
    },
    async change(id, changes, author = ann) {
      const outcome = await run({ kind: 'merge', id, author, changes, precondition: {} })
      expect(outcome.is).toBe('stored')
    },
    async read(id) {
      const stored = await requireEngine().read(id)
      return stored === null ? fail(id) : fromBody(stored.body)
    },
    at: () => new Date(startMs + seconds * 1_000).toISOString(),
    engine: requireEngine,
  }
}

/** The command of a body, as POST batches makes it. */
export function bulk(body: JsonObject, author: Author = ann, isDryRun = false): BulkCommand {
  const parsed = parseBulk(body, isDryRun)
  if (!parsed.ok) return fail([...parsed.errors])
  const { request, reason } = parsed
  return { kind: 'bulk', author, request, ...(reason === null ? {} : { reason }), ...(isDryRun ? { isDryRun } : {}) }
}

export function toBatch(outcome: Outcome): BatchReport {
  return outcome.is === 'batch' && outcome.batch !== null ? outcome.batch : fail(outcome)
}

export function toPreview(outcome: Outcome) {
  return outcome.is === 'batch' && outcome.preview !== undefined ? outcome.preview : fail(outcome)
}

export function fail(what: unknown): never {
  throw new Error(`unexpected: ${JSON.stringify(what)}`)
}
