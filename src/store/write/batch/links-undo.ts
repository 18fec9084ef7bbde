import { isSameJson, type JsonValue } from '../../../record/json/json-value.ts'
import { findLinksLog, type LinksEdit, linksField, linksKey, maxEdits } from '../../../record/links.ts'
import type { RecordRows } from '../record-rows.ts'
import { type RecordUndo, toLeft } from './record-undo.ts'

/** What related links go back to, as one field of their record (decision 72). */
export interface LinksUndo {
  /** Null if they stay as they are. */
  readonly links: readonly JsonValue[] | null
  readonly left: RecordUndo['left']
}

export const noLinks: LinksUndo = { links: null, left: [] }

/** To what the links of a record were before a batch, unless they were changed since. */
export function findLinksUndo(rows: RecordRows, id: number, batch: number): Promise<LinksUndo> {
  return findBefore(
    rows,
    id,
    (edit) => edit.batch === batch,
    () => true,
  )
}

/** To what they were before the first of these edits, unless somebody else has changed them since. */
export async function findBefore(
  rows: RecordRows,
  id: number,
  isUndone: (edit: LinksEdit) => boolean,
  isOthers: (edit: LinksEdit) => boolean,
): Promise<LinksUndo> {
  const extras = await rows.extras.find(id)
  const edits = extras === null ? [] : (findLinksLog(extras.basis)?.edits ?? [])
  const first = edits.findLastIndex(isUndone)
  const edit = edits[first]
  if (extras === null || edit === undefined) return noLinks
  const before = Array.isArray(edit.before) ? edit.before : []
  if (isSameJson(extras.values[linksKey] ?? [], before)) return toLeftLinks('already as before')
  if (edits.slice(0, first).some((each) => !isUndone(each) && isOthers(each))) return toLeftLinks('changed since')
  // Older edits are forgotten, perhaps others of these.
  return first === maxEdits - 1 ? toLeftLinks('no longer known') : { links: before, left: [] }
}

const toLeftLinks = (why: Parameters<typeof toLeft>[1]): LinksUndo => ({ links: null, left: toLeft([linksField], why) })

/** Those of these records whose links the batch has changed. */
export async function filterLinked(rows: RecordRows, batch: number, ids: readonly number[]): Promise<number[]> {
  const linked: number[] = []
  for (const id of ids) {
    const extras = await rows.extras.find(id)
    const log = extras === null ? null : findLinksLog(extras.basis)
    if (log?.edits.some((edit) => edit.batch === batch)) linked.push(id)
  }
  return linked
}
