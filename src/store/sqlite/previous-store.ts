import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { sqliteMigrations } from '../schema/migrations.ts'
import type { TokenRow } from '../write/access-token-rows.ts'
import { closeAfter, openBeside } from './connection.ts'
import { openUntouched } from './inspect.ts'
import type { ErasedRecords } from './purge.ts'

/** Null if the store cannot be read. */
export function listErased(path: string): ErasedRecords | null {
  return readUndamaged(path, (db) => {
    const rows = db.query<{ id: number }, []>('SELECT record_id AS id FROM tombstone ORDER BY id')
    const origins = db.query<ErasedRecords['origins'][number], []>(
      'SELECT digest, at FROM erased_origin ORDER BY digest',
    )
    return { ids: rows.all().map(({ id }) => id), origins: origins.all() }
  })
}

function readUndamaged<T>(path: string, read: (db: Database) => T): T | null {
  try {
    return closeAfter(openBeside(path), read)
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(toErrorCode(error))) return null
    throw error
  }
}

/** A row of `token`, also of a newer schema. */
type StoredToken = TokenRow & { readonly [column: string]: string | number | Uint8Array | null }

/** The keys that work at this time. */
export function listValidTokens(path: string, at: Timestamp): readonly TokenRow[] {
  const isValid = ({ revoked, expires }: TokenRow) => revoked === null && (expires === null || expires > at)
  return closeAfter(openUntouched(path), readTokens).filter(isValid)
}

const readTokens = (db: Database): readonly StoredToken[] =>
  db.query<StoredToken, []>('SELECT * FROM token ORDER BY id').all()

/** A category that a token is limited to. */
interface TokenLimit {
  readonly tokenId: number
  readonly categoryId: number
  readonly slug: string | null
}

interface KnownTokens {
  readonly tokens: readonly StoredToken[]
  readonly limits: readonly TokenLimit[]
}

/** The first schema whose tokens can be limited. */
const limitedSchema = 3

/** Null for a newer schema, whose tokens may have columns that we do not know. */
function readKnownTokens(db: Database): KnownTokens | null {
  const schema = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (schema > sqliteMigrations.length) return null
  return { tokens: readTokens(db), limits: schema < limitedSchema ? [] : readLimits(db) }
}

const readLimits = (db: Database): readonly TokenLimit[] =>
  db
    .query<TokenLimit, []>(
      `SELECT token_id AS tokenId, category_id AS categoryId, slug FROM token_category
       LEFT JOIN category ON category.id = category_id ORDER BY token_id, category_id`,
    )
    .all()

/**
 * Gives a copy of a backup the tokens of the store that it is to replace, so that no key becomes valid again (decision
 * 68). It must have the current schema. If they cannot be read, all keys of the copy are revoked; then false.
 */
export function keepTokens(previous: string, copy: string, at: Timestamp): boolean {
  const known = existsSync(previous) ? readUndamaged(previous, readKnownTokens) : null
  return closeAfter(openBeside(copy), (db) => {
    const isKept = known !== null && replaceTokens(db, known)
    if (!isKept) db.query<null, [Timestamp]>('UPDATE token SET revoked = ? WHERE revoked IS NULL').run(at)
    return isKept
  })
}

function replaceTokens(db: Database, { tokens, limits }: KnownTokens): boolean {
  const replaceAll = db.transaction(() => {
    db.run('DELETE FROM token')
    db.run('DELETE FROM token_category')
    for (const token of tokens) {
      const columns = Object.keys(token)
      const sql = `INSERT INTO token (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      db.query(sql).run(...Object.values(token))
    }
    for (const limit of limits) insertLimit(db, limit)
  })
  try {
    replaceAll()
    return true
  } catch (error) {
    // Damaged rows, or a table of another program.
    if (/^SQLITE_(CONSTRAINT|ERROR|MISMATCH)/.test(toErrorCode(error))) return false
    throw error
  }
}

/** A category that the copy does not have becomes 0: the token stays limited, and is not widened to another category. */
function insertLimit(db: Database, { tokenId, categoryId, slug }: TokenLimit): void {
  const find = db.query<{ id: number }, [number, string | null]>('SELECT id FROM category WHERE id = ? AND slug = ?')
  const id = find.get(categoryId, slug)?.id ?? 0
  db.query('INSERT OR IGNORE INTO token_category (token_id, category_id) VALUES (?, ?)').run(tokenId, id)
}
