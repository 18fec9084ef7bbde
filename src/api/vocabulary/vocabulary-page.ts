import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { CategoryText, FoundCategory, TextPage, VocabularyRows } from '../../store/store.ts'

type Row = VocabularyRows['rows'][number]

/** Made where it was read: a page of categories may have the addresses of thousands of records. */
export function toVocabularyPage({ count, page, rows }: VocabularyRows, recordsAt: string): TextPage {
  return { count, page, text: rows.map((row) => toText(row, recordsAt)).join(','), size: rows.length }
}

/** A category shows its records as addresses. */
function toText(row: Row, recordsAt: string): string {
  if (!('ids' in row)) return toAsciiJson(row)
  const { ids, ...shown } = row
  return toAsciiJson({ ...shown, videos: ids.map((id) => `${recordsAt}${id}`) })
}

export function toCategoryText(found: FoundCategory | null, recordsAt: string): CategoryText | null {
  if (found === null) return null
  const { row, ...known } = found
  return { ...known, text: toText(row, recordsAt) }
}
