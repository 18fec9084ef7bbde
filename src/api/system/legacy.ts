import type { Answer, Call, Route } from '../../http/call.ts'
import { fromBodyText, toAsciiJson } from '../../record/json/body-bytes.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { Store } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { toReadFailure } from '../failed.ts'
import { parseRecordId } from '../item/item.ts'
import { legacyHeaders, systemHeaders } from '../path-headers.ts'
import { toReadRoute } from '../read-route.ts'

export interface LegacyNeeds {
  readonly store: Store
  readonly baseUrl: BaseUrl
}

/** What programs of the first generation still ask for. */
export function createLegacyRoutes({ store, baseUrl }: LegacyNeeds): Route[] {
  /** `host_url` is where the video is hosted; the answer is where its page is. */
  async function findPage(call: Call): Promise<Answer> {
    const sourceUrl = call.query().get('host_url') ?? ''
    const page = sourceUrl === '' ? null : await store.list(toSourceQuery(sourceUrl), call.request.signal)
    if (typeof page === 'string') return toReadFailure(page)
    const [record] = page?.records ?? []
    if (record === undefined) return { code: 'not_found', detail: 'No record has this source_url.' }
    const headers = new Headers(legacyHeaders)
    headers.set('Content-Type', 'application/json')
    return new Response(toAsciiJson({ source_url: `${baseUrl(call)}/video/${fromBodyText(record).id}` }), { headers })
  }

  /** Until there are pages for people, a record's page is the record. */
  function goToItem(call: Call): Answer {
    const headers = new Headers(systemHeaders)
    headers.set('Location', `${baseUrl(call)}/api/v2/video/${call.parameter}`)
    return new Response(null, { status: 302, headers })
  }

  return [
    toReadRoute(
      { name: 'other', path: '/api/1.0/videos/urlforsource', headers: legacyHeaders, negotiates: false },
      { role: null, run: findPage },
    ),
    toReadRoute(
      { name: 'other', path: '/video/:id', headers: systemHeaders, negotiates: false, acceptsParameter: isId },
      { role: null, run: goToItem },
    ),
  ]
}

/** The first live record with this `source_url`. */
const toSourceQuery = (sourceUrl: string): ListQuery => ({
  filters: { drafts: false, speakers: [], tags: [], has: [], sourceUrl },
  order: null,
  page: 1,
  pageSize: 1,
  fields: null,
  facets: [],
})

const isId = (value: string) => parseRecordId(value) !== null
