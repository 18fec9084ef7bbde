import type { LinkRole, LinkState } from '../../record/link/link.ts'
import { type LinkCode, linkFindings } from '../../record/quality/finding-codes.ts'

/** SQL that several reads share. Each query starts from the few addresses in such a state. */

const toList = (words: readonly (LinkRole | LinkState)[]) => `(${words.map((word) => `'${word}'`).join(', ')})`

/** The states that a curator should act on. */
const troubledSql = `state NOT IN ${toList(['ok', 'unknown'])}`
const watched = toList(['page', 'file'])
const dead = toList(['gone', 'private'])
const used = 'link_use JOIN link ON link.id = link_id'

/** Selects the ids of records that have an address in a state. */
export const linkStateSql = `SELECT record_id AS id FROM ${used} WHERE state = ? AND ${troubledSql}`

/** Selects the ids of records with a finding. */
export function toFindingSql(code: LinkCode): string {
  const { roles, states } = linkFindings[code]
  return `SELECT record_id AS id FROM ${used} WHERE state IN ${toList(states)} AND ${troubledSql} AND role IN ${toList(roles)}`
}

/** Selects the ids of records that have recordings, all of which are dead. */
export const deadRecordsSql = `SELECT record_id AS id FROM ${used}
  WHERE state IN ${dead} AND ${troubledSql} AND role IN ${watched} AND NOT EXISTS (
    SELECT 1 FROM link_use AS other JOIN link AS alive ON alive.id = other.link_id
    WHERE other.record_id = link_use.record_id AND other.role IN ${watched} AND alive.state NOT IN ${dead})`

/** Selects the addresses of records that are in trouble. */
export const toTroubledSql = (ids: string) => `SELECT record_id AS id, url, role, state, since, target FROM ${used}
  WHERE record_id IN ${ids} AND ${troubledSql} ORDER BY record_id, role, url`

/** That no record has an address. PostgreSQL would compare a long `NOT IN` row by row. */
export const isUnusedSql = 'NOT EXISTS (SELECT 1 FROM link_use WHERE link_use.link_id = link.id)'
