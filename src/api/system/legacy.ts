import type { BaseUrl } from '../../http/base-url.ts'
import { Refused } from '../../http/problem/problem.ts'
import { requireRead } from '../../http/problem/read-problems.ts'
import { json, redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import type { ListQuery } from '../../record/query/query.ts'
import { fromBodyText } from '../../record/record.ts'
import type { Visibility } from '../../record/state.ts'
import { type ReadDeps, toVisibility } from '../list/envelope.ts'

/**
 * For clients of the first API: finds the page of the video that is hosted at `host_url`. Callers who see drafts get one
 * only if no live record has the video.
 */
export async function findPageOfSource(call: Call, { store, baseUrl }: ReadDeps): Promise<TextAnswer> {
  const sourceUrl = call.query().get('host_url') ?? ''
  const visibility = toVisibility(call)
  const find = async (among: Visibility) =>
    requireRead(await store.list(toSourceQuery(sourceUrl, among), call.signal)).records?.[0]
  const live = sourceUrl === '' ? undefined : await find('live')
  const found = live ?? (sourceUrl === '' || visibility === 'live' ? undefined : await find('all'))
  if (found === undefined) throw new Refused({ code: 'not_found', detail: 'No record has this source_url.' })
  const { id, slug } = fromBodyText(found)
  const text = toAsciiJson({ source_url: `${baseUrl(call)}/video/${id}/${slug}` })
  return json(call, text, visibility === 'all' ? 'private' : null)
}

/** The first record with this `source_url`. */
const toSourceQuery = (sourceUrl: string, visibility: Visibility): ListQuery => ({
  filters: { visibility, speakers: [], tags: [], has: [], sourceUrl },
  match: 'all',
  order: null,
  page: 1,
  pageSize: 1,
  fields: null,
  facets: [],
  hasHighlight: false,
})

/** Without the site, the page of a record is the record. */
export function goToRecord(call: Call<'id'>, { baseUrl }: { readonly baseUrl: BaseUrl }): TextAnswer {
  return redirect(call, `${baseUrl(call)}/api/v2/video/${call.params.id}`)
}
