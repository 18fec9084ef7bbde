import type { NameKind } from '../../record/name.ts'
import { fromBody } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type {
  Activity,
  ActivityCursor,
  ActivityPage,
  ActivityQuery,
  BatchActivity,
  CategoryActivity,
  DismissalActivity,
  ProfileActivity,
  VersionActivity,
} from '../activity-reads.ts'
import type { Database, Value } from '../database.ts'
import type { SlowReads } from '../store.ts'

/** Versions with `from <= seq < to`. */
interface SeqRange {
  readonly from: number
  readonly to: number
}

const everything: SeqRange = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** After every time that can be stored. */
const newest: ActivityCursor = { seq: everything.to, at: '9999', shown: 0 }

/** All changes and their authors, newest first: versions by their seq, everything else by its time. */
export function createActivity(db: Database): Pick<SlowReads, 'listActivity'> {
  const findCategory = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const findRange = createDayRange(db)
  const readVersions = createVersionLines(db)
  const readOthers = createOtherLines(db)

  async function listOthers(query: ActivityQuery, category: number | null, start: ActivityCursor) {
    const { by, batch, day, limit } = query
    if (batch !== null) return []
    const end = day === null ? newest.at : toNextDay(day)
    const until = start.at < end ? start.at : end
    const found = await readOthers({ until, since: day ?? '', by, category }, limit + 1 + start.shown)
    return found.slice(start.at === found[0]?.at ? start.shown : 0)
  }

  async function read(query: ActivityQuery): Promise<ActivityPage> {
    const { by, batch, limit, cursor } = query
    const category = query.category === null ? null : ((await findCategory.get(query.category))?.id ?? 0)
    const range = query.day === null ? everything : await findRange(query.day)
    const start = cursor ?? newest
    const filter = { by, batch, category, from: range.from, to: Math.min(start.seq, range.to) }
    const versions = await readVersions(filter, limit + 1, batch === null && category === null)
    return toPage(versions, await listOthers(query, category, start), start, limit)
  }

  return { listActivity: (query) => db.transaction('read', () => read(query)) }
}

/** The newest lines of both, and where the next page begins. */
function toPage(versions: SeqLines, others: readonly Activity[], start: ActivityCursor, limit: number): ActivityPage {
  const lastAt = versions.isEnd ? '' : (versions.lines.at(-1)?.line.at ?? '')
  const known = others.filter(({ at }) => at >= lastAt)
  const lines: Activity[] = []
  let [i, j] = [0, 0]
  while (lines.length < limit) {
    const [version, other] = [versions.lines[i], known[j]]
    if (version !== undefined && (other === undefined || version.line.at >= other.at)) {
      lines.push(version.line)
      i++
    } else if (other !== undefined) {
      lines.push(other)
      j++
    } else break
  }
  const isAll = i === versions.lines.length
  if (isAll && versions.isEnd && j === others.length) return { lines, next: null }
  const seq = isAll ? versions.next : i === 0 ? start.seq : (versions.lines[i - 1]?.next ?? start.seq)
  return { lines, next: { seq, ...toOtherPosition(known.slice(0, j), start) } }
}

function toOtherPosition(shown: readonly Activity[], start: ActivityCursor): { at: Timestamp; shown: number } {
  const at = shown.at(-1)?.at ?? start.at
  const same = shown.filter((line) => line.at === at).length
  return { at, shown: same + (at === start.at ? start.shown : 0) }
}

/** Selects versions in this range, of this author, category (its id) and batch. */
interface VersionFilter extends SeqRange {
  readonly by: string | null
  readonly category: number | null
  readonly batch: number | null
}

/** A line, and the seq before which the next one begins. */
interface SeqLine {
  readonly line: Activity
  readonly next: number
}

interface SeqLines {
  readonly lines: readonly SeqLine[]
  /** Whether the range has no more lines. If false, the lines before `next` are not read yet. */
  readonly isEnd: boolean
  readonly next: number
}

type Row = Omit<VersionActivity, 'is' | 'changed'> & { readonly seq: number; readonly changed: string | null }

const columns = `seq, record_id AS id, number AS version, at, kind, author AS "by", reason, batch, changed`
/** An erased record has no author. */
const erasures = `SELECT seq, record_id AS id, version, at, '' AS kind, '' AS "by", NULL AS reason, NULL AS batch,
  NULL AS changed FROM tombstone WHERE seq >= ? AND seq < ?`

const chunkSize = 200
/** Limits the chunks of a page; a page of batches only may be short. */
const maxChunks = 10

/** Reads the log of versions from its end. */
function createVersionLines(db: Database) {
  const readBatch = db.query<Omit<BatchActivity, 'is'>, [number]>(
    'SELECT id, at, author AS "by", reason, kind, undoes, records FROM batch WHERE id = ?',
  )
  const measure = db.query<{ first: number; count: number }, [number, number]>(
    'SELECT min(seq) AS first, count(*) AS count FROM version WHERE batch = ? AND seq <= ?',
  )

  function readRows(filter: VersionFilter, before: number): Promise<Row[]> {
    const { sql, values } = toSql(filter, before)
    return db.query<Row, Value[]>(sql).all(...values)
  }

  /** The seq of the first version of a batch, if nothing else is between it and this one. */
  async function skip({ seq, batch }: Row): Promise<number> {
    const found = batch === null ? null : await measure.get(batch, seq)
    return found !== null && seq - found.first + 1 === found.count ? found.first : seq
  }

  /** At most `limit` lines. `isGrouped`: a batch is one line. */
  return async (filter: VersionFilter, limit: number, isGrouped: boolean): Promise<SeqLines> => {
    const lines: SeqLine[] = []
    const shown = new Set<number>()
    let next = filter.to
    for (let chunk = 0; chunk < maxChunks; chunk++) {
      const rows = await readRows(filter, next)
      for (const row of rows) {
        next = row.seq
        if (isGrouped && row.batch !== null && shown.has(row.batch)) continue
        if (lines.length === limit) return { lines, isEnd: false, next: lines.at(-1)?.next ?? next }
        const batch = isGrouped && row.batch !== null ? await readBatch.get(row.batch) : null
        if (batch !== null) shown.add(batch.id)
        // Later versions of the batch are skipped, as far as they follow each other.
        const line: Activity = batch === null ? toActivity(row) : { is: 'batch', ...batch, at: row.at }
        lines.push({ line, next: batch === null ? row.seq : await skip(row) })
      }
      if (rows.length < chunkSize) return { lines, isEnd: true, next }
      next = Math.min(next, lines.at(-1)?.next ?? next)
    }
    return { lines, isEnd: false, next }
  }
}

function toActivity({ seq: _, changed, ...row }: Row): Activity {
  if (changed === null) return { is: 'erasure', at: row.at, id: row.id }
  return { is: 'version', ...row, changed: JSON.parse(changed) }
}

interface Sql {
  readonly sql: string
  readonly values: readonly Value[]
}

/** The sequence numbers come from an index; only the rows of the page are read. */
function toSql({ from, by, category, batch }: VersionFilter, before: number): Sql {
  const conditions: (readonly [string, Value])[] = [
    ['version.seq >= ?', from],
    ['version.seq < ?', before],
    ...(by === null ? [] : ([['version.author = ?', by]] as const)),
    ...(category === null ? [] : ([['listing.category_id = ?', category]] as const)),
    ...(batch === null ? [] : ([['version.batch = ?', batch]] as const)),
  ]
  // SQLite reads the tables of a cross join in this order: all records of a category, or all versions of an author.
  const joined = by === null ? 'listing CROSS JOIN version' : 'version CROSS JOIN listing'
  const source = category === null ? 'version' : joined
  const where = [...(category === null ? [] : ['version.record_id = listing.id']), ...conditions.map(([text]) => text)]
  const chosen = `SELECT version.seq FROM ${source} WHERE ${where.join(' AND ')} ORDER BY version.seq DESC LIMIT ${chunkSize}`
  const versions = `SELECT ${columns} FROM version WHERE seq IN (${chosen})`
  const values = conditions.map(([, value]) => value)
  if (conditions.length > 2) return { sql: `${versions} ORDER BY seq DESC`, values }
  const sql = `SELECT * FROM (${versions} UNION ALL ${erasures}) AS changes ORDER BY seq DESC LIMIT ${chunkSize}`
  return { sql, values: [...values, from, before] }
}

/** Selects changes other than versions of records: up to this time, from `since` on, of this author and category. */
interface OtherFilter {
  readonly until: Timestamp
  readonly since: string
  readonly by: string | null
  readonly category: number | null
}

interface ImportRow {
  readonly id: number
  readonly author: string
  readonly at: Timestamp
  readonly state: string
}

/** How far back imports are looked for. */
const maxImports = 20

type CategoryRow = Omit<CategoryActivity, 'is' | 'changed'> & { readonly changed: string }
type ProfileRow = Omit<ProfileActivity, 'is' | 'changed'> & { readonly changed: string }
type DismissalRow = Omit<DismissalActivity, 'is' | 'names' | 'of'> & { readonly of: NameKind; readonly ids: string }
type PairRow = Pick<DismissalActivity, 'at' | 'by'> & { readonly low: Uint8Array; readonly high: Uint8Array }

/** Changes of categories and of profiles of speakers, what curators called different, and batches that changed no record. */
function createOtherLines(db: Database) {
  const listImports = db.query<ImportRow, [Timestamp, number]>(
    `SELECT id, author, at, state FROM batch WHERE kind = 'import' AND at <= ? ORDER BY id DESC LIMIT ?`,
  )
  const readEnd = db.query<{ at: Timestamp | null }, [number]>('SELECT max(at) AS at FROM version WHERE batch = ?')
  /** When each import made its last version. */
  const ends = new Map<number, Timestamp>()
  const findName = {
    speaker: db.query<{ name: string }, [number]>('SELECT name FROM speaker WHERE id = ?'),
    tag: db.query<{ name: string }, [number]>('SELECT name FROM tag WHERE id = ?'),
  }

  async function readNames(of: NameKind, ids: readonly number[]): Promise<(string | null)[]> {
    const names: (string | null)[] = []
    for (const id of ids) names.push((await findName[of].get(id))?.name ?? null)
    return names
  }

  async function findEnd({ id, state }: ImportRow): Promise<Timestamp> {
    const end = ends.get(id) ?? (await readEnd.get(id))?.at ?? ''
    if (state !== 'running') ends.set(id, end)
    return end
  }

  /** An import is one line; the categories that it brought are not lines of their own. */
  async function toOutsideImports({ until }: OtherFilter): Promise<{ sql: string; values: Value[] }> {
    const values: Value[] = []
    const imports = await listImports.all(until, maxImports)
    for (const row of imports) values.push(row.author, row.at, await findEnd(row))
    return { sql: ' AND NOT (author = ? AND at BETWEEN ? AND ?)'.repeat(imports.length), values }
  }

  async function listCategories(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const narrowed =
      filter.category === null
        ? await toOutsideImports(filter)
        : { sql: ' AND category_id = ?', values: [filter.category] }
    const sql = `SELECT number AS version, at, author AS "by", reason, changed, slug, title
      FROM category_version JOIN category ON category.id = category_id
      WHERE ${where}${narrowed.sql} ORDER BY at DESC, category_id, number DESC LIMIT ?`
    const rows = await db.query<CategoryRow, Value[]>(sql).all(...values, ...narrowed.values, limit)
    return rows.map(({ changed, ...row }) => ({ is: 'category', ...row, changed: JSON.parse(changed) }))
  }

  async function listProfiles(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT speaker_id AS id, name, number AS version, at, author AS "by", reason, changed
      FROM speaker_version JOIN speaker ON speaker.id = speaker_id
      WHERE ${where} ORDER BY at DESC, speaker_id, number DESC LIMIT ?`
    const rows = await db.query<ProfileRow, Value[]>(sql).all(...values, limit)
    return rows.map(({ changed, ...row }) => ({ is: 'profile', ...row, changed: JSON.parse(changed) }))
  }

  async function listDismissals(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT at, author AS "by", kind AS "of", ids FROM dismissed_variant
      WHERE ${where} ORDER BY at DESC, kind, ids LIMIT ?`
    const lines: Activity[] = []
    for (const { ids, ...row } of await db.query<DismissalRow, Value[]>(sql).all(...values, limit)) {
      lines.push({ is: 'dismissal', ...row, names: await readNames(row.of, JSON.parse(ids)) })
    }
    return lines
  }

  async function listPairs(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT at, author AS "by", low.body AS low, high.body AS high FROM distinct_pair
      JOIN record AS low ON low.id = low_id JOIN record AS high ON high.id = high_id
      WHERE ${where} ORDER BY at DESC, low_id, high_id LIMIT ?`
    const rows = await db.query<PairRow, Value[]>(sql).all(...values, limit)
    return rows.map(({ low, high, ...row }) => ({
      ...{ is: 'dismissal', of: 'video', ...row },
      names: [fromBody(low).title, fromBody(high).title],
    }))
  }

  async function listBatches(filter: OtherFilter, limit: number): Promise<Activity[]> {
    const { where, values } = toWhere(filter)
    const sql = `SELECT id, at, author AS "by", reason, kind, undoes, records FROM batch
      WHERE ${where} AND records = 0 ORDER BY at DESC, id DESC LIMIT ?`
    const rows = await db.query<Omit<BatchActivity, 'is'>, Value[]>(sql).all(...values, limit)
    return rows.map((row) => ({ is: 'batch', ...row }))
  }

  /** Newest first, always in the same order. */
  return async (filter: OtherFilter, limit: number): Promise<readonly Activity[]> => {
    const categories = await listCategories(filter, limit)
    if (filter.category !== null) return categories
    const dismissals = [...(await listDismissals(filter, limit)), ...(await listPairs(filter, limit))]
    const lines = [...categories, ...(await listProfiles(filter, limit)), ...dismissals]
    lines.push(...(await listBatches(filter, limit)))
    return lines.sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1)).slice(0, limit)
  }
}

function toWhere({ until, since, by }: OtherFilter): { readonly where: string; readonly values: readonly Value[] } {
  const times = 'at <= ? AND at >= ?'
  return by === null
    ? { where: times, values: [until, since] }
    : { where: `${times} AND author = ?`, values: [until, since, by] }
}

const dayMs = 86_400_000

/** The day after, as `YYYY-MM-DD`. */
function toNextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}

/**
 * Finds the versions of a day by bisection: times rise with seq, and no index has them. After a clock was set back, some
 * versions are found under the day before or after.
 */
function createDayRange(db: Database): (day: string) => Promise<SeqRange> {
  const findFrom = db.query<{ seq: number; at: Timestamp }, [number]>(
    'SELECT seq, at FROM version WHERE seq >= ? ORDER BY seq LIMIT 1',
  )
  const findLast = db.query<{ seq: number | null }, []>('SELECT max(seq) AS seq FROM version')

  /** The first seq at or after this time. */
  async function bisect(time: string, end: number): Promise<number> {
    let [low, high] = [0, end]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = await findFrom.get(middle)
      if (row !== null && row.at < time) low = row.seq + 1
      else high = middle
    }
    return low
  }

  return async (day) => {
    const end = ((await findLast.get())?.seq ?? 0) + 1
    return { from: await bisect(day, end), to: await bisect(toNextDay(day), end) }
  }
}
