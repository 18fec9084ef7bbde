import { isAscii } from 'node:buffer'
import { withoutUserInfo } from '../../record/user-info.ts'
import { addFirstVersions, isChangedText, parseCategoryBody } from './category-version.ts'
import type { Database } from './database.ts'
import { makeRecords } from './make-records.ts'

/** Why a dump was not read in; nothing of it was. */
export class DumpError extends Error {}

export interface DumpImport {
  /** One line after the other, within one transaction of the caller's. */
  take(line: string): void
  /** Makes the records of what was taken; how many there are. Throws where the dump is cut short or damaged. */
  finish(onRecord: () => void): number
}

type Row = { readonly [column: string]: string | number | null }

interface Line {
  readonly category?: Row
  readonly category_version?: Row
  readonly category_origin?: Row
  readonly batch?: Row
  readonly version?: Row & { readonly changed: readonly string[]; readonly body: object }
  readonly origin?: Row
  readonly origin_alias?: Row
  readonly tombstone?: Row
  readonly erased_origin?: { readonly digest: string; readonly at: string }
  readonly end?: { readonly versions: number }
}

/** Dumps of older versions may have a password in the name of a source. */
function toCleanOrigin(row: Row): Row {
  const clean = ['source', 'imported_from'].flatMap((name) => {
    const value = row[name]
    return typeof value === 'string' ? [[name, withoutUserInfo(value)]] : []
  })
  return { ...row, ...Object.fromEntries(clean) }
}

/** Whether nothing was ever stored, but for tokens. */
export function isEmptyStore(db: Database): boolean {
  const tables = ['version', 'category', 'batch', 'tombstone']
  return tables.every((table) => db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() === null)
}

export function createDumpImport(db: Database): DumpImport {
  let number = 0
  let versions = 0
  let promised: number | null = null

  function insert(table: string, row: object): void {
    const columns = Object.keys(row)
    // Names come from a dump, so they are quoted; one that is no column is SQLite's error, and ours to tell.
    const names = columns.map((name) => `"${name.replaceAll('"', '')}"`).join(', ')
    const marks = columns.map(() => '?').join(', ')
    // Not by `run`, which PostgreSQL may refuse only when the next line is read, and the error would name that one.
    db.query(`INSERT INTO ${table} (${names}) VALUES (${marks})`).all(...(Object.values(row) as string[]))
  }

  function addVersion({ changed, body, checksum, ...row }: NonNullable<Line['version']>, line: string): void {
    // The record's bytes, as they stand in the line: the checksum is theirs.
    const bytes = Buffer.from(line.slice(line.indexOf(',"body":') + ',"body":'.length, -2))
    const digest = new Bun.CryptoHasher('sha256').update(bytes).digest()
    if (digest.toString('hex') !== checksum) throw new DumpError(`line ${number} does not fit its checksum`)
    // As we write them; lists rely on it.
    if (!isAscii(bytes)) throw new DumpError(`line ${number} has a record that is not in ASCII`)
    insert('version', { ...row, changed: JSON.stringify(changed), checksum: digest, body: bytes })
    versions++
  }

  function addCategoryVersion(row: Row): void {
    const isWhole = isChangedText(String(row.changed)) && parseCategoryBody(String(row.body)) !== null
    if (!isWhole) throw new DumpError(`line ${number} has a version of a category that is none`)
    insert('category_version', row)
  }

  function addOrigin({ id, body, basis, ...origin }: Row): void {
    if (origin.source !== null) insert('origin', { record_id: id, ...toCleanOrigin(origin) })
    if (body !== null && body !== undefined) {
      insert('extras', { record_id: id, body: Buffer.from(String(body)), basis: Buffer.from(String(basis)) })
    }
  }

  function add(parsed: Line, line: string): void {
    if (parsed.category !== undefined) insert('category', parsed.category)
    else if (parsed.category_version !== undefined) addCategoryVersion(parsed.category_version)
    else if (parsed.batch !== undefined) insert('batch', parsed.batch)
    else if (parsed.tombstone !== undefined) insert('tombstone', parsed.tombstone)
    else if (parsed.erased_origin !== undefined) {
      const { digest, at } = parsed.erased_origin
      insert('erased_origin', { digest: Buffer.from(digest, 'hex'), at })
    } else if (parsed.version !== undefined) addVersion(parsed.version, line)
    else if (parsed.origin !== undefined) addOrigin(parsed.origin)
    else if (parsed.origin_alias !== undefined) insert('origin_alias', toCleanOrigin(parsed.origin_alias))
    else if (parsed.end !== undefined) promised = parsed.end.versions
    else if (parsed.category_origin !== undefined) {
      const { body, basis, ...row } = parsed.category_origin
      insert('category_origin', {
        ...toCleanOrigin(row),
        body: Buffer.from(String(body)),
        basis: Buffer.from(String(basis)),
      })
    } else if (number > 1) throw new DumpError(`line ${number} is of no kind that this version knows`)
  }

  return {
    take(line) {
      number++
      try {
        add(JSON.parse(line), line)
      } catch (error) {
        if (error instanceof DumpError) throw error
        throw new DumpError(`line ${number}: ${error instanceof Error ? error.message : error}`)
      }
    },
    finish(onRecord) {
      if (promised !== versions) throw new DumpError('it is cut short: its last line is missing or does not fit')
      const records = makeRecords(db, onRecord)
      addFirstVersions(db)
      // Waits for all of it: a rehearsal ends without the COMMIT that would be refused.
      db.query('SELECT 1').get()
      return records
    },
  }
}
