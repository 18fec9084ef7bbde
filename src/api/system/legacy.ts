import type { Answer, Call, Route } from '../../http/call.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
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
    const parameters = new URLSearchParams({ source_url: sourceUrl, fields: 'id', page_size: '1' }).toString()
    const page = sourceUrl === '' ? null : await store.list({ parameters, drafts: false, at: '' }, call.request.signal)
    if (typeof page === 'string') return toReadFailure(page)
    const id = page === null || 'problem' in page ? undefined : toFirstId(page.text)
    if (id === undefined) return { code: 'not_found', detail: 'No record has this source_url.' }
    const headers = new Headers(legacyHeaders)
    headers.set('Content-Type', 'application/json')
    return new Response(toAsciiJson({ source_url: `${baseUrl(call)}/video/${id}` }), { headers })
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

function toFirstId(body: string): number | undefined {
  const { results } = JSON.parse(body) as { results: readonly { id: number }[] } // the one field asked for
  return results[0]?.id
}

const isId = (value: string) => parseRecordId(value) !== null
