import type { Paging } from '../../record/query/query.ts'
import type { PublicChange } from '../activity-reads.ts'
import type { BatchesQuery, BatchLine } from '../batch-reads.ts'
import type {
  ChangeDetails,
  ChangeLogEntry,
  ChangesPage,
  ChangesQuery,
  FeedEntry,
  HistoryQuery,
  LogPage,
  VersionLine,
} from '../change-log.ts'
import type { Database } from '../database.ts'
import type { SlowReads } from '../store.ts'
import { lastSeqSql } from '../write/version-rows.ts'
import { createBatchLines } from './batch-lines.ts'

/** The version log by record, by batch, and in the order of commits. */
export interface ChangeLog {
  readHistory(query: HistoryQuery): Promise<LogPage<VersionLine>>
  readBatches(query: BatchesQuery): Promise<LogPage<BatchLine>>
  readChanges(query: ChangesQuery): Promise<ChangesPage>
}

/** The columns of a `VersionLine`; `changed` is JSON. */
export const versionColumns = 'number AS version, at, author AS "by", kind, reason, batch, changed'
export type VersionRow = Omit<VersionLine, 'changed'> & { readonly changed: string }

export function toVersionLine({ changed, ...line }: VersionRow): VersionLine {
  return { ...line, changed: JSON.parse(changed) }
}

/** Repeats the condition of the partial index to the letter; it is used only then. */
const isPublic = `(state = 1 OR kind = 'withdrawn')`
const changeColumns = `seq, record_id AS id, number AS version, at, kind, CASE WHEN ${isPublic} THEN 1 ELSE 0 END AS "isPublic"`
const detailColumns = 'author AS "by", reason, changed'

/** Erasing a record deletes its versions; its tombstone is the change in the feed. */
const erasureColumns = `seq, record_id AS id, version, at, 'withdrawn' AS kind, was_public AS "isPublic"`
const noDetails = 'NULL AS "by", NULL AS reason, NULL AS changed'

type ChangeRow = FeedEntry & { readonly isPublic: number }
type DetailedRow = ChangeRow & Pick<ChangeDetails, 'by' | 'reason'> & { readonly changed: string | null }

const toPublicEntry = (row: ChangeRow): ChangeLogEntry => ({ ...row, isPublic: row.isPublic === 1, details: null })

function toDetailedEntry({ by, reason, changed, ...row }: DetailedRow): ChangeLogEntry {
  const fields = changed === null ? [] : JSON.parse(changed)
  return { ...row, isPublic: row.isPublic === 1, details: { by, reason, fields } }
}

interface LogDeps {
  /** The id of the store (decision 37). */
  readStoreId(db: Database): Promise<string>
  /** The last published change (decision 10); without a server, the last one that exists. */
  loadPublished?(): number
  /** The bulk change whose transaction is open, and how many of its records are done (decision 51). */
  loadBulk?(): { readonly batch: number; readonly done: number }
}

export function createChangeLog(db: Database, { readStoreId, loadPublished, loadBulk }: LogDeps): ChangeLog {
  // The newest number is the count: versions have no gaps and are only deleted together.
  const countVersions = db.query<{ count: number | null }, [number]>(
    'SELECT max(number) AS count FROM version WHERE record_id = ?',
  )
  const readVersions = db.query<VersionRow, [number, number, number]>(
    `SELECT ${versionColumns} FROM version WHERE record_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
  )
  const batches = createBatchLines(db)
  const findLast = db.query<{ seq: number | null }, []>(lastSeqSql)
  const readAll = db.query<DetailedRow, [number, number, number]>(
    `SELECT ${changeColumns}, ${detailColumns} FROM version WHERE seq > ?1 AND seq <= ?2
     UNION ALL SELECT ${erasureColumns}, ${noDetails} FROM tombstone WHERE seq > ?1 AND seq <= ?2
     ORDER BY seq LIMIT ?3`,
  )
  const readOfAuthor = db.query<DetailedRow, [number, number, number, string]>(
    `SELECT ${changeColumns}, ${detailColumns} FROM version
     WHERE author = ?4 AND seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3`,
  )
  const readPublic = db.query<ChangeRow, [number, number, number]>(
    `SELECT ${changeColumns} FROM version WHERE seq > ?1 AND seq <= ?2 AND ${isPublic}
     UNION ALL SELECT ${erasureColumns} FROM tombstone WHERE seq > ?1 AND seq <= ?2 AND was_public = 1
     ORDER BY seq LIMIT ?3`,
  )

  const countContents = db.query<{ count: number }, [number, string]>(
    'SELECT count(*) AS count FROM companion WHERE record_id = ? AND name = ?',
  )
  const readContents = db.query<VersionRow, [number, number, string, number, number]>(
    `SELECT ${versionColumns} FROM version WHERE record_id = ? AND number IN
       (SELECT number FROM companion WHERE record_id = ? AND name = ?) ORDER BY number DESC LIMIT ? OFFSET ?`,
  )

  async function readCompanionHistory(id: number, name: string, paging: Paging) {
    const count = (await countContents.get(id, name))?.count ?? 0
    return readLogPage(paging, count, async (limit, offset) =>
      (await readContents.all(id, id, name, limit, offset)).map(toVersionLine),
    )
  }

  async function readEntries({ visibility, by, limit }: ChangesQuery, since: number, last: number) {
    if (visibility === 'live') return (await readPublic.all(since, last, limit)).map(toPublicEntry)
    const rows = by === null ? readAll.all(since, last, limit) : readOfAuthor.all(since, last, limit, by)
    return (await rows).map(toDetailedEntry)
  }

  return {
    readHistory: ({ id, companion, ...paging }) =>
      db.transaction('read', async () => {
        if (companion !== undefined) return readCompanionHistory(id, companion, paging)
        const count = (await countVersions.get(id))?.count ?? 0
        return readLogPage(paging, count, async (limit, offset) =>
          (await readVersions.all(id, limit, offset)).map(toVersionLine),
        )
      }),
    readBatches: (query) =>
      db.transaction('read', async () => {
        const count = await batches.count(query)
        const bulk = loadBulk?.()
        const withProgress = (line: BatchLine) =>
          line.id === bulk?.batch && line.state === 'running' ? { ...line, done: bulk.done } : line
        return readLogPage(query, count, async (...range) => (await batches.list(query, ...range)).map(withProgress))
      }),
    readChanges(query) {
      // Loaded before the snapshot, so that the snapshot includes all published changes.
      const published = loadPublished?.() ?? Number.POSITIVE_INFINITY
      // One snapshot, so that the sequence numbers belong to this store id (decision 37).
      return db.transaction('read', async () => {
        const store = await readStoreId(db)
        // After a failover the store may have fewer changes than were published.
        const last = Math.min(published, (await findLast.get())?.seq ?? 0)
        const changes = query.since === null ? [] : await readEntries(query, query.since, last)
        return { changes, last, store }
      })
    },
  }
}

/** `count`: lines on all pages. */
export async function readLogPage<Line>(
  { page: wanted, pageSize }: Paging,
  count: number,
  read: (limit: number, offset: number) => Promise<readonly Line[]>,
): Promise<LogPage<Line>> {
  const page = wanted === 'last' ? Math.max(1, Math.ceil(count / pageSize)) : wanted
  return { count, page, lines: (page - 1) * pageSize < count ? await read(pageSize, (page - 1) * pageSize) : [] }
}

/**
 * Public changes of records that are live now. A change of the whiteboard alone is not visible to viewers. The newest
 * changes are among the records that changed last, or whose companions did, so only their versions are read. SQLite
 * plans a statement again at every run if a limit is a bare parameter.
 */
const sql = `
  SELECT version.record_id AS id, version.number AS version, version.at, version.kind FROM (
    SELECT id FROM (
      SELECT id FROM listing WHERE category_id = ?1 AND state = 1 ORDER BY updated DESC, id DESC LIMIT ?2 + 0
    ) AS own
    UNION SELECT id FROM (
      SELECT listing.id FROM listing CROSS JOIN companion CROSS JOIN version
      WHERE category_id = ?1 AND listing.state = 1 AND companion.record_id = listing.id AND alone = 1
        AND version.record_id = companion.record_id AND version.number = companion.number AND version.state = 1
      ORDER BY seq DESC LIMIT ?2 + 0
    ) AS beside
  ) AS latest CROSS JOIN version
  WHERE version.record_id = latest.id AND version.state = 1 AND version.changed <> '["whiteboard"]'
  ORDER BY version.seq DESC LIMIT ?2 + 0`

/** The last changes of the live records of an event (decision 61). */
export function createEventChanges(db: Database): Pick<SlowReads, 'listEventChanges'> {
  const findCategory = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const list = db.query<PublicChange, [number, number]>(sql)
  return {
    listEventChanges: ({ category, limit }) =>
      db.transaction('read', async () => {
        const id = (await findCategory.get(category))?.id
        return id === undefined ? [] : await list.all(id, limit)
      }),
  }
}
