import type { RecordColumns } from '../columns/record-columns.ts'
import type { Database } from '../database.ts'

/** More names of a record, or more records of a name, are left out: a page has no room for them. */
const maxNames = 8
const maxRecords = 500

/** Finds other live records that share speakers or tags with a record. */
export function createNamedTalks(db: Database, columns: RecordColumns) {
  const prepare = (kind: 'speaker' | 'tag') =>
    db.query<{ id: number }, [number, number]>(
      `SELECT record_id AS id FROM record_${kind} WHERE ${kind}_id = ? ORDER BY record_id DESC LIMIT ?`,
    )
  const list = { speaker: prepare('speaker'), tag: prepare('tag') }

  /** The slots of each name's other live records, rarest names first. */
  async function listByName(kind: 'speaker' | 'tag', slot: number): Promise<number[][]> {
    const names = Array.from(new Set(columns.namesOf(kind, slot)))
      .sort((a, b) => columns.countOf(kind, a, 'live') - columns.countOf(kind, b, 'live'))
      .slice(0, maxNames)
    const found: number[][] = []
    for (const name of names) {
      const slots = (await list[kind].all(name, maxRecords)).map(({ id }) => columns.toSlot(id))
      found.push(slots.filter((other) => other !== slot && columns.isVisible(other, 'live')))
    }
    return found
  }

  const isNewer = (a: number, b: number) => columns.dayOf(b) - columns.dayOf(a) || columns.toId(b) - columns.toId(a)

  return {
    /** Newest first. Speakers take turns, so that none takes the place of the others. */
    async ofSpeakers(slot: number, limit: number): Promise<number[]> {
      const queues = (await listByName('speaker', slot)).map((slots) => slots.sort(isNewer))
      const chosen = new Set<number>()
      for (let turn = 0; chosen.size < limit && queues.some(({ length }) => length > turn); turn++) {
        for (const queue of queues) {
          const next = queue[turn]
          if (next !== undefined && chosen.size < limit) chosen.add(next)
        }
      }
      return [...chosen].sort(isNewer)
    },
    /** Those with most of the rarer tags first, then the newest. */
    async byTags(slot: number, limit: number): Promise<number[]> {
      const scores = new Map<number, number>()
      for (const slots of await listByName('tag', slot)) {
        for (const other of slots) scores.set(other, (scores.get(other) ?? 0) + 1 / (1 + slots.length))
      }
      const best = [...scores].sort(([a, first], [b, second]) => second - first || isNewer(a, b))
      return best.slice(0, limit).map(([other]) => other)
    },
  }
}
