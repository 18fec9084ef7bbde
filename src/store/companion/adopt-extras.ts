import { related } from '../../record/companion/related.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../record/json.ts'
import { fromBody } from '../../record/record.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createBulkInsert } from '../write/insert-many.ts'
import { type NewestVersion, newestSql, toVersionTag } from '../write/version-rows.ts'
import { rebuildTraits } from './check-companions.ts'
import { listImported, toCompanionValues } from './companion-rows.ts'

/**
 * Moves links and recordings from the extras of an older store, or of an older dump, into companions. What an import
 * brought becomes a part of the first version. Earlier builds kept a log of edited links in the basis of the extras, and
 * made a version without changed fields for each edit: those versions become the companion's, and the record goes back to
 * its own last version.
 */
export async function adoptExtras(db: Database): Promise<void> {
  const list = db.query<{ id: number; bytes: number }, []>(
    'SELECT record_id AS id, length(body) + length(basis) AS bytes FROM extras ORDER BY record_id',
  )
  const lookUp = createLookup<ExtrasRow, number>(
    db,
    (ids) => `SELECT record_id AS id, body, basis FROM extras WHERE record_id IN ${ids}`,
  )
  const insert = createBulkInsert(db, 'companion', ['record_id', 'name', 'number', 'alone', 'checksum', 'body'])
  const adoptEdits = createEditAdopter(db)
  const edited: number[] = []
  for await (const chunk of toChunks(await list.all(), ({ bytes }) => bytes)) {
    for (const row of await lookUp(chunk.map(({ id }) => id))) {
      const { source, log } = toSource(row)
      for (const change of listImported(source)) await insert.add(toCompanionValues(row.id, 1, false, change))
      if (log === null) continue
      edited.push(row.id)
      for (const { number, isAlone, content } of await adoptEdits(row.id, source, log, parse(row.body)))
        await insert.add(toCompanionValues(row.id, number, isAlone, { name: 'related', content }))
    }
  }
  await insert.flush()
  await resetRecords(db, edited)
  await rebuildTraits(db)
}

interface ExtrasRow {
  readonly id: number
  readonly body: Uint8Array
  readonly basis: Uint8Array
}

interface Source {
  readonly values: JsonObject
  readonly basis: JsonObject
}

/** The edits of the links, the newest first, each with the links before it. */
interface LinksLog {
  readonly imported: JsonValue
  readonly edits: readonly LinksEdit[]
}

interface LinksEdit {
  readonly by: string
  readonly batch?: number
  readonly before: JsonValue
}

const parse = (bytes: Uint8Array): JsonObject => JSON.parse(Buffer.from(bytes).toString())
const toBytes = (value: JsonObject) => Buffer.from(JSON.stringify(value))
const key = 'related_urls'

/** The extras as the source had them, and the log of edits, if there is one. */
function toSource({ body, basis }: ExtrasRow): { readonly source: Source; readonly log: LinksLog | null } {
  const values = parse(body)
  const { links, ...rest } = parse(basis)
  if (!isJsonObject(links)) return { source: { values, basis: rest }, log: null }
  // Only earlier builds of ours have written it.
  const log = links as unknown as LinksLog
  const { [key]: _, ...others } = values
  return { source: { values: log.imported === null ? others : { ...others, [key]: log.imported }, basis: rest }, log }
}

/** Its record was not imported: edits of links alone had made these extras. */
const isNothing = ({ values, basis }: Source) =>
  Object.keys(values).length === 0 && isSameJson(basis, { said: {}, absent: [] })

const toContent = (links: JsonValue) => related.fromSource({ values: { [key]: links }, basis: {} })

interface VersionRow {
  readonly number: number
  readonly author: string
  readonly batch: number | null
  readonly changed: string
  readonly reason: string | null
}

interface AdoptedEdit {
  readonly number: number
  readonly isAlone: boolean
  readonly content: JsonObject
}

/** Finds the version of each edit, and makes those without changed fields versions of the links. */
function createEditAdopter(db: Database) {
  const list = db.query<VersionRow, [number]>(
    'SELECT number, author, batch, changed, reason FROM version WHERE record_id = ? ORDER BY number DESC',
  )
  const rename = db.query<null, [string | null, number, number]>(
    `UPDATE version SET changed = '["related"]', reason = ? WHERE record_id = ? AND number = ?`,
  )
  const save = db.query<null, [Uint8Array, Uint8Array, number]>(
    'UPDATE extras SET body = ?, basis = ? WHERE record_id = ?',
  )
  const drop = db.query<null, [number]>('DELETE FROM extras WHERE record_id = ?')

  return async (id: number, source: Source, { edits }: LinksLog, values: JsonObject): Promise<AdoptedEdit[]> => {
    if (isNothing(source)) drop.send(id)
    else save.send(toBytes(source.values), toBytes(source.basis), id)
    const waiting = [...edits]
    const adopted: AdoptedEdit[] = []
    let after = values[key] ?? null
    for (const { number, author, batch, changed, reason } of await list.all(id)) {
      const isAlone = changed === '[]'
      const [edit] = waiting
      const isOfEdit = edit !== undefined && edit.by === author && (edit.batch ?? null) === batch
      if (!isAlone && !(isOfEdit && batch !== null)) continue
      adopted.push({ number, isAlone, content: toContent(after) })
      if (isAlone) rename.send(reason?.replace(/^Related links(?:: )?/, '') || null, id, number)
      // The log was limited: what older versions had is not known, so they have what came after them.
      if (isOfEdit) {
        after = edit.before
        waiting.shift()
      }
    }
    return adopted
  }
}

/** Makes the newest own version of records current again. Records of a dump have no rows yet. */
async function resetRecords(db: Database, ids: readonly number[]): Promise<void> {
  const listNewest = createLookup<NewestVersion, number>(db, newestSql)
  const updateRecord = db.query<null, [number, string, string, Uint8Array, number, number]>(
    'UPDATE record SET version = ?, mark = ?, updated = ?, body = ? WHERE id = ? AND version <> ?',
  )
  const updateListing = db.query<null, [string, string, number]>(
    'UPDATE listing SET updated = ?, author = ? WHERE id = ?',
  )
  for await (const chunk of toChunks(ids)) {
    for (const { id, version, author, checksum, body } of await listNewest(chunk)) {
      const { updated } = fromBody(body)
      updateRecord.send(version, toVersionTag(version, checksum), updated, body, id, version)
      updateListing.send(updated, author, id)
    }
  }
}
