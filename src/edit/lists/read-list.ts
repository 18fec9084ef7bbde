import { requireRead } from '../../http/problem.ts'
import type { FieldName } from '../../record/fields.ts'
import type { FindingCode } from '../../record/quality/finding-codes.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import type { ReadStore } from '../../store/store.ts'
import type { KnownFilters } from './known-lists.ts'
import { parseWorkList, type WorkQuery } from './list-query.ts'

/** A record with its findings. It has only the requested fields. */
export interface ListRow<Field extends FieldName> {
  readonly record: Pick<VideoRecord, Field | 'id'>
  readonly by: string
  readonly findings: readonly FindingCode[]
  readonly mergedInto: number | null
}

export interface RowPage<Field extends FieldName> {
  readonly count: number
  /** The number of the page; 1 for a page by cursor. */
  readonly page: number
  /** Null if the records of the page are too large together. */
  readonly rows: readonly ListRow<Field>[] | null
  readonly nextCursor: string | null
}

type RowStore = Pick<ReadStore, 'list' | 'listWorkRows'>

/** One page of a work list. `fields` must have the id. */
export async function readRows<Field extends FieldName>(
  store: RowStore,
  query: WorkQuery,
  fields: readonly (Field | 'id')[],
  signal: AbortSignal,
): Promise<RowPage<Field>> {
  const { count, page, records, nextCursor } = requireRead(await store.list({ ...query, fields }, signal))
  const found = records?.map((text): Pick<VideoRecord, Field | 'id'> => fromBodyText(text)) ?? null
  const rows = found === null ? null : await addWork(store, found, signal)
  return { count, page: page ?? 1, rows, nextCursor }
}

export async function countList(store: ReadStore, list: KnownFilters, signal: AbortSignal): Promise<number> {
  const parsed = parseWorkList(new URLSearchParams(list))
  if (!parsed.ok) throw new Error(`not a list: ${JSON.stringify(list)}`)
  return requireRead(await store.list({ ...parsed.query, pageSize: 1, fields: ['id'] }, signal)).count
}

/**
 * The title of the event that a list is narrowed to: from its talks, or from the store if the list is empty. Null
 * without this filter, or if the store fails; the list is still shown.
 */
export async function findListEvent(
  store: Pick<ReadStore, 'findCategory'>,
  filters: URLSearchParams,
  rows: readonly { readonly record: { readonly category: string } }[] | null,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null) return null
  const first = rows?.[0]?.record.category
  if (first !== undefined) return first
  const found = await store.findCategory({ slug: category, visibility: 'all' })
  return found === null || typeof found === 'string' ? null : found.row.title
}

/** As `findListEvent`, from the event of a talk that was opened in the list. */
export async function findEventOfTalk(
  store: Pick<ReadStore, 'findCategorySlugs'>,
  filters: URLSearchParams,
  title: string,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null || category === title) return category
  const slugs = await store.findCategorySlugs([title])
  return typeof slugs !== 'string' && slugs.get(title) === category ? title : null
}

/** A record that was erased since has no author and no findings. */
async function addWork<Listed extends { readonly id: number }>(
  store: RowStore,
  records: readonly Listed[],
  signal: AbortSignal,
) {
  const work = requireRead(await store.listWorkRows({ ids: records.map(({ id }) => id) }, signal))
  const known = new Map(work.map((row) => [row.id, row]))
  return records.map((record) => {
    const { by = '', findings = [], mergedInto = null } = known.get(record.id) ?? {}
    return { record, by, findings, mergedInto }
  })
}
