import type { Answer, Call, Route } from '../../http/call.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { toVisibility } from '../list/envelope.ts'
import { answerPage } from '../list/page-answer.ts'
import { listHeaders, readHeaders } from '../path-headers.ts'
import { toDescribedRoute } from '../read-route.ts'
import { toVocabularyPage } from './vocabulary-page.ts'

export interface VocabularyNeeds {
  readonly store: Store
  readonly baseUrl: BaseUrl
}

type Kind = 'category' | 'speaker' | 'tag' | 'language'
const shape = { name: 'other', negotiates: true } as const

/** `/api/v2/speaker`, `tag`, `language`: what records have, with counts. */
export function createVocabularyRoutes(needs: VocabularyNeeds): Route[] {
  return (['speaker', 'tag', 'language'] as const).map((kind) => createListRoute(needs, kind))
}

/** A list of names; `q` is a name's beginning. */
export function createListRoute({ store, baseUrl }: VocabularyNeeds, kind: Kind): Route {
  const path = `/api/v2/${kind}`
  const headers = kind === 'category' ? listHeaders : readHeaders
  function list(call: Call): Promise<Answer> {
    const sight = toVisibility(call)
    const prefix = toFolded((call.query().get('q') ?? '').trim().slice(0, 200))
    const query = { kind, drafts: sight === 'all', prefix }
    return answerPage(call, { baseUrl, path, sight, headers }, async (paging) => {
      const page = await store.listVocabulary({ ...query, ...paging }, call.request.signal)
      return typeof page === 'string' ? page : toVocabularyPage(page, toRecordsAt(call, baseUrl))
    })
  }
  return toDescribedRoute({ ...shape, path, headers }, { role: null, run: list })
}

/** What the addresses of records begin with. */
export const toRecordsAt = (call: Call, baseUrl: BaseUrl) => `${baseUrl(call)}/api/v2/video/`
