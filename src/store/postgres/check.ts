import { type SearchTokens, searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { otherChecks } from '../maintain/check/leftovers.ts'
import type { CheckListener, StoreProblem } from '../maintain/check/problem.ts'
import { checkBodies, checkNames, checkRecords, checkVersions, type WordCheck } from '../maintain/check/records.ts'
import { createLookup } from '../read/statements.ts'
import { postgresMigrations } from '../schema/migrations.ts'
import type { PostgresDatabase } from './connection.ts'
import { readSchemaSql } from './migrate.ts'

/**
 * Everything that is wrong with a store, in one snapshot; works while the server is running. PostgreSQL checks its own
 * pages.
 */
export async function* checkWhole(
  db: PostgresDatabase,
  { onStage, onStep }: CheckListener,
): AsyncGenerator<StoreProblem> {
  await db.begin('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', 'read')
  try {
    onStage('Checking the tables')
    const schema = (await db.query<{ schema: number }, []>(readSchemaSql).get())?.schema ?? 0
    yield* checkForeign(db)
    const isCurrent = schema === postgresMigrations.length
    if (isCurrent) yield* checkSchema(db)
    onStage('Checking every version')
    yield* checkVersions(db, onStep)
    // Every schema has bodies; the other checks need the current one.
    if (!isCurrent) return yield* checkBodies(db)
    onStage('Checking every record, and its rows in lists and searches')
    yield* checkRecords(db, createWordCheck(db), onStep)
    onStage('Checking the rest')
    for (const check of otherChecks) yield* check(db)
    for (const table of ['speaker', 'tag'] as const) yield* checkNames(db, table, toIndexedSql(table))
  } finally {
    if (db.isInTransaction) await db.rollback()
  }
}

/** Names that are indexed under their own key. */
const toIndexedSql = (table: string) => `
  SELECT rowid AS id FROM ${table}_piece AS piece
  WHERE NOT EXISTS (SELECT 1 FROM ${table} AS named WHERE named.id = piece.rowid AND named.key <> piece.key)`

/** The server's catalogue of each kind of object. */
const catalogues = {
  TABLE: `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  INDEX: `
    SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
    WHERE indisvalid AND relnamespace = current_schema()::regnamespace`,
  FUNCTION: 'SELECT proname AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace',
  TRIGGER: `
    SELECT tgname AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE tgenabled <> 'D' AND relnamespace = current_schema()::regnamespace`,
} as const

/**
 * Tables, views and indexes in our schema, and triggers and rules on its tables, except those that PostgreSQL creates
 * for constraints and those of extensions.
 */
const othersSql = `
  WITH ours AS (
    SELECT oid, relname, relkind FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  )
  SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' ELSE 'table' END AS kind, relname::text AS name
    FROM ours WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
  UNION ALL
  SELECT 'index', relname::text FROM ours WHERE relkind IN ('i', 'I')
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = ours.oid AND contype IN ('p', 'u', 'x'))
  UNION ALL
  SELECT 'trigger', tgname::text FROM pg_trigger JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL
  SELECT 'rule', rulename::text FROM pg_rewrite JOIN ours ON ours.oid = ev_class WHERE rulename <> '_RETURN'
  ORDER BY 1, 2`

type Kind = keyof typeof catalogues

/** What the migrations create. */
function listMigrated(): readonly { readonly kind: Kind; readonly name: string }[] {
  const made = postgresMigrations.join('\n').matchAll(/^CREATE (?:UNIQUE )?(TABLE|INDEX|FUNCTION|TRIGGER) (\w+)/gm)
  // The pattern matches these kinds only.
  return [...made].map(([, kind, name]) => ({ kind: kind as Kind, name: name ?? '' }))
}

/** Objects that no migration creates. */
async function* checkForeign(db: Database): AsyncGenerator<StoreProblem> {
  const names = listMigrated()
  const isOurs = (kind: string, name: string) => names.some((each) => each.kind === kind && each.name === name)
  for (const { kind, name } of await db.query<{ kind: string; name: string }, []>(othersSql).all()) {
    if (!isOurs(kind.toUpperCase(), name))
      yield { id: null, what: `the ${kind} ${JSON.stringify(name)} is not Rostrum's` }
  }
}

/** Whether everything that the migrations create is there: nothing missing, invalid or disabled. */
async function* checkSchema(db: Database): AsyncGenerator<StoreProblem> {
  const names = listMigrated()
  for (const [kind, sql] of Object.entries(catalogues)) {
    const found = new Set((await db.query<{ name: string }, []>(sql).all()).map(({ name }) => name))
    for (const { name } of names.filter((each) => each.kind === kind)) {
      if (!found.has(name)) yield { id: null, what: `${name} is missing` }
    }
  }
}

/** Compares the row of search tokens per record; PostgreSQL derives the index from that row. */
function createWordCheck(db: Database): WordCheck {
  const find = createLookup<SearchTokens & { readonly id: number }, number>(
    db,
    (ids) => `SELECT rowid AS id, ${searched.join(', ')} FROM search WHERE rowid IN ${ids}`,
  )
  return {
    async *expect(records) {
      const found = new Map((await find(records.map(({ id }) => id))).map((words) => [words.id, words]))
      for (const record of records) {
        if (!Bun.deepEquals({ ...found.get(record.id) }, { id: record.id, ...toSearchTokens(record) })) {
          yield { id: record.id, what: 'the search index has different words than the record' }
        }
      }
    },
    // Tokens without a record are found by `checkLeftovers`.
    compare: () => [],
  }
}
