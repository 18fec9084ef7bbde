import type { Timestamp } from '../record/timestamp.ts'
import type { Schedule, ScheduleFailure, SchedulesQuery } from './activity-reads.ts'
import type { Database } from './database.ts'
import { createLookup } from './read/statements.ts'
import { limitsSql } from './sessions.ts'

const columns = 'record_id AS id, at, author AS "by", role, asked_at AS asked, failure'

/** All schedules, the earliest first, or those of a page of records. */
export function createScheduleList(db: Database): (query: SchedulesQuery) => Promise<readonly Schedule[]> {
  const list = db.query<Schedule, []>(`SELECT ${columns} FROM scheduled_publish ORDER BY at, record_id`)
  const find = createLookup<Schedule, number>(
    db,
    (ids) => `SELECT ${columns} FROM scheduled_publish WHERE record_id IN ${ids}`,
  )
  return ({ ids }) => (ids === null ? list.all() : find(ids))
}

interface PublisherToken {
  readonly id: number
  readonly role: string
  /** To how many events it is limited; 0: to none. */
  readonly limits: number
}

/** The writer's statements about schedules. */
export interface ScheduleRows {
  find(id: number): Promise<Schedule | null>
  /** Those whose time has come, and that have not failed. */
  listDue(at: Timestamp, limit: number): Promise<readonly Schedule[]>
  save(schedule: Schedule): void
  remove(id: number): void
  fail(id: number, failure: ScheduleFailure): void
  /** The token of this name, if it is valid at that time. */
  findToken(name: string, at: Timestamp): Promise<PublisherToken | null>
}

export function createScheduleRows(db: Database): ScheduleRows {
  const find = db.query<Schedule, [number]>(`SELECT ${columns} FROM scheduled_publish WHERE record_id = ?`)
  const listDue = db.query<Schedule, [Timestamp, number]>(
    `SELECT ${columns} FROM scheduled_publish WHERE failure IS NULL AND at <= ? ORDER BY at, record_id LIMIT ?`,
  )
  const save = db.query<null, [number, Timestamp, string, string, Timestamp]>(
    `INSERT INTO scheduled_publish (record_id, at, author, role, asked_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (record_id) DO UPDATE SET at = excluded.at, author = excluded.author, role = excluded.role,
       asked_at = excluded.asked_at, failure = NULL`,
  )
  const remove = db.query<null, [number]>('DELETE FROM scheduled_publish WHERE record_id = ?')
  const fail = db.query<null, [string, number]>('UPDATE scheduled_publish SET failure = ? WHERE record_id = ?')
  const findToken = db.query<PublisherToken, [string, Timestamp]>(
    `SELECT id, role, ${limitsSql} AS limits FROM token WHERE name = ? AND revoked IS NULL AND replaced IS NULL
       AND (expires IS NULL OR expires > ?)`,
  )
  return {
    find: (id) => find.get(id),
    listDue: (at, limit) => listDue.all(at, limit),
    save: ({ id, at, by, role, asked }) => save.send(id, at, by, role, asked),
    remove: (id) => remove.send(id),
    fail: (id, failure) => fail.send(failure, id),
    findToken: (name, at) => findToken.get(name, at),
  }
}
