import type { Database } from 'bun:sqlite'
import type { VideoRecord } from '../../../record/record.ts'
import { toLine } from '../../sql/derived.ts'
import type { Finding } from './finding.ts'

type Line = ReturnType<typeof toLine> & { readonly added: string }

/** What is wrong with a record's line in the lists, its speakers and its tags. */
export function createDerivedCheck(db: Database): (record: VideoRecord) => Generator<Finding> {
  const findLine = db.query<Line, [number]>(
    `SELECT id, state, category_id AS categoryId, language, recorded, title_key AS titleKey, added, updated, duration,
       source_url AS sourceUrl, media
     FROM listing WHERE id = ?`,
  )
  const findCategory = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE title = ?')
  const listSpeakers = toListNames(db, 'speaker')
  const listTags = toListNames(db, 'tag')

  return function* (record) {
    const { id, added } = record
    const line = findLine.get(id)
    const category = findCategory.get(record.category)
    if (category === null) yield { id, what: 'there is no category with the title that it names' }
    // Without a category no line can be right; -1 is nobody's id.
    const wanted: Line = { ...toLine(record, category?.id ?? -1), added }
    if (line === null) yield { id, what: 'the lists do not have it' }
    else if (!Bun.deepEquals({ ...line }, wanted))
      yield { id, what: `the lists have another ${toDiffering(line, wanted)}` }
    if (!Bun.deepEquals(listSpeakers(id), record.speakers)) yield { id, what: 'its speakers are indexed otherwise' }
    if (!Bun.deepEquals(listTags(id), record.tags)) yield { id, what: 'its tags are indexed otherwise' }
  }
}

function toDiffering(line: Line, wanted: Line): string {
  const names = Object.keys(wanted) as (keyof Line)[]
  return names.filter((name) => line[name] !== wanted[name]).join(', ')
}

function toListNames(db: Database, table: 'speaker' | 'tag'): (id: number) => string[] {
  const list = db.query<{ name: string }, [number]>(
    `SELECT name FROM record_${table} JOIN ${table} ON ${table}.id = ${table}_id WHERE record_id = ? ORDER BY place`,
  )
  return (id) => list.all(id).map(({ name }) => name)
}
