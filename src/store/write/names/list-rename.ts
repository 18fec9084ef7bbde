import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Changes } from '../../../record/record.ts'
import type { RecordRows } from '../record-rows.ts'
import { type NameKind, nameFields } from './name-entries.ts'

export interface ListRename {
  readonly of: NameKind
  /** The row that records link to. */
  readonly rowId: number
  readonly from: string
  readonly to: string
}

/**
 * Finds what a rename or merge changes in a record. A name is replaced if it links to the row, whatever its text: an
 * earlier rename may have been stopped. If the record has the new name too, the first position counts.
 */
export function createListRename(rows: RecordRows, { of, rowId, from, to }: ListRename) {
  const field = nameFields[of]
  return async (id: number): Promise<Changes> => {
    const stored = await rows.read(id)
    if (stored === null) return {}
    const list = fromBody(stored.body)[field]
    const places = new Set(await rows.names[of].listPlaces(id, rowId))
    const renamed = list.map((name, place) => (places.has(place) || name === from ? to : name))
    const next = [...new Set(renamed)]
    return next.join('\n') === list.join('\n') ? {} : { [field]: next }
  }
}
