import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Database } from '../../database.ts'
import type { Example } from '../../name-reads.ts'
import type { SlowReads } from '../../store.ts'
import { createLookup, toChunks } from '../lookup-many.ts'

/** Finds a few records of each name. */
export function createExamples(db: Database, onStep: () => void): SlowReads['listExamples'] {
  const prepare = (kind: 'speaker' | 'tag') =>
    db.query<{ id: number }, [number, number]>(
      `SELECT DISTINCT record_id AS id FROM record_${kind} WHERE ${kind}_id = ? ORDER BY record_id DESC LIMIT ?`,
    )
  const listRecords = { speaker: prepare('speaker'), tag: prepare('tag') }
  const lookUp = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )

  async function readExamples(ids: Iterable<number>): Promise<ReadonlyMap<number, Example>> {
    const found = new Map<number, Example>()
    for await (const chunk of toChunks(ids)) {
      onStep()
      for (const { id, body } of await lookUp(chunk)) {
        const { title, category, recorded, state } = fromBody(body)
        found.set(id, { id, title, category, recorded, state })
      }
    }
    return found
  }

  return ({ kind, ids, limit }) =>
    db.transaction('read', async () => {
      const recordsOf = new Map<number, readonly number[]>()
      for (const id of new Set(ids)) {
        onStep()
        recordsOf.set(
          id,
          (await listRecords[kind].all(id, limit)).map((row) => row.id),
        )
      }
      const examples = await readExamples(new Set([...recordsOf.values()].flat()))
      const toExamples = (records: readonly number[]) => records.flatMap((id) => examples.get(id) ?? [])
      return new Map([...recordsOf].map(([id, records]) => [id, toExamples(records)]))
    })
}
