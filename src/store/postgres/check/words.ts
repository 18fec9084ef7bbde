import { type SearchTokens, searched, toSearchTokens } from '../../../record/text/search-text.ts'
import type { Database } from '../../database.ts'
import type { WordCheck } from '../../maintain/check/records.ts'
import { createLookup } from '../../read/lookup-many.ts'

/** Words stand in a row for each record, from which the server itself makes the index. */
export function createWordCheck(db: Database): WordCheck {
  const find = createLookup<SearchTokens & { readonly id: number }, number>(
    db,
    (ids) => `SELECT rowid AS id, ${searched.join(', ')} FROM search WHERE rowid IN ${ids}`,
  )
  return {
    async *expect(records) {
      const found = new Map((await find(records.map(({ id }) => id))).map((words) => [words.id, words]))
      for (const record of records) {
        if (!Bun.deepEquals({ ...found.get(record.id) }, { id: record.id, ...toSearchTokens(record) })) {
          yield { id: record.id, what: 'the search index has other words than the record' }
        }
      }
    },
    // Words without a record are rows without one, which are looked for anyway.
    compare: () => [],
  }
}
