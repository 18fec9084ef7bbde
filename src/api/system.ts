import type { BaseUrl } from '../http/host.ts'
import type { Metrics } from '../http/metrics.ts'
import { Refused, requireRead } from '../http/problem.ts'
import { contentTypes, json, redirect, toHeaders } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import { andThen, type MaybePromise } from '../promises.ts'
import { toAsciiJson } from '../record/json.ts'
import type { ListQuery } from '../record/query/query.ts'
import { vocabularyKinds } from '../record/query/vocabulary.ts'
import { fromBodyText } from '../record/record.ts'
import type { Visibility } from '../record/state.ts'
import type { RunningBatches } from '../store/batch-reads.ts'
import type { Store } from '../store/store.ts'
import { type ReadDeps, toVisibility } from './envelope.ts'

export interface SystemDeps {
  readonly store: Store
  readonly metrics: Metrics
  readonly baseUrl: BaseUrl
  readonly version: string
  /** The batches that this process runs. */
  loadBatches(): RunningBatches
  /** Brings this thread's gauges up to date before they are summed. */
  refreshGauges(): void
  isStopping(): boolean
  /** The age of the process. */
  uptimeMs(): number
}

/** Liveness: the process responds. */
export function checkHealth(call: Call): TextAnswer {
  return toStatus(call, 200, 'ok')
}

/** Readiness: the store can be read and written, and the process is not stopping. */
export function checkReadiness(call: Call, { store, isStopping }: SystemDeps): MaybePromise<TextAnswer> {
  if (isStopping()) return toStatus(call, 503, 'stopping')
  if (!store.isReady()) return toStatus(call, 503, store.unreadyReason() ?? 'the store accepts no writes at the moment')
  // Reads no record, since a single one may be damaged.
  return andThen(store.isErased(1), () => toStatus(call, 200, 'ready'))
}

export function readMetrics(call: Call, deps: SystemDeps): TextAnswer {
  deps.refreshGauges()
  const { metrics, version, uptimeMs, loadBatches } = deps
  const text = metrics.toText(version, uptimeMs() / 1000, loadBatches())
  return { status: 200, headers: toHeaders(call.route.headers, contentTypes.metrics, null), pieces: [text] }
}

export function goToList(call: Call, { baseUrl }: SystemDeps): TextAnswer {
  return redirect(call, `${baseUrl(call)}/api/v2/video`)
}

/** `/api`: what people look for is the page, and programs the links. */
export function goToApi(call: Call, { baseUrl }: SystemDeps): TextAnswer {
  return redirect(call, `${baseUrl(call)}/api/${call.representation === 'json' ? 'v2' : 'docs'}`)
}

/** `/api/v2` itself: links to the lists. */
export function readRoot(call: Call, { baseUrl }: SystemDeps): TextAnswer {
  const names = ['video', 'suggest', ...vocabularyKinds, 'changes', 'batches', 'openapi.json']
  const links = names.map((name) => [name, `${baseUrl(call)}/api/v2/${name}`])
  return json(call, JSON.stringify({ ...Object.fromEntries(links), docs: `${baseUrl(call)}/api/docs` }), null)
}

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

function toStatus(call: Call, status: number, text: string): TextAnswer {
  return json(call, JSON.stringify({ status: text }), null, { status })
}
