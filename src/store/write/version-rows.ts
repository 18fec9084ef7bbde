import type { VersionTag } from '../../record/command.ts'
import { toChangeKind } from '../../record/decide.ts'
import { isWritableName, type WritableName, writableNames } from '../../record/fields.ts'
import { fromBody, toBody } from '../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../record/record.ts'
import type { Database } from '../database.ts'
import { DamagedRecord } from '../read/record-check.ts'
import type { StoredRecord } from '../store.ts'
import { lastSeqSql, nextSeqSql } from './sequence-sql.ts'

/** An accepted version of a record, ready to be written. */
export interface NewVersion {
  readonly record: VideoRecord
  /** Null for a new record. */
  readonly before: StoredRecord | null
  readonly changed: readonly WritableName[]
  readonly author: string
  readonly reason: string | null
  /** The batch it belongs to, if any. */
  readonly batch: number | null
}

/** The log of versions, and the `record` row, which has the newest version of each record (decision 9). */
export interface VersionRows {
  save(version: NewVersion): StoredRecord
  /** Saves the first versions of many records at once. */
  saveNew(versions: readonly NewVersion[]): Promise<void>
  /** The record in this version; null if there is no such version. */
  find(id: number, number: number): Promise<VideoRecord | null>
  /** A version with the fields it changed and its batch. */
  findStep(id: number, number: number): Promise<VersionStep | null>
  /** The fields that later versions changed; null if no version of the record has this tag. */
  listChangedSince(id: number, versionTag: VersionTag): Promise<readonly WritableName[] | null>
}

export interface VersionStep {
  readonly record: VideoRecord
  readonly changed: readonly WritableName[]
  readonly batch: number | null
}

export function createVersionRows(db: Database): VersionRows {
  const insertRecord = db.query(
    `INSERT INTO record (id, version, mark, state, slug, updated, body)
     VALUES ($id, $version, $versionTag, $state, $slug, $updated, $body)`,
  )
  const updateRecord = db.query(
    'UPDATE record SET version = $version, mark = $versionTag, state = $state, updated = $updated, body = $body WHERE id = $id',
  )
  const addVersion = db.query(toAddVersionSql(nextSeqSql))
  const addNumbered = db.query(toAddVersionSql('$seq'))
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const findBody = db.query<BodyRow, [number, number]>(
    'SELECT checksum, body FROM version WHERE record_id = ? AND number = ?',
  )
  const findStep = db.query<BodyRow & { changed: string; batch: number | null }, [number, number]>(
    'SELECT checksum, body, changed, batch FROM version WHERE record_id = ? AND number = ?',
  )
  const findChecksum = db.query<{ checksum: Uint8Array }, [number, number]>(
    'SELECT checksum FROM version WHERE record_id = ? AND number = ?',
  )
  const listChanged = db.query<{ changed: string }, [number, number]>(
    'SELECT changed FROM version WHERE record_id = ? AND number > ?',
  )
  return {
    save(next) {
      const { row, versionRow } = toVersionRows(next)
      const { slug, ...stored } = row
      if (next.before === null) insertRecord.send(row)
      else updateRecord.send(stored)
      addVersion.send(versionRow)
      return stored
    },
    async saveNew(all) {
      const made = all.map(toVersionRows)
      for (const { row } of made) insertRecord.send(row)
      let seq = (await findLastSeq.get())?.seq ?? 0
      for (const { versionRow } of made) addNumbered.send({ seq: ++seq, ...versionRow })
    },
    async find(id, number) {
      const row = await findBody.get(id, number)
      return row === null ? null : toRecord(row, id, number)
    },
    async findStep(id, number) {
      const row = await findStep.get(id, number)
      if (row === null) return null
      const changed = (JSON.parse(row.changed) as string[]).filter(isWritableName)
      return { record: toRecord(row, id, number), changed, batch: row.batch }
    },
    async listChangedSince(id, versionTag) {
      const number = toVersionNumber(versionTag)
      const row = number === null ? null : await findChecksum.get(id, number)
      if (number === null || row === null || toVersionTag(number, row.checksum) !== versionTag) return null
      const changed = (await listChanged.all(id, number)).flatMap((each) => JSON.parse(each.changed) as string[])
      return [...new Set(changed)].filter(isWritableName)
    },
  }
}

interface BodyRow {
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

function toRecord({ checksum, body }: BodyRow, id: number, number: number): VideoRecord {
  if (isChecksum(checksum, body)) return fromBody(body)
  throw new DamagedRecord(`version ${number} of record ${id} has other bytes than were stored`)
}

const toAddVersionSql = (seq: string) =>
  `INSERT INTO version (seq, record_id, number, at, kind, state, author, batch, reason, changed, checksum, body)
   VALUES (${seq}, $id, $version, $updated, $kind, $state, $author, $batch, $reason, $changed, $checksum, $body)`

/** The row of the record, and the row of its version. */
function toVersionRows({ record, before, changed, author, reason, batch }: NewVersion) {
  const { id, state, slug, updated } = record
  const body = toBody(record)
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
  const version = (before?.version ?? 0) + 1
  const kind = toChangeKind(before?.state ?? null, state)
  const said = { kind, author, batch, reason, changed: toChangedText(changed) }
  return {
    row: { id, version, versionTag: toVersionTag(version, checksum), state, slug, updated, body },
    versionRow: { id, version, updated, state, checksum, body, ...said },
  }
}

/** A new record lists all fields as changed. */
const allChanged = JSON.stringify(writableNames)

function toChangedText(changed: readonly WritableName[]): string {
  return changed === writableNames ? allChanged : JSON.stringify(changed)
}

/** A row of `newestSql`. */
export interface NewestVersion {
  readonly id: number
  readonly version: number
  readonly author: string
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

/** The newest versions of these records. */
export const newestSql = (ids: string) => `
  SELECT record_id AS id, number AS version, author, checksum, body FROM version AS newest
  WHERE record_id IN ${ids} AND number = (SELECT max(number) FROM version WHERE record_id = newest.record_id)
  ORDER BY record_id`

/**
 * The version number and the first 8 hex digits of the checksum (decision 3): a store that was restored from a backup cannot
 * confirm a version it never had.
 */
export function toVersionTag(version: number, checksum: Uint8Array): VersionTag {
  return `${version}-${Buffer.from(checksum).toString('hex', 0, 4)}`
}

export function isChecksum(checksum: Uint8Array, body: Uint8Array): boolean {
  return new Bun.CryptoHasher('sha256').update(body).digest().equals(checksum)
}

/** Null for anything that is not a version tag. */
export function toVersionNumber(versionTag: VersionTag): number | null {
  const digits = /^([1-9]\d{0,15})-[0-9a-f]{8}$/.exec(versionTag)?.[1]
  return digits === undefined ? null : Number(digits)
}
