import { migrations } from '../../schema/postgres/migrations.ts'
import type { Finding } from '../../sql/check/finding.ts'
import type { Database } from '../../sql/database.ts'

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

type Kind = keyof typeof catalogues

/** Whether everything is there that the migrations make, and is in use. */
export function* checkSchema(db: Database): Generator<Finding> {
  const made = migrations.join('\n').matchAll(/^CREATE (?:UNIQUE )?(TABLE|INDEX|FUNCTION|TRIGGER) (\w+)/gm)
  const names = [...made].map(([, kind, name]) => ({ kind: kind as Kind, name: name ?? '' }))
  for (const [kind, sql] of Object.entries(catalogues)) {
    const found = new Set(
      db
        .query<{ name: string }, []>(sql)
        .all()
        .map(({ name }) => name),
    )
    for (const { name } of names.filter((each) => each.kind === kind)) {
      if (!found.has(name)) yield { id: null, what: `${name} is missing` }
    }
  }
}
