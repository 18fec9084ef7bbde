import { parkedBit } from '../../record/quality/finding-codes.ts'
import { fromBody } from '../../record/record.ts'
import { draft } from '../../record/state.ts'
import type { BatchContent, BatchKind, BatchMemberLine, CreatedRecords, NamePair } from '../batch-reads.ts'
import type { Database } from '../database.ts'
import type { SlowReads } from '../store.ts'
import { toMergedSql } from '../write/duplicate-rows.ts'
import {
  isNameChange,
  type NameChange,
  type NameRef,
  parseParts,
  type RowChange,
  toNameDigest,
} from '../write/names/name-change.ts'

interface DeedRow {
  readonly kind: BatchKind
  readonly undoes: number | null
  readonly old_title: string | null
  readonly new_title: string | null
  readonly names: string | null
  readonly talks: number
}

type MemberRow = Omit<BatchMemberLine, 'isDraft'> & { readonly drafts: number }

/** A merge of a whole page has many; a sentence names the first. */
const maxPairs = 2
/** Records of a bulk change whose changed fields are read. */
const maxSample = 20

const isMoved = ({ from, to }: RowChange) => from !== to

/** The records and names that a batch changed. */
export function createBatchContents(db: Database): Pick<SlowReads, 'listBatchMembers' | 'findBatchContents'> {
  const listMembers = db.query<MemberRow, [number, number, number]>(
    `SELECT record_id AS id, min(number) AS first, max(number) AS last,
       (SELECT count(*) FROM listing WHERE listing.id = version.record_id AND state = ${draft}
        AND (quality & ${parkedBit}) = 0 AND NOT ${toMergedSql('listing')}) AS drafts
     FROM version
     WHERE batch = ? AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?`,
  )
  const countErased = db.query<{ count: number }, [number]>(
    `SELECT count(*) AS count FROM batch_note WHERE batch = ? AND kind = 'erased'`,
  )
  const readDeed = db.query<DeedRow, [number]>(
    'SELECT kind, undoes, old_title, new_title, names, records AS talks FROM batch WHERE id = ?',
  )
  const readBody = db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?')
  const listChanged = db.query<{ changed: string }, [number, number]>(
    'SELECT changed FROM version WHERE batch = ? ORDER BY record_id, number LIMIT ?',
  )
  const countCreated = db.query<{ count: number; first: string | null; last: string | null }, [number]>(
    `SELECT count(*) AS count, min(category.title) AS first, max(category.title) AS last
     FROM version JOIN listing ON listing.id = record_id JOIN category ON category.id = category_id
     WHERE batch = ? AND number = 1`,
  )
  const find = {
    speaker: db.query<{ name: string }, [NameRef]>('SELECT name FROM speaker WHERE id = ?'),
    tag: db.query<{ name: string }, [NameRef]>('SELECT name FROM tag WHERE id = ?'),
    category: db.query<{ name: string }, [NameRef]>('SELECT title AS name FROM category WHERE slug = ?'),
  }

  async function findPairs({ kind, rows, exchanged }: NameChange): Promise<NamePair[]> {
    const findName = async (ref: NameRef | null) => (ref === null ? null : ((await find[kind].get(ref))?.name ?? null))
    if (exchanged !== null) return [toRenamed(rows, [await findName(exchanged[0]), await findName(exchanged[1])])]
    const pairs: NamePair[] = []
    for (const { row, from, to } of rows.filter(isMoved).slice(0, maxPairs)) {
      const [own, other] = [await findName(row), await findName(to ?? from)]
      pairs.push(to === null ? { from: other, to: own } : { from: own, to: other })
    }
    return pairs
  }

  async function findTitle(id: number | null): Promise<string | null> {
    const row = id === null ? null : await readBody.get(id)
    return row === null ? null : fromBody(row.body).title
  }

  async function listPairs({ old_title: from, new_title: to, names }: DeedRow) {
    if (from !== null && to !== null) return { pairs: [{ from, to }], morePairs: 0 }
    const pairs: NamePair[] = []
    let count = 0
    for (const part of parseParts(names)) {
      if (isNameChange(part)) {
        count += part.exchanged === null ? part.rows.filter(isMoved).length : 1
        if (pairs.length < maxPairs) pairs.push(...(await findPairs(part)))
      } else if (part.kind === 'merged') {
        count++
        pairs.push({ from: await findTitle(part.record), to: await findTitle(part.to ?? part.from) })
      }
    }
    const shown = pairs.slice(0, maxPairs)
    return { pairs: shown, morePairs: count - shown.length }
  }

  async function findCreated(id: number): Promise<CreatedRecords> {
    const { count, first, last } = (await countCreated.get(id)) ?? { count: 0, first: null, last: null }
    return { count, category: first === last ? first : null }
  }

  /** Null if there is no such batch. */
  async function findDeed(id: number) {
    const row = await readDeed.get(id)
    if (row === null) return null
    const { kind, undoes, talks } = row
    const patch = parseParts(row.names).find((part) => part.kind === 'patch')?.patch ?? null
    const sample = kind === 'bulk' && patch === null ? await listChanged.all(id, maxSample) : []
    const fields = [...new Set(sample.flatMap(({ changed }): string[] => JSON.parse(changed)))]
    const created = kind === 'table' ? await findCreated(id) : null
    return { kind, undoes, talks, ...(await listPairs(row)), patch, fields, created }
  }

  async function findContent(id: number): Promise<BatchContent | null> {
    const deed = await findDeed(id)
    if (deed === null) return null
    const { undoes, talks: _, ...own } = deed
    return { ...own, undone: undoes === null ? null : await findDeed(undoes) }
  }

  return {
    listBatchMembers: ({ batch, after, limit }) =>
      db.transaction('read', async () => ({
        members: (await listMembers.all(batch, after, limit)).map(toMember),
        erased: (await countErased.get(batch))?.count ?? 0,
      })),
    findBatchContents: ({ ids }) =>
      db.transaction('read', async () => {
        const found = new Map<number, BatchContent>()
        for (const id of ids) {
          const content = await findContent(id)
          if (content !== null) found.set(id, content)
        }
        return found
      }),
  }
}

const toMember = ({ drafts, ...member }: MemberRow): BatchMemberLine => ({ ...member, isDraft: drafts > 0 })

/** Rows may have exchanged their names again since then; the digests say which name was the new one. */
function toRenamed(rows: NameChange['rows'], names: readonly (string | null)[]): NamePair {
  const [to, from] = rows.map((row) => names.find((name) => name !== null && toNameDigest(name) === row.name) ?? null)
  return { from: from ?? null, to: to ?? null }
}
