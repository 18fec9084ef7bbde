import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { toVersionTag } from './version-rows.ts'

/** What has fields of its own, each state of which is kept as a row of `<kind>_version`. */
export type VersionedKind = 'category' | 'speaker'

/** Author, time and reason of a change; stored with its version. */
export interface FieldAuthorship {
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
}

export interface FieldVersionRow {
  readonly version: number
  readonly updated: Timestamp
  readonly body: string
}

interface FieldVersions {
  findNewest(id: number): Promise<FieldVersionRow | null>
  /** `body`: JSON of the fields. */
  insert(id: number, version: number, changed: readonly string[], body: string, authorship: FieldAuthorship): void
}

export function createFieldVersions(db: Database, kind: VersionedKind): FieldVersions {
  const findNewest = db.query<FieldVersionRow, [number]>(newestFieldsSql(kind))
  const insert = db.query(`
    INSERT INTO ${kind}_version (${kind}_id, number, at, author, reason, changed, body)
    VALUES ($id, $version, $at, $author, $reason, $changed, $body)`)
  return {
    findNewest: (id) => findNewest.get(id),
    insert(id, version, changed, body, { at, author, reason }) {
      insert.send({ id, version, at, author, reason, changed: JSON.stringify(changed), body })
    },
  }
}

export const newestFieldsSql = (kind: VersionedKind) =>
  `SELECT number AS version, at AS updated, body FROM ${kind}_version WHERE ${kind}_id = ? ORDER BY number DESC LIMIT 1`

/** Like the tag of a record's version (decision 3). */
export function toFieldsTag(version: number, body: string): string {
  return toVersionTag(version, new Bun.CryptoHasher('sha256').update(body).digest())
}
