import { fromBody, type VideoRecord } from '../../record/record.ts'
import type { Visibility } from '../../record/state.ts'
import type { Database } from '../database.ts'
import type { Extras } from '../import/imported-talk.ts'

export interface ExportedRecord {
  readonly record: VideoRecord
  readonly body: Uint8Array
  readonly path: string | null
  readonly categorySlug: string
  readonly extras: Extras | null
}

export interface ExportedCategory {
  /** The path of its file; null if it was not imported. */
  readonly path: string | null
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly extras: Extras | null
}

/** Reads the store record by record, so that memory stays flat. Runs in one read transaction of the caller. */
export interface Exporter {
  count(visibility: Visibility): Promise<number>
  records(visibility: Visibility): AsyncIterable<ExportedRecord>
  categories(): AsyncIterable<ExportedCategory>
}

interface Row {
  readonly body: Uint8Array
  readonly path: string | null
  readonly slug: string
  readonly values: Uint8Array | null
  readonly basis: Uint8Array | null
}

export function createExporter(db: Database): Exporter {
  const visible = (visibility: Visibility) => (visibility === 'all' ? '' : 'WHERE record.state = 1')
  return {
    async count(visibility) {
      const sql = `SELECT count(*) AS count FROM record ${visible(visibility)}`
      return (await db.query<{ count: number }, []>(sql).get())?.count ?? 0
    },
    async *records(visibility) {
      const sql = `
        SELECT record.body, origin.path, category.slug, extras.body AS "values", extras.basis
        FROM record JOIN listing USING (id) JOIN category ON category.id = category_id
        LEFT JOIN origin ON origin.record_id = record.id LEFT JOIN extras ON extras.record_id = record.id
        ${visible(visibility)} ORDER BY record.id`
      for await (const { body, path, slug, values, basis } of db.query<Row, []>(sql).iterate()) {
        yield { record: fromBody(body), body, path, categorySlug: slug, extras: toExtras(values, basis) }
      }
    },
    async *categories() {
      const sql = `
        SELECT path, title, slug, description, body AS "values", basis
        FROM category LEFT JOIN category_origin ON category_origin.category_id = category.id ORDER BY category.id`
      for await (const { values, basis, ...row } of db.query<Row & ExportedCategory, []>(sql).iterate()) {
        const { path, title, slug, description } = row
        yield { path, title, slug, description, extras: toExtras(values, basis) }
      }
    },
  }
}

function toExtras(values: Uint8Array | null, basis: Uint8Array | null): Extras | null {
  if (values === null || basis === null) return null
  return { values: parse(values), basis: parse(basis) }
}

const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
