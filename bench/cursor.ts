import { openForReading } from '../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../src/store/sqlite/database.ts'
import { createList } from '../src/store/sqlite/list.ts'
import { toGeneratedStore } from './generate.ts'
import { timeRounds, toQuery } from './hand/compare.ts'
import type { Question, Row } from './harness/question.ts'
import { toRatioRow } from './harness/rounds.ts'

const records = 100_000
const deep = 90_000
const orderings = ['-recorded', 'recorded', 'title', '-added', 'updated', 'duration', '-duration', 'id'] as const

export const cursorQuestion: Question = {
  name: 'cursor',
  asks:
    `What does the page behind record ${deep.toLocaleString('en-US')} of ${records.toLocaleString('en-US')} cost ` +
    'compared with the first one, by cursor, where the count is remembered?',
  isPinned: false,
  generator: 'none',
  async run({ rounds, say }) {
    const db = createSqliteDatabase(openForReading(await toGeneratedStore(records, say)))
    const list = createList({ db, changesCounter: () => 0 })
    const rows: Row[] = []
    for (const ordering of orderings) {
      const first = toQuery({ ordering, cursor: '' })
      const before = { ...first, page: { is: 'skip', count: deep - first.pageSize } as const }
      const { nextCursor: cursor } = await list(before)
      if (cursor === null) throw new Error(`no cursor behind record ${deep}`)
      const behind = toQuery({ ordering, cursor })
      const times = await timeRounds(
        rounds,
        () => list(behind),
        () => list(first),
      )
      const [deepMs, firstMs] = [times.map(([ms]) => ms), times.map(([, ms]) => ms)]
      say(`${ordering}: ${(deepMs[0] ?? 0).toFixed(2)} ms, first ${(firstMs[0] ?? 0).toFixed(2)} ms`)
      rows.push(toRatioRow(`ordering=${ordering}, deep to first`, deepMs, firstMs))
    }
    await db.close()
    return rows
  },
}
