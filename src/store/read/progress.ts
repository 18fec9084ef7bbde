import {
  type FindingCode,
  findingCodes,
  isFindingCode,
  ownCodes,
  toQualityBits,
} from '../../record/quality/finding-codes.ts'
import { toQuality } from '../../record/quality/quality.ts'
import { fromBody } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { SlowReads } from '../store.ts'
import { createMemo } from './memo.ts'
import { createLookup, toChunks } from './statements.ts'

/** Of more records, nothing is said: a day of that many changes is an import or a script. */
const maxChanged = 5_000

/**
 * Counts the findings that records had before a time, and do not show now: repaired, or called fine as they are. Records
 * that are new since then do not count, nor do findings that depend on other records, unless they were accepted.
 */
export function createDoneCounter(
  db: Database,
  changesCounter: () => number,
  onStep: () => void,
): SlowReads['countDone'] {
  // By seq, which is indexed. A version may be a little older than one with a lower seq, which does no harm here.
  const findFirst = db.query<{ seq: number | null }, [Timestamp]>('SELECT max(seq) AS seq FROM version WHERE at < ?')
  const listChanged = db.query<{ id: number; first: number }, [number, number]>(
    `SELECT record_id AS id, min(number) AS first FROM version WHERE seq > ? GROUP BY record_id
     HAVING min(number) > 1 ORDER BY record_id LIMIT ?`,
  )
  const findBody = db.query<{ body: Uint8Array }, [number, number]>(
    'SELECT body FROM version WHERE record_id = ? AND number = ?',
  )
  const lookUp = createLookup<{ id: number; quality: number }, number>(
    db,
    (ids) => `SELECT id, quality FROM listing WHERE id IN ${ids}`,
  )
  const countAccepted = db.query<{ code: string; n: number }, [Timestamp]>(
    'SELECT code, count(*) AS n FROM accepted_finding WHERE at >= ? GROUP BY code',
  )
  const memo = createMemo<ReadonlyMap<FindingCode, number>>(changesCounter)
  /** The findings of records before the time, as bits: what was does not change. */
  const before = { since: '', bits: new Map<number, number>() }

  async function findBits(id: number, number: number): Promise<number> {
    const known = before.bits.get(id)
    if (known !== undefined) return known
    const row = await findBody.get(id, number)
    const bits = row === null ? 0 : toQuality(fromBody(row.body))
    before.bits.set(id, bits)
    return bits
  }

  async function count(since: Timestamp): Promise<ReadonlyMap<FindingCode, number>> {
    if (before.since !== since) before.bits.clear()
    before.since = since
    const changed = await listChanged.all((await findFirst.get(since))?.seq ?? 0, maxChanged + 1)
    const done = new Map<FindingCode, number>()
    const add = (code: FindingCode, n: number) => done.set(code, (done.get(code) ?? 0) + n)
    for await (const chunk of toChunks(changed.length > maxChanged ? [] : changed)) {
      onStep()
      const now = new Map((await lookUp(chunk.map(({ id }) => id))).map(({ id, quality }) => [id, quality]))
      for (const { id, first } of chunk) {
        const gone = (await findBits(id, first - 1)) & ~(now.get(id) ?? 0)
        for (const code of ownCodes) if ((gone & toQualityBits([code])) !== 0) add(code, 1)
      }
    }
    for (const { code, n } of await countAccepted.all(since)) if (isFindingCode(code)) add(code, n)
    return new Map(findingCodes.flatMap((code) => (done.has(code) ? [[code, done.get(code) ?? 0] as const] : [])))
  }

  return ({ since }) => memo(since, () => db.transaction('read', () => count(since)))
}
