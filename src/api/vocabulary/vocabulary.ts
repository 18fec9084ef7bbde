import type { Call, TextAnswer } from '../../http/route.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { VocabularyQuery } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { type ListNeeds, toVisibility } from '../list/envelope.ts'
import { answerPage } from '../list/page-answer.ts'
import { requireRead } from '../problems.ts'
import { toVocabularyPage } from './vocabulary-page.ts'

/** Categories, speakers, tags or languages; `q` is the beginning of a name. */
export function listNames(kind: VocabularyQuery['kind']) {
  return (call: Call, { store, baseUrl }: ListNeeds): Promise<TextAnswer> => {
    const visibility = toVisibility(call)
    const prefix = toFolded((call.query().get('q') ?? '').trim().slice(0, 200))
    const query = { kind, drafts: visibility === 'all', prefix }
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
