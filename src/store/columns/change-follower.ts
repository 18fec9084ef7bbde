import type { NameKind } from '../../record/name.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { lastSeqSql } from '../write/version-rows.ts'
import type { RecordData, RecordRow } from './record-data.ts'
import { sourceBit } from './slots.ts'

/** Records per step at most: takes 5 to 10 ms on SQLite. */
const usualChunk = 2_000
/** The first step runs code that is not compiled yet. */
const firstChunk = 200
/** A request waits for at most one step; the next one has fewer records if this one took longer. */
const maxStepMs = 15
/** Chunks that a list applies itself, in about 50 ms. If there are more, SQL answers until the background has applied them. */
const maxInline = 6

/** A change and its identity: after a failover, another change may have its number. */
export interface Change {
  readonly seq: number
  readonly id: number
  readonly at: string
}

const none: Change = { seq: 0, id: 0, at: '' }

const changesSql = `SELECT seq, record_id AS id, at FROM version WHERE seq >= ?1
  UNION ALL SELECT seq, record_id AS id, at FROM tombstone WHERE seq >= ?1 ORDER BY seq LIMIT ?2`

interface FollowerDeps {
  readonly db: Database
  readonly data: RecordData
  /** Called between chunks; may throw. */
  onStep(): void
  rebuildCounter(): number
  readonly chunkSize?: number | undefined
}

/** Loads all records, then follows the change log: every change of a record writes a version or a tombstone. */
export function createChangeFollower(deps: FollowerDeps) {
  const { db, data, onStep, rebuildCounter, chunkSize = usualChunk } = deps
  const rows = createRowReader(db, data)
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const listChanges = db.query<Change, [number, number]>(changesSql)
  const findTombstone = db.query<{ seq: number }, [number]>('SELECT seq FROM tombstone WHERE record_id = ?')

  let stepSize = Math.min(firstChunk, chunkSize)
  let isBegun = false
  /** The last id that was loaded; null once all are. */
  let loadedId: number | null = 0
  /** The last change that was applied, or the last one before the load began. */
  let applied = none
  let isCurrent = false
  let rebuilds = rebuildCounter()
  let revision = 0

  async function begin(): Promise<void> {
    data.clear()
    // First: the queries below may fail.
    revision++
    isCurrent = false
    loadedId = 0
    const last = (await findLastSeq.get())?.seq ?? 0
    applied = last === 0 ? none : ((await listChanges.all(last, 1))[0] ?? none)
    isBegun = true
  }

  /** A rebuild writes no versions. */
  function isRebuilt(): boolean {
    const [counter, known] = [rebuildCounter(), rebuilds]
    if (Number.isNaN(counter)) return false
    rebuilds = counter
    return counter !== known && !Number.isNaN(known)
  }

  /** Whether the store still has the change that was applied last. Erasing a record deletes its versions. */
  async function isSameHistory(first: Change | undefined): Promise<boolean> {
    if (applied.seq === 0) return true
    if (first?.seq === applied.seq) return first.id === applied.id && first.at === applied.at
    return ((await findTombstone.get(applied.id))?.seq ?? 0) > applied.seq
  }

  /** Applies a chunk of changes. Starts over if the store has lost changes. */
  async function applyChunk(): Promise<void> {
    // The last applied change comes first, so one query tells whether anything changed.
    const found = await listChanges.all(applied.seq, chunkSize + 1)
    if (isRebuilt() || !(await isSameHistory(found[0]))) return begin()
    const changes = found.filter(({ seq }) => seq > applied.seq)
    isCurrent = false
    if (changes.length > 0) revision++
    await rows.readMany(new Set(changes.map(({ id }) => id)))
    applied = changes.at(-1) ?? applied
    isCurrent = found.length <= chunkSize
  }

  /** One chunk of records or changes; whether anything is left. */
  async function loadSome(): Promise<boolean> {
    if (!isBegun) await begin()
    if (loadedId === null) await applyChunk()
    else loadedId = await loadAfter(loadedId)
    return !isCurrent
  }

  async function loadAfter(id: number): Promise<number | null> {
    const [size, smaller] = [stepSize, Math.max(Math.min(firstChunk, chunkSize), stepSize >> 1)]
    const startMs = performance.now()
    // Also if reading fails, perhaps because it took too long.
    stepSize = smaller
    const last = await rows.readAfter(id, size)
    if (performance.now() - startMs <= maxStepMs) stepSize = Math.min(chunkSize, size * 2)
    return last
  }

  return {
    loadSome,
    async refresh(): Promise<void> {
      if (loadedId !== null) return
      await applyChunk()
      for (let chunks = 1; !isCurrent && loadedId === null && chunks < maxInline; chunks++) {
        onStep()
        await applyChunk()
      }
    },
    async loadAll(): Promise<void> {
      while (await loadSome()) onStep()
    },
    isComplete: () => isCurrent,
    revision: () => revision,
    lastChange: () => applied,
  }
}

/** A speaker or tag of a record. */
interface Link {
  readonly id: number
  readonly name: number
}

/** Repeats the condition of the partial index to the letter; it is used only then. */
const liveSeqSql = `SELECT max(seq) FROM version WHERE record_id = listing.id AND version.state = 1 AND kind = 'created'`
const rowSql = `SELECT id, state, category_id AS category, language, recorded, duration,
  quality, host, author, added, updated, source_url AS video,
  media + CASE WHEN source_url = '' THEN 0 ELSE ${sourceBit} END AS media,
  coalesce(CASE WHEN listing.state = 1 THEN (${liveSeqSql}) END, 0) AS "liveSeq" FROM listing WHERE`
const toLinkSql = (kind: NameKind, condition: string) =>
  `SELECT record_id AS id, ${kind}_id AS name FROM record_${kind} WHERE record_id ${condition} ORDER BY record_id, place`

/** Reads records from the tables into memory. Rows are read before any is stored, so that a failure changes nothing. */
interface RowReader {
  /** The records after this id, up to `limit`; returns the last id, or null if there are none. */
  readAfter(id: number, limit: number): Promise<number | null>
  /** These records; removes those that no longer exist. */
  readMany(ids: Iterable<number>): Promise<void>
}

function createRowReader(db: Database, data: RecordData): RowReader {
  const rowsAfter = db.query<RecordRow, [number, number]>(`${rowSql} id > ? ORDER BY id LIMIT ?`)
  const between = 'BETWEEN ? AND ?'
  const speakersBetween = db.query<Link, [number, number]>(toLinkSql('speaker', between))
  const tagsBetween = db.query<Link, [number, number]>(toLinkSql('tag', between))
  const someRows = createLookup<RecordRow, number>(db, (ids) => `${rowSql} id IN ${ids} ORDER BY id`)
  const someSpeakers = createLookup<Link, number>(db, (ids) => toLinkSql('speaker', `IN ${ids}`))
  const someTags = createLookup<Link, number>(db, (ids) => toLinkSql('tag', `IN ${ids}`))

  function store(rows: readonly RecordRow[], speakers: readonly Link[], tags: readonly Link[]): void {
    const [takeSpeakers, takeTags] = [createNameTaker(speakers), createNameTaker(tags)]
    for (const row of rows) data.set(row, takeSpeakers(row.id), takeTags(row.id))
  }

  return {
    async readAfter(id, limit) {
      const rows = await rowsAfter.all(id, limit)
      const last = rows.at(-1)?.id
      if (last === undefined) return null
      store(rows, await speakersBetween.all(id + 1, last), await tagsBetween.all(id + 1, last))
      return last
    },
    async readMany(ids) {
      for await (const chunk of toChunks(ids)) {
        const rows = await someRows(chunk)
        const [speakers, tags] = [await someSpeakers(chunk), await someTags(chunk)]
        const found = new Set(rows.map(({ id }) => id))
        for (const id of chunk) if (!found.has(id)) data.remove(id)
        store(rows, speakers, tags)
      }
    },
  }
}

/** Takes the names of each record in turn, in the order of record ids. */
function createNameTaker(links: readonly Link[]): (id: number) => number[] {
  let next = 0
  return (id) => {
    const names: number[] = []
    for (let link = links[next]; link !== undefined && link.id <= id; link = links[++next]) {
      if (link.id === id) names.push(link.name)
    }
    return names
  }
}
