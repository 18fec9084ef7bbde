import type { BaseUrl } from '../../http/base-url.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { VocabularyQuery, VocabularyRows } from '../../record/query/names.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { FoundCategory } from '../../store/store.ts'
import { type ReadDeps, toVisibility } from '../list/envelope.ts'
import { answerPage, type TextPage } from '../list/page-answer.ts'

/** Categories, speakers, tags or languages; `q` is the beginning of any word of a name. */
export function listNames(kind: VocabularyQuery['kind']) {
  return (call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> => {
    const visibility = toVisibility(call)
    const prefix = toFolded((call.query().get('q') ?? '').trim().slice(0, 200))
    const query = { kind, visibility, prefix }
    return answerPage(call, baseUrl, visibility, async (paging) =>
      toVocabularyPage(
        requireRead(await store.listVocabulary({ ...query, ...paging }, call.signal)),
        toRecordsAt(call, baseUrl),
      ),
    )
  }
}

/** The URL of a record without its id. */
export const toRecordsAt = (call: Call, baseUrl: BaseUrl) => `${baseUrl(call)}/api/v2/video/`

type Row = VocabularyRows['rows'][number]

/** A category with its JSON. */
export type CategoryText = Omit<FoundCategory, 'row'> & { readonly text: string }

/** `recordsAt` is the URL of a record without its id. */
function toVocabularyPage({ count, page, rows }: VocabularyRows, recordsAt: string): TextPage {
  return { count, page, rows: rows.map((row) => toText(row, recordsAt)) }
}

export function toCategoryText({ row, ...found }: FoundCategory, recordsAt: string): CategoryText {
  return { ...found, text: toText(row, recordsAt) }
}

/** A category lists the URLs of its records. */
function toText(row: Row, recordsAt: string): string {
  if (!('ids' in row)) return toAsciiJson(row)
  const { ids, ...shown } = row
  return toAsciiJson({ ...shown, videos: ids.map((id) => `${recordsAt}${id}`) })
}
