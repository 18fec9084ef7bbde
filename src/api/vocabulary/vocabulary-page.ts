import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { FoundCategory, VocabularyRows } from '../../store/store.ts'
import type { TextPage } from '../list/page-answer.ts'

type Row = VocabularyRows['rows'][number]

/** A category that was found, with its body. */
export type CategoryText = Omit<FoundCategory, 'row'> & { readonly text: string }

/** `recordsAt` is what the address of a record begins with; its id follows. */
export function toVocabularyPage({ count, page, rows }: VocabularyRows, recordsAt: string): TextPage {
  return { count, page, rows: rows.map((row) => toText(row, recordsAt)) }
}

export function toCategoryText({ row, ...found }: FoundCategory, recordsAt: string): CategoryText {
  return { ...found, text: toText(row, recordsAt) }
}

/** A category lists its records as addresses. */
function toText(row: Row, recordsAt: string): string {
  if (!('ids' in row)) return toAsciiJson(row)
  const { ids, ...shown } = row
  return toAsciiJson({ ...shown, videos: ids.map((id) => `${recordsAt}${id}`) })
}
