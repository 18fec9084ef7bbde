import { toSpoken } from '../../record/transcript/spoken.ts'
import type { Cue } from '../../record/transcript/transcript.ts'
import { anyVersion, type CompanionRow, companionSql } from '../companion/companion-rows.ts'
import type { Database, Value } from '../database.ts'
import { createBulkInsert } from '../write/insert-many.ts'
import { blockSize, dropEntry, toCounts, toEntry } from './postings.ts'

/** For a store of which nothing is indexed. New contents are queued by the database. */
export const queueAllSql = `INSERT INTO moment_due (record_id, name)
  SELECT DISTINCT record_id, name FROM companion WHERE name LIKE 'transcripts/%' ON CONFLICT DO NOTHING`

/** After this time no further transcript is begun: writing takes several times as long, and other writes wait for both. */
const sliceMs = 5
const maxTranscripts = 64
/** Tokens that are looked up by one statement. */
const lookupSize = 128

/** The index of what was said. Call within the writer's transaction. */
export interface MomentRows {
  /** Indexes some of the transcripts that have changed; whether any are left. */
  indexSome(): Promise<boolean>
  hasDue(): Promise<boolean>
  /** Forgets every word of a record. */
  drop(id: number): Promise<void>
}

interface Due {
  readonly id: number
  readonly name: string
}

/** Bytes to append, by block and token. */
type Added = Map<number, Map<string, Uint8Array[]>>

export function createMomentRows(db: Database, now: () => number = () => performance.now()): MomentRows {
  const postings = createPostingRows(db)
  const listDue = db.query<Due, [number]>(
    'SELECT record_id AS id, name FROM moment_due ORDER BY record_id, name LIMIT ?',
  )
  const settle = db.query<null, [number, string]>('DELETE FROM moment_due WHERE record_id = ? AND name = ?')
  const findContent = db.query<CompanionRow, [number, string, number]>(companionSql)
  const listIndexed = db.query<{ number: number; name: string }, [number]>(
    'SELECT number, name FROM moment_transcript WHERE record_id = ?',
  )
  const findLast = db.query<{ number: number | null }, []>('SELECT max(number) AS number FROM moment_transcript')
  const insert = db.query<null, [number, number, string, number, Uint8Array]>(
    'INSERT INTO moment_transcript (number, record_id, name, version, slices) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = db.query<null, [number]>('DELETE FROM moment_transcript WHERE number = ?')

  /** Whether there were any. */
  async function dropIndexed(id: number, name: string | null): Promise<boolean> {
    let isFound = false
    for (const indexed of await listIndexed.all(id)) {
      if (name !== null && indexed.name !== name) continue
      await postings.drop(indexed.number)
      remove.send(indexed.number)
      isFound = true
    }
    return isFound
  }

  async function index({ id, name }: Due, added: Added): Promise<void> {
    settle.send(id, name)
    const row = await findContent.get(id, name, anyVersion)
    const cues = row === null ? [] : parseCues(row.body)
    if (row === null || cues.length === 0) return
    const number = ((await findLast.get())?.number ?? -1) + 1
    const { tokens, slices } = toSpoken(cues)
    const block = Math.floor(number / blockSize)
    const ofBlock = added.get(block) ?? new Map<string, Uint8Array[]>()
    added.set(block, ofBlock)
    for (const [token, numbers] of tokens) {
      const known = ofBlock.get(token)
      if (known === undefined) ofBlock.set(token, [toEntry(number, numbers)])
      else known.push(toEntry(number, numbers))
    }
    insert.send(number, id, name, row.number, toCounts(slices))
  }

  return {
    async indexSome() {
      const due = await listDue.all(maxTranscripts)
      const added: Added = new Map()
      const untilMs = now() + sliceMs
      let done = 0
      for (const each of due) {
        if (done > 0 && now() > untilMs) break
        // Former words of a long one are a slice of their own: until it is indexed again, it is found by none.
        if ((await dropIndexed(each.id, each.name)) && now() > untilMs) break
        await index(each, added)
        done++
      }
      for (const [block, tokens] of added) await postings.append(block, tokens)
      return done < due.length || due.length === maxTranscripts
    },
    hasDue: async () => (await listDue.all(1)).length > 0,
    async drop(id) {
      await dropIndexed(id, null)
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

function createPostingRows(db: Database) {
  const columns = ['block', 'token', 'body']
  const renewed = 'ON CONFLICT (block, token) DO UPDATE SET body = excluded.body'
  const bulk = createBulkInsert(db, 'moment_posting', columns, renewed)
  const placeholders = Array(lookupSize).fill('?').join(', ')
  const lookUp = db.query<Posting, Value[]>(
    `SELECT token, body FROM moment_posting WHERE block = ? AND token IN (${placeholders})`,
  )
  const list = db.query<Posting, [number]>('SELECT token, body FROM moment_posting WHERE block = ?')
  const remove = db.query<null, [number, string]>('DELETE FROM moment_posting WHERE block = ? AND token = ?')

  async function findKnown(block: number, tokens: readonly string[]): Promise<Map<string, Uint8Array>> {
    const known = new Map<string, Uint8Array>()
    for (let from = 0; from < tokens.length; from += lookupSize) {
      const some = Array.from({ length: lookupSize }, (_, i) => tokens[from + i] ?? tokens[from] ?? '')
      for (const { token, body } of await lookUp.all(block, ...some)) known.set(token, body)
    }
    return known
  }

  return {
    async append(block: number, added: ReadonlyMap<string, readonly Uint8Array[]>): Promise<void> {
      // In the order of the key, so that the rows of a new block are written one after the other.
      const tokens = [...added.keys()].sort()
      const known = await findKnown(block, tokens)
      for (const token of tokens) {
        const before = known.get(token)
        const entries = added.get(token) ?? []
        await bulk.add([block, token, Buffer.concat(before === undefined ? entries : [before, ...entries])])
      }
      await bulk.flush()
    },
    /** Reads the whole block: which tokens the transcript had may not be known any more. */
    async drop(number: number): Promise<void> {
      const block = Math.floor(number / blockSize)
      for (const { token, body } of await list.all(block)) {
        const rest = dropEntry(body, number)
        if (rest.length === body.length) continue
        if (rest.length === 0) remove.send(block, token)
        else await bulk.add([block, token, rest])
      }
      await bulk.flush()
    },
  }
}
