import { toSpoken } from '../../record/transcript/spoken.ts'
import type { Cue } from '../../record/transcript/transcript.ts'
import { anyVersion, type CompanionRow, companionSql } from '../companion/companion-rows.ts'
import type { Database, Value } from '../database.ts'
import { createBulkInsert } from '../write/insert-many.ts'
import { blockSize, dropEntry, toCounts, toEntry } from './postings.ts'

/** Queues every transcript of a store whose index is empty. The database itself queues new contents. */
export const queueAllSql = `INSERT INTO moment_due (record_id, name)
  SELECT DISTINCT record_id, name FROM companion WHERE name LIKE 'transcripts/%' ON CONFLICT DO NOTHING`

/** Other writes wait for a part and its commit. */
const partMs = 20
/** Tokens that are looked up and written at once. */
const chunkSize = 128

/** The index of what was said. */
export interface MomentRows {
  /**
   * Reads the next transcript that has changed, if there is one, without a transaction. `slow`: it took as long as a part,
   * so other writes should run before it is indexed.
   */
  prepare(): Promise<'none' | 'ready' | 'slow'>
  /** Indexes a part of it, within the writer's transaction. Whether anything is left. */
  indexPart(): Promise<boolean>
  /** Removes every word of a record, within the writer's transaction. */
  drop(id: number): Promise<void>
}

/** A transcript that has changed. Until its row is deleted, no search finds it. */
interface Due {
  readonly id: number
  readonly name: string
  readonly dropped: string | null
  readonly written: string | null
}

interface Indexed {
  readonly number: number
  readonly name: string
  readonly version: number
}

/** A version of a transcript, ready to be indexed. */
interface Prepared {
  readonly id: number
  readonly name: string
  readonly version: number
  /** A deleted transcript has none. Those of another may have no word: "♪". */
  readonly hasCues: boolean
  readonly tokens: ReadonlyMap<string, readonly number[]>
  /** In order, so that the rows of a block are written one after the other. */
  readonly sorted: readonly string[]
  readonly slices: readonly number[]
}

export function createMomentRows(db: Database, now: () => number = () => performance.now()): MomentRows {
  const postings = createPostingRows(db)
  const findNext = db.query<Due, []>(
    'SELECT record_id AS id, name, dropped, written FROM moment_due ORDER BY record_id, name LIMIT 1',
  )
  const keep = db.query<null, [string | null, string | null, number, string]>(
    'UPDATE moment_due SET dropped = ?, written = ? WHERE record_id = ? AND name = ?',
  )
  const settle = db.query<null, [number, string]>('DELETE FROM moment_due WHERE record_id = ? AND name = ?')
  const findNumber = db.query<{ number: number }, [number, string, number]>(
    'SELECT number FROM companion WHERE record_id = ? AND name = ? AND number <= ? ORDER BY number DESC LIMIT 1',
  )
  const findContent = db.query<CompanionRow, [number, string, number]>(companionSql)
  const listIndexed = db.query<Indexed, [number]>(
    'SELECT number, name, version FROM moment_transcript WHERE record_id = ? ORDER BY number',
  )
  const findLast = db.query<{ number: number | null }, []>('SELECT max(number) AS number FROM moment_transcript')
  const insert = db.query<null, [number, number, string, number, Uint8Array]>(
    'INSERT INTO moment_transcript (number, record_id, name, version, slices) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = db.query<null, [number]>('DELETE FROM moment_transcript WHERE number = ?')
  /** The last one: its parts follow each other, and other processes rarely do them. */
  let prepared: Prepared | null = null

  async function read(id: number, name: string, version: number): Promise<Prepared> {
    // First without the content, which is megabytes for each part of a long transcript.
    const number = (await findNumber.get(id, name, version))?.number ?? 0
    if (prepared?.id === id && prepared.name === name && prepared.version === number) return prepared
    const row = await findContent.get(id, name, number)
    const cues = row === null ? [] : parseCues(row.body)
    const { tokens, slices } = toSpoken(cues)
    prepared = {
      id,
      name,
      version: number,
      hasCues: cues.length > 0,
      tokens,
      sorted: [...tokens.keys()].sort(),
      slices,
    }
    return prepared
  }

  async function dropPart({ id, name, dropped }: Due, { number }: Indexed, isOver: () => boolean): Promise<void> {
    const last = await postings.drop(number, dropped ?? '', isOver)
    if (last === null) remove.send(number)
    keep.send(last, null, id, name)
  }

  /** A transcript that is begun has a number and a version, and is written to its end unless its content changes again. */
  async function writePart(
    { id, name, written }: Due,
    begun: Indexed | undefined,
    isOver: () => boolean,
  ): Promise<void> {
    const transcript = await read(id, name, begun?.version ?? anyVersion)
    if (!transcript.hasCues) return settle.send(id, name)
    const number = begun?.number ?? ((await findLast.get())?.number ?? -1) + 1
    if (begun === undefined) insert.send(number, id, name, transcript.version, toCounts(transcript.slices))
    const last = await postings.append(number, transcript, written, isOver)
    if (last === null) settle.send(id, name)
    else keep.send(null, last, id, name)
  }

  return {
    async prepare() {
      const due = await findNext.get()
      if (due === null) return 'none'
      const [before, slowMs] = [prepared, now() + partMs]
      if (due.written === null) await read(due.id, due.name, anyVersion)
      // One that was read before is ready, however far away the database is.
      return prepared !== before && now() > slowMs ? 'slow' : 'ready'
    },
    async indexPart() {
      const due = await findNext.get()
      if (due === null) return false
      const untilMs = now() + partMs
      const isOver = () => now() > untilMs
      const indexed = (await listIndexed.all(due.id)).find(({ name }) => name === due.name)
      if (indexed !== undefined && due.written === null) await dropPart(due, indexed, isOver)
      else await writePart(due, indexed, isOver)
      return (await findNext.get()) !== null
    },
    async drop(id) {
      for (const { number } of await listIndexed.all(id)) {
        await postings.drop(number, '', () => false)
        remove.send(number)
      }
    },
  }
}

/** Written by us; a damaged content has no words. */
export function parseCues(body: Uint8Array): readonly Cue[] {
  try {
    const { cues } = JSON.parse(Buffer.from(body).toString())
    return Array.isArray(cues) ? cues : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

interface Posting {
  readonly token: string
  readonly body: Uint8Array
}

/** Both methods return the last token that was done when the time was over, or null at the end. */
function createPostingRows(db: Database) {
  const columns = ['block', 'token', 'body']
  const renewed = 'ON CONFLICT (block, token) DO UPDATE SET body = excluded.body'
  const bulk = createBulkInsert(db, 'moment_posting', columns, renewed)
  const placeholders = Array(chunkSize).fill('?').join(', ')
  const lookUp = db.query<Posting, Value[]>(
    `SELECT token, body FROM moment_posting WHERE block = ? AND token IN (${placeholders})`,
  )
  const list = db.query<Posting, [number, string]>(
    `SELECT token, body FROM moment_posting WHERE block = ? AND token > ? ORDER BY token LIMIT ${chunkSize}`,
  )
  const remove = db.query<null, [number, string]>('DELETE FROM moment_posting WHERE block = ? AND token = ?')

  async function findKnown(block: number, tokens: readonly string[]): Promise<Map<string, Uint8Array>> {
    const some = Array.from({ length: chunkSize }, (_, i) => tokens[i] ?? tokens[0] ?? '')
    return new Map((await lookUp.all(block, ...some)).map(({ token, body }) => [token, body]))
  }

  return {
    async append(number: number, { tokens, sorted }: Prepared, after: string | null, isOver: () => boolean) {
      const block = Math.floor(number / blockSize)
      const from = after === null ? 0 : sorted.filter((token) => token <= after).length
      for (let index = from; index < sorted.length; index += chunkSize) {
        if (index > from && isOver()) return sorted[index - 1] ?? null
        const chunk = sorted.slice(index, index + chunkSize)
        const known = await findKnown(block, chunk)
        for (const token of chunk) {
          const entry = toEntry(number, tokens.get(token) ?? [])
          const before = known.get(token)
          await bulk.add([block, token, before === undefined ? entry : Buffer.concat([before, entry])])
        }
        await bulk.flush()
      }
      return null
    },
    /** Reads the whole block, because the former tokens of the transcript may not be known. */
    async drop(number: number, after: string, isOver: () => boolean): Promise<string | null> {
      const block = Math.floor(number / blockSize)
      let last = after
      for (let rows = await list.all(block, last); rows.length > 0; rows = await list.all(block, last)) {
        for (const { token, body } of rows) {
          last = token
          const rest = dropEntry(body, number)
          if (rest.length === body.length) continue
          if (rest.length === 0) remove.send(block, token)
          else await bulk.add([block, token, rest])
        }
        await bulk.flush()
        if (isOver()) return last
      }
      return null
    },
  }
}
