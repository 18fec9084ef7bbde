import { requireRead } from '../../http/problem.ts'
import type { FieldName } from '../../record/fields.ts'
import type { FindingCode } from '../../record/quality/finding-codes.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import type { ReadStore } from '../../store/store.ts'
import type { WorkQuery } from './work-list.ts'

/** A record with what is to do in it. It has only the fields that were asked for. */
export interface ListRow<Field extends FieldName> {
  readonly record: Pick<VideoRecord, Field | 'id'>
  readonly by: string
  readonly findings: readonly FindingCode[]
}

export interface RowPage<Field extends FieldName> {
  readonly count: number
  /** The number of the page; 1 for one by cursor. */
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

/** A record that was erased since has no author and no findings. */
async function addWork<Listed extends { readonly id: number }>(
  store: RowStore,
  records: readonly Listed[],
  signal: AbortSignal,
) {
  const work = requireRead(await store.listWorkRows({ ids: records.map(({ id }) => id) }, signal))
  const known = new Map(work.map((row) => [row.id, row]))
  return records.map((record) => {
    const { by = '', findings = [] } = known.get(record.id) ?? {}
    return { record, by, findings }
  })
}
