import type { ChangesPage, ChangesQuery } from '../change-log.ts'
import type { Database } from '../database.ts'
import { alwaysAnswered } from '../read/list/list-page.ts'
import type { DumpPiece, DumpQuery, SiteReads } from '../site-reads.ts'
import { createDumpFile, type DumpFile, type HasRoom, NoRoom } from './dump-file.ts'
import type { SiteReadNeeds } from './site-needs.ts'

export interface LiveDumpNeeds extends Pick<SiteReadNeeds, 'db' | 'sql' | 'changesCounter'> {
  readChanges(query: ChangesQuery): Promise<ChangesPage>
  /** Where the file is, which has no name. */
  readonly folder: string
  readonly hasRoom?: HasRoom
  now?(): number
}

/** The dump of one day, as far as it is made. */
interface Dump {
  readonly version: string
  readonly day: string
  readonly file: DumpFile
  readonly store: string
  /** The last record in it. */
  lastId: number
  isComplete: boolean
  /** No record in it was withdrawn up to this change, or while the counter has this value. */
  seq: number
  counter: number
}

/** A step takes about 3 ms of CPU. */
const recordsPerStep = 100
/** A client that does not read holds one piece in memory. */
const maxPieceBytes = 64 * 1024
const changesPerRead = 1_000
const publicFeed = { visibility: 'live', by: null } as const

export interface LiveDump {
  readonly read: SiteReads['readDump']
  /** Whether the dump is known to be valid, or there is none. */
  isComplete(): boolean
  /** Throws the dump away if it must not be served any more; never anything left. */
  loadSome(): Promise<boolean>
  close(): void
}

/**
 * All live records as a gzip file of lines, made while the first client reads it and thrown away when a record in it is
 * withdrawn or erased, or on the next day (ADR 49).
 */
export function createLiveDump(needs: LiveDumpNeeds): LiveDump {
  const { readChanges, changesCounter, folder, hasRoom, now = Date.now } = needs
  const readLines = createLineReader(needs)
  const toDay = () => new Date(now()).toISOString().slice(0, 10)
  let current: Dump | null = null

  function discard(): void {
    current?.file.close()
    current = null
  }

  async function begin(): Promise<Dump> {
    discard()
    const counter = changesCounter()
    const { last: seq, store } = await readChanges({ since: null, limit: 1, ...publicFeed })
    const file = createDumpFile(folder, hasRoom)
    const version = `${toDay()}.${seq}.${crypto.randomUUID().slice(0, 8)}`
    current = { version, day: toDay(), file, store, lastId: 0, isComplete: false, seq, counter }
    return current
  }

  /** Whether a record in the dump was withdrawn since the last look. */
  async function isOutdated(dump: Dump): Promise<boolean> {
    const counter = changesCounter()
    if (counter === dump.counter) return false
    for (let hasMore = true; hasMore; ) {
      const { changes, last, store } = await readChanges({ since: dump.seq, limit: changesPerRead, ...publicFeed })
      if (store !== dump.store || last < dump.seq) return true
      if (changes.some(({ kind, id }) => kind === 'withdrawn' && id <= dump.lastId)) return true
      hasMore = changes.length === changesPerRead
      dump.seq = hasMore ? (changes.at(-1)?.seq ?? last) : last
    }
    dump.counter = counter
    return false
  }

  async function findCurrent(): Promise<Dump | null> {
    if (current === null || !(await isOutdated(current))) return current
    discard()
    return null
  }

  async function extend(dump: Dump): Promise<void> {
    const { lines, lastId, isLast } = await readLines(dump.lastId)
    dump.file.append(lines)
    dump.lastId = lastId
    if (isLast) dump.file.end()
    dump.isComplete = isLast
  }

  async function readPiece({ version, position }: DumpQuery): Promise<DumpPiece | null> {
    const found = await findCurrent()
    const isWanted = version === null ? found?.day === toDay() : found?.version === version
    if (version !== null && !isWanted) return null
    const dump = found !== null && isWanted ? found : await begin()
    try {
      // At least one step, so that the first piece is more than the head of the file.
      while (!dump.isComplete && (dump.lastId === 0 || dump.file.size() <= position)) await extend(dump)
    } catch (error) {
      discard()
      throw error
    }
    const bytes = dump.file.read(position, maxPieceBytes)
    const isLast = dump.isComplete && position + bytes.length >= dump.file.size()
    return { version: dump.version, bytes, isLast }
  }

  async function read(query: DumpQuery): Promise<DumpPiece | null | 'full'> {
    try {
      return await readPiece(query)
    } catch (error) {
      if (error instanceof NoRoom) return 'full'
      throw error
    }
  }

  return {
    read,
    isComplete() {
      const counter = changesCounter()
      return current === null || Number.isNaN(counter) || (counter === current.counter && current.day === toDay())
    },
    async loadSome() {
      if ((await findCurrent())?.day !== toDay()) discard()
      return false
    },
    close: discard,
  }
}

/** Reads the next live records as lines. */
function createLineReader({ db, sql }: Pick<LiveDumpNeeds, 'db' | 'sql'>) {
  const listIds = createIdList(db)
  return (afterId: number) =>
    db.transaction('read', async () => {
      const ids = await listIds(afterId)
      // Fewer if they are large.
      const records =
        (await sql.readBodies(ids, null)) ?? (await sql.readBodies(ids.slice(0, alwaysAnswered), null)) ?? []
      const isLast = ids.length < recordsPerStep && records.length === ids.length
      return { lines: records.map(toLine).join(''), lastId: ids[records.length - 1] ?? afterId, isLast }
    })
}

/** Notes for curators; 255 characters take 6 or 12 each. Quotes inside a text are escaped, so this is the field. */
const whiteboard = /"whiteboard":"(?:[^"\\]|\\.){1,3100}"/

/** A record of the public: all fields, but without the notes for curators. */
function toLine(text: string): string {
  return `${text.replace(whiteboard, '"whiteboard":""')}\n`
}

function createIdList(db: Database) {
  const list = db.query<{ id: number }, [number]>(
    `SELECT id FROM listing WHERE id > ? AND state = 1 ORDER BY id LIMIT ${recordsPerStep}`,
  )
  return async (afterId: number) => (await list.all(afterId)).map(({ id }) => id)
}
