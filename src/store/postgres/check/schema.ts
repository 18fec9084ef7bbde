import type { Database } from '../../database.ts'
import type { Finding } from '../../maintain/check/finding.ts'
import { postgresMigrations } from '../../schema/migrations.ts'

/** Where each kind of thing is known to the server. */
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
 * Tables, views and indexes in our schema, and triggers and rules on its tables, but for what PostgreSQL itself makes
 * for constraints and what belongs to an extension.
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

/** Whether everything is there that the migrations make, and is in use. */
export async function* checkSchema(db: Database): AsyncGenerator<Finding> {
  const made = postgresMigrations.join('\n').matchAll(/^CREATE (?:UNIQUE )?(TABLE|INDEX|FUNCTION|TRIGGER) (\w+)/gm)
  const names = [...made].map(([, kind, name]) => ({ kind: kind as Kind, name: name ?? '' }))
  const isMade = (kind: string, name: string) => names.some((each) => each.kind === kind && each.name === name)
  for (const { kind, name } of await db.query<{ kind: string; name: string }, []>(othersSql).all()) {
    if (!isMade(kind.toUpperCase(), name))
      yield { id: null, what: `the ${kind} ${JSON.stringify(name)} is not Rostrum's` }
  }
  for (const [kind, sql] of Object.entries(catalogues)) {
    const found = new Set((await db.query<{ name: string }, []>(sql).all()).map(({ name }) => name))
    for (const { name } of names.filter((each) => each.kind === kind)) {
      if (!found.has(name)) yield { id: null, what: `${name} is missing` }
    }
  }
}
