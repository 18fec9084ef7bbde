import type { BaseUrl } from '../../http/base-url.ts'
import { Refused } from '../../http/problem.ts'
import { requireRead } from '../../http/read-problems.ts'
import { json, redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { fromBodyText, toAsciiJson } from '../../record/json/body-bytes.ts'
import type { ListQuery } from '../../record/query/query.ts'
import type { ReadNeeds } from '../list/envelope.ts'

/** For clients of the first API: finds the page of the video that is hosted at `host_url`. */
export async function findPageOfSource(call: Call, { store, baseUrl }: ReadNeeds): Promise<TextAnswer> {
  const sourceUrl = call.query().get('host_url') ?? ''
  const page = sourceUrl === '' ? null : requireRead(await store.list(toSourceQuery(sourceUrl), call.signal))
  const [record] = page?.records ?? []
  if (record === undefined) throw new Refused({ code: 'not_found', detail: 'No record has this source_url.' })
  return json(call, toAsciiJson({ source_url: `${baseUrl(call)}/video/${fromBodyText(record).id}` }), null)
}

/** The first live record with this `source_url`. */
const toSourceQuery = (sourceUrl: string): ListQuery => ({
  filters: { visibility: 'live', speakers: [], tags: [], has: [], sourceUrl },
  match: 'all',
  order: null,
  page: 1,
  pageSize: 1,
  fields: null,
  facets: [],
  hasHighlight: false,
})

/** Until there are pages for people, a record's page is the record. */
export function goToRecord(call: Call<'id'>, { baseUrl }: { readonly baseUrl: BaseUrl }): TextAnswer {
  return redirect(call, `${baseUrl(call)}/api/v2/video/${call.params.id}`)
}
