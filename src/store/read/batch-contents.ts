import type { BatchMemberLine, NamePair } from '../batch-reads.ts'
import type { Database } from '../database.ts'
import type { SlowReads } from '../store.ts'
import { isNameChange, type NameChange, type NameRef, parseParts, toNameDigest } from '../write/names/name-change.ts'

interface NamesRow {
  readonly old_title: string | null
  readonly new_title: string | null
  readonly names: string | null
}

/** A merge of one name has one pair; only the undo of a long chain has more. */
const maxPairs = 5

/** The records and names that a batch changed. */
export function createBatchContents(db: Database): Pick<SlowReads, 'listBatchMembers' | 'findBatchNames'> {
  const listMembers = db.query<BatchMemberLine, [number, number, number]>(
    `SELECT record_id AS id, min(number) AS first, max(number) AS last FROM version
     WHERE batch = ? AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?`,
  )
  const countErased = db.query<{ count: number }, [number]>(
    `SELECT count(*) AS count FROM batch_note WHERE batch = ? AND kind = 'erased'`,
  )
  const readNames = db.query<NamesRow, [number]>('SELECT old_title, new_title, names FROM batch WHERE id = ?')
  const find = {
    speaker: db.query<{ name: string }, [NameRef]>('SELECT name FROM speaker WHERE id = ?'),
    tag: db.query<{ name: string }, [NameRef]>('SELECT name FROM tag WHERE id = ?'),
    category: db.query<{ name: string }, [NameRef]>('SELECT title AS name FROM category WHERE slug = ?'),
  }

  async function findPairs({ kind, rows, exchanged }: NameChange): Promise<NamePair[]> {
    const findName = async (ref: NameRef | null) => (ref === null ? null : ((await find[kind].get(ref))?.name ?? null))
    if (exchanged !== null) return [toRenamed(rows, [await findName(exchanged[0]), await findName(exchanged[1])])]
    const pairs: NamePair[] = []
    for (const { row, from, to } of rows.filter((each) => each.from !== each.to).slice(0, maxPairs)) {
      const [own, other] = [await findName(row), await findName(to ?? from)]
      pairs.push(to === null ? { from: other, to: own } : { from: own, to: other })
    }
    return pairs
  }

  async function findNames(id: number): Promise<readonly NamePair[]> {
    const row = await readNames.get(id)
    if (row === null) return []
    const { old_title: from, new_title: to } = row
    if (from !== null && to !== null) return [{ from, to }]
    const pairs: NamePair[] = []
    for (const change of parseParts(row.names).filter(isNameChange)) pairs.push(...(await findPairs(change)))
    return pairs.slice(0, maxPairs)
  }

  return {
    listBatchMembers: ({ batch, after, limit }) =>
      db.transaction('read', async () => ({
        members: await listMembers.all(batch, after, limit),
        erased: (await countErased.get(batch))?.count ?? 0,
      })),
    findBatchNames: ({ ids }) =>
      db.transaction('read', async () => {
        const found = new Map<number, readonly NamePair[]>()
        for (const id of ids) {
          const pairs = await findNames(id)
          if (pairs.length > 0) found.set(id, pairs)
        }
        return found
      }),
  }
}

/** Rows may have exchanged their names again since then; the digests say which name was the new one. */
function toRenamed(rows: NameChange['rows'], names: readonly (string | null)[]): NamePair {
  const [to, from] = rows.map((row) => names.find((name) => name !== null && toNameDigest(name) === row.name) ?? null)
  return { from: from ?? null, to: to ?? null }
}
