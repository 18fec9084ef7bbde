import type { NameKind } from '../../record/name.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { rememberErased } from '../import/matcher.ts'
import { isUnusedSql } from '../link/link-sql.ts'
import { createMomentRows } from '../moment/moment-rows.ts'
import { type BatchPart, parseParts } from '../write/names/name-change.ts'
import { toAliasesSql, toEndSql } from '../write/names/name-entries.ts'
import { createUsedSlugs } from '../write/slugs.ts'
import { lastSeqSql } from '../write/version-rows.ts'

/** Tables with rows that belong to a record, except `record`, and the column with its id. */
export const recordParts: readonly (readonly [table: string, column: string])[] = [
  ['version', 'record_id'],
  ['listing', 'id'],
  ['record_speaker', 'record_id'],
  ['record_tag', 'record_id'],
  ['search', 'rowid'],
  ['origin', 'record_id'],
  ['origin_alias', 'record_id'],
  ['extras', 'record_id'],
  ['companion', 'record_id'],
  ['companion_trait', 'record_id'],
  ['link_use', 'record_id'],
  ['idempotency', 'record_id'],
  ['accepted_finding', 'record_id'],
  ['distinct_pair', 'low_id'],
  ['distinct_pair', 'high_id'],
  ['merged_record', 'record_id'],
  ['merged_record', 'into_id'],
  ['scheduled_publish', 'record_id'],
  ['moment_due', 'record_id'],
]

/**
 * Erases a record and all its data in one transaction. What remains is a tombstone and a digest of its origin (decision 11,
 * decision 19). Speakers and tags that only its versions had are deleted too. False if there is no such record.
 */
export function eraseRecord(db: Database, id: number, at: Timestamp): Promise<boolean> {
  return db.transaction('write', async () => {
    const versions = db.query<{ number: number; state: number; body: Uint8Array }, [number]>(
      'SELECT number, state, body FROM version WHERE record_id = ? ORDER BY number',
    )
    const known = await versions.all(id)
    const last = known.at(-1)
    if (last === undefined) return false
    // Read before the versions are deleted: one of them may have the last seq.
    const seq = ((await db.query<{ seq: number }, []>(lastSeqSql).get())?.seq ?? 0) + 1
    db.query<null, [number]>(
      'UPDATE batch SET records = records - 1 WHERE id IN (SELECT batch FROM version WHERE record_id = ?)',
    ).send(id)
    eraseReasons(db, id)
    noteErased(db, id)
    const records = known.flatMap(({ body }) => parseStoredBody(body) ?? [])
    await rememberErased(db, id, records, at)
    await createMomentRows(db).drop(id)
    for (const [table, column] of recordParts) {
      db.query<null, [number]>(`DELETE FROM ${table} WHERE ${column} = ?`).send(id)
    }
    db.query<null, [number]>('DELETE FROM record WHERE id = ?').send(id)
    db.query<null, []>(`DELETE FROM link WHERE ${isUnusedSql}`).send()
    await eraseNames(
      db,
      'speaker',
      records.flatMap(({ speakers }) => speakers),
    )
    await eraseNames(
      db,
      'tag',
      records.flatMap(({ tags }) => tags),
    )
    // Everybody who could see a live version must get the erasure in the feed.
    const wasPublic = known.some(({ state }) => state === live) ? 1 : 0
    db.query(
      'INSERT INTO tombstone (record_id, at, seq, version, was_public) VALUES ($id, $at, $seq, $version, $wasPublic)',
    ).send({ id, at, seq, version: last.number + 1, wasPublic })
    return true
  })
}

/**
 * A change of the record may also have stored its reason with the category that it created, and with its batch. The
 * reason of a batch that changed other records too is theirs; that of a category's rename or merge belongs to the category.
 * So does the patch of a bulk change.
 */
function eraseReasons(db: Database, id: number): void {
  const ownBatches = `
    SELECT batch.id FROM batch WHERE category_id IS NULL
      AND id IN (SELECT batch FROM version WHERE record_id = ?)
      AND NOT EXISTS (SELECT 1 FROM version WHERE version.batch = batch.id AND record_id <> ?)`
  db.query<null, [number, number, number]>(
    `UPDATE category_version SET reason = NULL WHERE (at, author, reason) IN (
       SELECT at, author, reason FROM version WHERE record_id = ? AND (batch IS NULL OR batch IN (${ownBatches})))`,
  ).send(id, id, id)
  db.query<null, [number, number]>(
    `UPDATE batch SET names = NULL WHERE names LIKE '[{"kind":"patch",%' AND id IN (${ownBatches})`,
  ).send(id, id)
  db.query<null, [number, number]>(
    `UPDATE batch SET reason = NULL, request_key = NULL, request = NULL WHERE id IN (${ownBatches})`,
  ).send(id, id)
}

/** Its batches keep only a note that they had an erased member. */
function noteErased(db: Database, id: number): void {
  db.query<null, [number]>('DELETE FROM batch_note WHERE record_id = ?').send(id)
  db.query<null, [number]>(
    `INSERT INTO batch_note (batch, record_id, kind, why, fields)
     SELECT DISTINCT batch, record_id, 'erased', 'erased', '[]' FROM version WHERE record_id = ? AND batch IS NOT NULL`,
  ).send(id)
}

/** Parses a body that may be damaged; null if it is not a record. */
export function parseStoredBody(body: Uint8Array): VideoRecord | null {
  try {
    const record = fromBody(body)
    return typeof record === 'object' && record !== null && Array.isArray(record.speakers) ? record : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

interface Row {
  readonly id: number
  readonly slug: string
}

/** What batches know of the profile of a speaker, so that they can be undone. */
async function eraseFilled(db: Database, id: number): Promise<void> {
  const list = db.query<{ id: number; names: string }, []>(
    `SELECT id, names FROM batch WHERE names LIKE '%"speaker"%' AND names LIKE '%"filled":{%'`,
  )
  const update = db.query<null, [string, number]>('UPDATE batch SET names = ? WHERE id = ?')
  const isOfIt = (part: BatchPart) => part.kind === 'speaker' && part.filled?.slug === id
  for (const { id: batch, names } of await list.all()) {
    const parts = parseParts(names)
    if (!parts.some(isOfIt)) continue
    update.send(JSON.stringify(parts.map((part) => (isOfIt(part) ? { ...part, filled: null } : part))), batch)
  }
}

/**
 * Deletes the names that no record has, with their aliases. An alias of a name that records have stays, because old URLs
 * lead through it to that name (decision 52).
 */
async function eraseNames(db: Database, kind: NameKind, names: readonly string[]): Promise<void> {
  const slugs = createUsedSlugs(db, kind)
  const used = `EXISTS (SELECT 1 FROM record_${kind} WHERE ${kind}_id = ${kind}.id)`
  const find = db.query<Row, [string]>(`SELECT id, slug FROM ${kind} WHERE name = ? AND NOT ${used}`)
  const findUsedEnd = db.query<unknown, [number]>(`SELECT 1 FROM ${kind} WHERE id IN (${toEndSql(kind)}) AND ${used}`)
  const listAliases = db.query<Row & { isUsed: number }, [number]>(
    toAliasesSql(kind, `id, slug, CASE WHEN ${used} THEN 1 ELSE 0 END AS "isUsed"`),
  )
  const release = db.query<null, [number]>(`UPDATE ${kind} SET merged_into = NULL WHERE id = ?`)
  const remove = db.query<null, [number]>(`DELETE FROM ${kind} WHERE id = ?`)
  const removePiece = db.query<null, [number]>(`DELETE FROM ${kind}_piece WHERE rowid = ?`)
  const removeVersions =
    kind === 'tag' ? null : db.query<null, [number]>('DELETE FROM speaker_version WHERE speaker_id = ?')

  async function erase({ id, slug }: Row): Promise<void> {
    removeVersions?.send(id)
    if (kind === 'speaker') await eraseFilled(db, id)
    remove.send(id)
    removePiece.send(id)
    slugs.retire(id, slug)
  }

  for (const name of new Set(names)) {
    const row = await find.get(name)
    if (row === null || (await findUsedEnd.get(row.id)) !== null) continue
    for (const { isUsed, ...alias } of await listAliases.all(row.id)) {
      if (isUsed === 1) release.send(alias.id)
      else await erase(alias)
    }
    await erase(row)
  }
}
