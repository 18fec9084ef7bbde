import { toVideoUrl } from '../../record/embed.ts'
import type { JsonObject } from '../../record/json.ts'
import type { Changes, VideoRecord } from '../../record/record.ts'
import { draft } from '../../record/state.ts'
import type { FieldHistory } from '../../record/three-way-merge.ts'
import type { Database } from '../database.ts'
import { toAlias } from '../derive/former-paths.ts'
import type { Extras, ImportedTalk } from './imported-talk.ts'

export interface RecordOrigin {
  readonly id: number
  readonly source: string
  readonly path: string
  /** The fields as the source had them in its last import: the merge base. */
  readonly imported: Changes
  /** The record's version after that import; null in rows that are older than this column. */
  readonly version: number | null
  /** Whether this is the record's first origin, whose extras are kept. */
  readonly isFirst: boolean
}

/** Origins of records, and their extras: values that fit no field (decision 12). */
export interface OriginRows {
  /** The record with this origin, its first or a later one. */
  findId(source: string, path: string): Promise<number | null>
  /** All origins of a record. */
  listOf(id: number): Promise<readonly RecordOrigin[]>
  save(origin: RecordOrigin): void
  /** The extras of all records of a source. */
  listExtras(source: string): Promise<readonly { readonly path: string; readonly values: JsonObject }[]>
  /** The paths of a record in a source. */
  listPaths(id: number, source: string): Promise<readonly string[]>
  /** For a record without extras. */
  addExtras(id: number, extras: Extras): void
  findExtras(id: number): Promise<Extras | null>
  /** Returns whether the extras change; a dry run writes nothing. */
  saveExtras(id: number, extras: Extras | null, isDryRun: boolean): Promise<boolean>
  /** The category that the file was imported as, and its content then; null if the file is new. */
  findCategory(
    source: string,
    path: string,
  ): Promise<{ readonly categoryId: number; readonly basis: JsonObject } | null>
  saveCategory(category: { source: string; path: string; categoryId: number; extras: Extras }): void
  listBySourceUrl(url: string): Promise<number[]>
  findBySlug(slug: string): Promise<{ readonly id: number; readonly category: string } | null>
}

type OriginRow = Omit<RecordOrigin, 'imported' | 'isFirst'> & {
  readonly imported: string | null
  readonly isFirst: number
}

const parse = (bytes: Uint8Array): JsonObject => JSON.parse(Buffer.from(bytes).toString())
const toBytes = (value: JsonObject) => Buffer.from(JSON.stringify(value))

export function createOriginRows(db: Database): OriginRows {
  const toFind = (table: string) =>
    db.query<{ id: number }, [string, string]>(`SELECT record_id AS id FROM ${table} WHERE source = ? AND path = ?`)
  const [find, findAlias] = [toFind('origin'), toFind('origin_alias')]
  const listOf = db.query<OriginRow, [number, number]>(
    `SELECT record_id AS id, source, path, imported, version, 1 AS "isFirst" FROM origin WHERE record_id = ?
     UNION ALL SELECT record_id, source, path, imported, version, 0 FROM origin_alias WHERE record_id = ?`,
  )
  const listPaths = db.query<{ path: string }, [number, string, number, string]>(
    `SELECT path FROM origin WHERE record_id = ? AND source = ?
     UNION ALL SELECT path FROM origin_alias WHERE record_id = ? AND source = ?`,
  )
  const listExtras = db.query<{ path: string; body: Uint8Array }, [string]>(
    'SELECT path, body FROM origin JOIN extras ON extras.record_id = origin.record_id WHERE source = ?',
  )
  const save = db.query(
    `INSERT INTO origin (record_id, source, path, imported, version) VALUES ($id, $source, $path, $imported, $version)
     ON CONFLICT (record_id) DO UPDATE SET source = excluded.source, path = excluded.path, imported = excluded.imported,
       version = excluded.version`,
  )
  const insertAlias = db.query(
    `INSERT INTO origin_alias (source, path, record_id, imported, version)
     VALUES ($source, $path, $id, $imported, $version)`,
  )
  const dropAlias = db.query<null, [string, string]>('DELETE FROM origin_alias WHERE source = ? AND path = ?')
  const findExtras = db.query<{ body: Uint8Array; basis: Uint8Array }, [number]>(
    'SELECT body, basis FROM extras WHERE record_id = ?',
  )
  const dropExtras = db.query<null, [number]>('DELETE FROM extras WHERE record_id = ?')
  const saveExtras = db.query<null, [number, Uint8Array, Uint8Array, string | null]>(
    `INSERT INTO extras (record_id, body, basis, alias) VALUES (?, ?, ?, ?)
     ON CONFLICT (record_id) DO UPDATE SET body = excluded.body, basis = excluded.basis, alias = excluded.alias`,
  )
  const saveCategory = db.query(
    `INSERT INTO category_origin (source, path, category_id, body, basis)
     VALUES ($source, $path, $categoryId, $body, $basis)
     ON CONFLICT (source, path) DO UPDATE SET category_id = excluded.category_id, body = excluded.body, basis = excluded.basis`,
  )
  const findCategory = db.query<{ category_id: number; basis: Uint8Array }, [string, string]>(
    'SELECT category_id, basis FROM category_origin WHERE source = ? AND path = ?',
  )
  const listBySource = db.query<{ id: number }, [string]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' ORDER BY id`,
  )
  const findBySlug = db.query<{ id: number; category: string }, [string]>(
    `SELECT record.id, category.title AS category FROM record JOIN listing ON listing.id = record.id
     JOIN category ON category.id = category_id WHERE record.slug = ?`,
  )

  return {
    findId: async (source, path) => ((await find.get(source, path)) ?? (await findAlias.get(source, path)))?.id ?? null,
    listPaths: async (id, source) => (await listPaths.all(id, source, id, source)).map(({ path }) => path),
    async listExtras(source) {
      return (await listExtras.all(source)).map(({ path, body }) => ({ path, values: parse(body) }))
    },
    listOf: async (id) => (await listOf.all(id, id)).map(toOrigin),
    save({ isFirst, ...origin }) {
      const row = { ...origin, imported: JSON.stringify(origin.imported) }
      if (isFirst) return save.send(row)
      dropAlias.send(row.source, row.path)
      insertAlias.send(row)
    },
    addExtras: (id, { values, basis }) => saveExtras.send(id, toBytes(values), toBytes(basis), toAlias(values)),
    async findExtras(id) {
      const row = await findExtras.get(id)
      return row && { values: parse(row.body), basis: parse(row.basis) }
    },
    async saveExtras(id, extras, isDryRun) {
      const before = await findExtras.get(id)
      if (extras === null) {
        if (before !== null && !isDryRun) dropExtras.send(id)
        return before !== null
      }
      const [body, basis] = [toBytes(extras.values), toBytes(extras.basis)]
      if (before !== null && body.equals(before.body) && basis.equals(before.basis)) return false
      if (!isDryRun) saveExtras.send(id, body, basis, toAlias(extras.values))
      return true
    },
    async findCategory(source, path) {
      const row = await findCategory.get(source, path)
      return row === null ? null : { categoryId: row.category_id, basis: parse(row.basis) }
    },
    saveCategory: ({ extras, ...category }) =>
      saveCategory.send({ ...category, body: toBytes(extras.values), basis: toBytes(extras.basis) }),
    listBySourceUrl: async (url) => (url === '' ? [] : (await listBySource.all(toVideoUrl(url))).map(({ id }) => id)),
    findBySlug: (slug) => findBySlug.get(slug),
  }
}

const toOrigin = ({ imported, isFirst, ...row }: OriginRow): RecordOrigin => ({
  ...row,
  imported: imported === null ? {} : JSON.parse(imported),
  isFirst: isFirst === 1,
})

/** A record's first origin, its origin in this source, and those in other sources. */
export function sortOrigins(known: readonly RecordOrigin[], source: string, path: string) {
  const own = known.filter((origin) => origin.source === source)
  // A file may have been moved within its source.
  const [newest = null] = own.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))
  return {
    first: known.find(({ isFirst }) => isFirst) ?? null,
    own: own.find((origin) => origin.path === path) ?? newest,
    others: known.filter((origin) => origin.source !== source),
  }
}

export const pick = (changes: Changes, names: readonly string[]): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => names.includes(name)))

/** The talk without the values that only a new record takes. */
export function withoutUnfit(talk: ImportedTalk): ImportedTalk {
  const { changes, unfitNames } = talk
  if (unfitNames.length === 0) return talk
  return {
    ...talk,
    changes: pick(
      changes,
      Object.keys(changes).filter((name) => !unfitNames.some((each) => each === name)),
    ),
  }
}

/** Whether the record is a draft, and was taken down by its source. */
export const isDraftOf = (origin: RecordOrigin | null, { state }: VideoRecord) =>
  state === draft && origin?.imported.state === draft

/** Whether another source took the record down: only that source or a person may publish it again. */
export async function isDraftOfOther(
  others: readonly RecordOrigin[],
  record: VideoRecord,
  history: FieldHistory,
): Promise<boolean> {
  return others.some((other) => isDraftOf(other, record)) && (await history.lastImported('state')) !== 2
}
