import { findVersionNumber, type VersionTag } from '../../record/command.ts'
import {
  type ChangedName,
  type CompanionChange,
  type CompanionName,
  isChangedName,
} from '../../record/companion/kinds.ts'
import { toChangeKind } from '../../record/decide.ts'
import { isWritableName, type WritableName, writableNames } from '../../record/fields.ts'
import { fromBody, toBody, type VideoRecord } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { StoredRecord } from '../store.ts'

/** A record as the writer reads it. */
export interface WritableRecord extends StoredRecord {
  /** The number of the last version in its log: its own, or that of a companion. */
  readonly versions: number
}

/** An accepted version of a record, ready to be written. */
export interface NewVersion {
  readonly record: VideoRecord
  /** Null for a new record. */
  readonly before: WritableRecord | null
  /** If it is empty, the record stays as it is and only its companions change. */
  readonly changed: readonly WritableName[]
  /** New contents of its companions, each a version of its own; those of a new record belong to its first version. */
  readonly companions?: readonly CompanionChange[]
  readonly author: string
  readonly reason: string | null
  /** The batch it belongs to, if any. */
  readonly batch: number | null
}

/** The log of versions, and the `record` row, which has the newest version of each record (decision 9). */
export interface VersionRows {
  save(version: NewVersion): WritableRecord
  /** Adds the version of a companion to the log; the record stays as it is. */
  addCompanion(record: WritableRecord, name: CompanionName, at: Timestamp, made: Made): WritableRecord
  /** Saves the first versions of many records. */
  saveNew(versions: readonly NewVersion[]): Promise<void>
  /** The record in this version; null if there is no such version. */
  find(id: number, number: number): Promise<VideoRecord | null>
  /** The record in the version of this time; null if there is none. */
  findAt(id: number, at: Timestamp): Promise<VideoRecord | null>
  /** A version with what it changed and its batch. */
  findStep(id: number, number: number): Promise<VersionStep | null>
  /** The fields that later versions changed; null if no version of the record has this tag. */
  listChangedSince(id: number, versionTag: VersionTag): Promise<readonly WritableName[] | null>
}

type Made = Pick<NewVersion, 'author' | 'reason' | 'batch'>

interface VersionStep {
  readonly record: VideoRecord
  readonly changed: readonly ChangedName[]
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
  const findAt = db.query<{ number: number }, [number, Timestamp]>(
    'SELECT number FROM version WHERE record_id = ? AND at = ? ORDER BY number DESC LIMIT 1',
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
  async function find(id: number, number: number): Promise<VideoRecord | null> {
    const row = await findBody.get(id, number)
    return row === null ? null : toRecord(row, id, number)
  }
  return {
    save(next) {
      const { row, versionRow } = toVersionRows(next)
      const { slug, ...stored } = row
      if (next.before === null) insertRecord.send(row)
      else updateRecord.send(stored)
      addVersion.send(versionRow)
      return { ...stored, versions: stored.version }
    },
    addCompanion(record, name, at, { author, reason, batch }) {
      const { id, state, body, versions } = record
      const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
      const said = { kind: toChangeKind(state, state), author, batch, reason, changed: JSON.stringify([name]) }
      addVersion.send({ id, version: versions + 1, updated: at, state, checksum, body, ...said })
      return { ...record, versions: versions + 1 }
    },
    async saveNew(all) {
      const made = all.map(toVersionRows)
      for (const { row } of made) insertRecord.send(row)
      let seq = (await findLastSeq.get())?.seq ?? 0
      for (const { versionRow } of made) addNumbered.send({ seq: ++seq, ...versionRow })
    },
    find,
    async findAt(id, at) {
      const row = await findAt.get(id, at)
      return row === null ? null : find(id, row.number)
    },
    async findStep(id, number) {
      const row = await findStep.get(id, number)
      if (row === null) return null
      const changed = (JSON.parse(row.changed) as string[]).filter(isChangedName)
      return { record: toRecord(row, id, number), changed, batch: row.batch }
    },
    async listChangedSince(id, versionTag) {
      const number = findVersionNumber(versionTag)
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
  throw new DamagedRecord(`version ${number} of record ${id} does not match its checksum`)
}

const toAddVersionSql = (seq: string) =>
  `INSERT INTO version (seq, record_id, number, at, kind, state, author, batch, reason, changed, checksum, body)
   VALUES (${seq}, $id, $version, $updated, $kind, $state, $author, $batch, $reason, $changed, $checksum, $body)`

/** The row of the record, and the row of its version. */
function toVersionRows({ record, before, changed, author, reason, batch }: NewVersion) {
  const { id, state, slug, updated } = record
  const body = toBody(record)
  const checksum = new Bun.CryptoHasher('sha256').update(body).digest()
  const version = (before?.versions ?? 0) + 1
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

/** The newest versions of these records that are not about a companion alone. */
export const newestSql = (ids: string) => `
  SELECT record_id AS id, number AS version, author, checksum, body FROM version AS newest
  WHERE record_id IN ${ids} AND number = (
    SELECT max(number) FROM version AS own WHERE own.record_id = newest.record_id AND NOT EXISTS (
      SELECT 1 FROM companion WHERE companion.record_id = own.record_id AND companion.number = own.number AND alone = 1))
  ORDER BY record_id`

/** A record with the number of the last version in its log, which an own version or one of a companion follows. */
export const writableColumns = `id, version, mark AS "versionTag", state, updated, body,
  (SELECT max(number) FROM version WHERE record_id = record.id) AS versions`

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

/** Seq of the last change: a version or an erasure. Assigned within a write transaction, in commit order (decision 10). */
export const lastSeqSql =
  'SELECT max(seq) AS seq FROM (SELECT max(seq) AS seq FROM version UNION ALL SELECT max(seq) FROM tombstone) AS known'

export const nextSeqSql = `(SELECT coalesce(max(seq), 0) + 1 FROM (${lastSeqSql}) AS last)`

/** Ids are never reused: an erased record leaves a tombstone. */
export const lastIdSql =
  'SELECT max(id) AS id FROM (SELECT max(id) AS id FROM record UNION ALL SELECT max(record_id) FROM tombstone) AS known'

/** The stored bytes of a record do not match their checksum. Such a record is neither served nor changed. */
export class DamagedRecord extends Error {}

type Checked = Pick<StoredRecord, 'id' | 'versionTag' | 'body'>

/** Entries of the cache of checked records: a power of two, because the last bits of an id choose its slot. */
const slots = 2 ** 17
/** After this time a record is checked again, because bits may rot on disk. */
const trustMs = 600_000

/**
 * Compares the bytes of a record with the 32 bits of their checksum in its versionTag, so no other row is read.
 * Checking at each read would cost 4 % of a request, so a record that passed is trusted for ten minutes unless it
 * changes (decision 36).
 */
export function createChecksumCheck(now = () => performance.now()): <R extends Checked>(record: R | null) => R | null {
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  // Ids may be larger than 32 bits. No record has the id 0, which marks an empty slot.
  const ids = new Float64Array(slots)
  const checksums = new Uint32Array(slots)
  let trustedUntil = 0

  function isTrusted(id: number, checksum: number, slot: number): boolean {
    if (now() >= trustedUntil) {
      ids.fill(0)
      trustedUntil = now() + trustMs
    }
    return ids[slot] === id && checksums[slot] === checksum
  }

  return (record) => {
    if (record === null) return null
    const { id, versionTag, body } = record
    const checksum = Number.parseInt(versionTag.slice(-8), 16)
    const slot = id % slots
    if (isTrusted(id, checksum, slot)) return record
    Bun.SHA256.hash(body, digest)
    if (view.getUint32(0) !== checksum) throw new DamagedRecord(toDamagedText(id))
    ids[slot] = id
    checksums[slot] = checksum
    return record
  }
}

const toDamagedText = (id: number) =>
  `record ${id} does not match its checksum; stop the server, then: rostrum doctor --rebuild restores it from its version`
