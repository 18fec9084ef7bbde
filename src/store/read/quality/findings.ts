import { toVideoAddress } from '../../../record/embed/embed.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import { type Finding, findingCodes } from '../../../record/quality/finding-codes.ts'
import { toFindings } from '../../../record/quality/findings.ts'
import type { FindingCount, FindingCounts, FindingCountsQuery, FindingFilters } from '../../../record/query/findings.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'
import { createLookup } from '../lookup-many.ts'
import type { FindingCounter, NumberedCount } from './count-findings.ts'

/** One more than a finding names, to know whether there are more. */
const maxOthers = 6

export function createFindingReader(
  db: Database,
  counter: FindingCounter,
): Pick<SlowReads, 'findFindings' | 'countFindings'> {
  const findRecord = db.query<{ body: Uint8Array; start: string | null }, [number]>(
    `SELECT body, start_date AS start FROM record JOIN listing ON listing.id = record.id
     LEFT JOIN category ON category.id = category_id WHERE record.id = ?`,
  )
  const listOthers = db.query<{ id: number }, [string, number, number]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' AND id <> ? ORDER BY id LIMIT ?`,
  )
  const findCategories = db.query<{ id: number }, [string, string]>(
    'SELECT id FROM category WHERE slug = ? OR title = ?',
  )
  const lookUpNames = createLookup<{ id: number; title: string; slug: string }, number>(
    db,
    (ids) => `SELECT id, title, slug FROM category WHERE id IN ${ids}`,
  )

  async function find(id: number): Promise<readonly Finding[] | null> {
    const row = await findRecord.get(id)
    if (row === null) return null
    const record = fromBody(row.body)
    const others = await listOthers.all(toVideoAddress(record.source_url), id, maxOthers)
    return toFindings(record, { startDate: row.start, sameVideo: others.map((other) => other.id) })
  }

  async function select({ code, category }: FindingFilters): Promise<readonly NumberedCount[]> {
    const all = await counter.count()
    const wanted = category === undefined ? null : await findCategories.all(category, category)
    const ids = wanted && new Set(wanted.map(({ id }) => id))
    return all.filter((each) => (code === undefined || each.code === code) && (ids === null || ids.has(each.category)))
  }

  async function nameCategories(rows: readonly NumberedCount[]): Promise<FindingCount[]> {
    const names = new Map(
      (await lookUpNames([...new Set(rows.map(({ category }) => category))])).map((row) => [row.id, row]),
    )
    return rows.map(({ code, category, count }) => {
      const { title = '', slug = '' } = names.get(category) ?? {}
      return { code, category: title, slug, count }
    })
  }

  async function count({ page, pageSize, ...filters }: FindingCountsQuery): Promise<FindingCounts> {
    const found = await select(filters)
    const number = page === 'last' ? Math.max(1, Math.ceil(found.length / pageSize)) : page
    const rows = await nameCategories(found.slice((number - 1) * pageSize, number * pageSize))
    const codes = filters.code === undefined ? findingCodes : [filters.code]
    const totals = codes.map((code) => ({ code, count: sum(found.filter((each) => each.code === code)) }))
    return { count: found.length, page: number, rows, totals }
  }

  return {
    findFindings: ({ id }) => db.transaction('read', () => find(id)),
    countFindings(query) {
      counter.begin()
      return db.transaction('read', () => count(query))
    },
  }
}

const sum = (rows: readonly NumberedCount[]) => rows.reduce((total, { count }) => total + count, 0)
