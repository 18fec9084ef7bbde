import { toHeaders } from '../http/respond.ts'
import type { Action, Answer, Call, HttpCall, Route, TextAnswer } from '../http/route.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Role } from '../record/command.ts'
import { parseRecordId } from '../record/record.ts'
import { type BatchNeeds, listBatches, readBatch, undoBatch } from './batch/batches.ts'
import { describeCategories, describeDescription, describeRecords } from './describe.ts'
import { createDocs, type DocsNeeds, readDocsFile, readDocsPage } from './docs/docs.ts'
import { createDescription, type DescriptionNeeds, readDescription } from './docs/openapi-document.ts'
import { type ChangesNeeds, listChanges, openStream } from './feed/changes.ts'
import {
  type HistoryNeeds,
  listCategoryVersions,
  listVersions,
  readCategoryVersion,
  readVersion,
  restoreVersion,
} from './history/history.ts'
import { type ItemNeeds, patchItem, readExtras, readItem, replaceItem } from './item/item.ts'
import { type CollectionNeeds, createRecord, listRecords } from './list/collection.ts'
import type { ReadNeeds } from './list/envelope.ts'
import { listSuggestions } from './list/suggest.ts'
import {
  apiPath,
  docsPath,
  itemPath,
  legacyPath,
  listPath,
  type PathKind,
  pagePath,
  streamPath,
  systemPath,
} from './path-kinds.ts'
import { findPageOfSource, goToRecord } from './system/legacy.ts'
import { checkHealth, checkReadiness, goToList, readMetrics, readRoot, type SystemNeeds } from './system/system.ts'
import { type CategoryNeeds, changeCategory, postCategory, readCategory } from './vocabulary/category.ts'
import { listNames } from './vocabulary/vocabulary.ts'

/**
 * Every method and path of the service. HEAD follows GET, OPTIONS the kind of the path, and Allow the methods that a
 * path has. The parameters `:id` and `:version` are whole numbers from 1; the others may be any text.
 */
const table: readonly Path[] = [
  path('/api/v2/video/:id', itemPath, {
    GET: { handler: readItem, role: null, runsOn: 'http' },
    PUT: { handler: replaceItem, role: 'editor', runsOn: 'http' },
    PATCH: { handler: patchItem, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/video', listPath, {
    GET: { handler: listRecords, role: null, runsOn: 'query', isCached: true },
    POST: { handler: createRecord, role: 'editor', runsOn: 'http' },
    OPTIONS: { handler: describeRecords, role: null, runsOn: 'http' },
  }),
  path('/api/v2/video/:id/extras', apiPath, { GET: { handler: readExtras, role: null, runsOn: 'http' } }),
  path('/api/v2/video/:id/history', apiPath, { GET: { handler: listVersions, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/video/:id/history/:version', apiPath, {
    GET: { handler: readVersion, role: 'reader', runsOn: 'http' },
  }),
  path('/api/v2/video/:id/history/:version/restore', apiPath, {
    POST: { handler: restoreVersion, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/batches', apiPath, { GET: { handler: listBatches, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/batches/:id', apiPath, { GET: { handler: readBatch, role: 'reader', runsOn: 'query' } }),
  // Any role may call it: the refusal for the batch of another author explains which role is needed.
  path('/api/v2/batches/:id/undo', apiPath, { POST: { handler: undoBatch, role: 'reader', runsOn: 'http' } }),
  path('/api/v2/changes', apiPath, { GET: { handler: listChanges, role: null, runsOn: 'query' } }),
  path('/api/v2/changes/stream', streamPath, { GET: { handler: openStream, role: null, runsOn: 'http' } }),
  path('/api/v2/suggest', apiPath, {
    GET: { handler: listSuggestions, role: null, runsOn: 'query', isCached: true },
  }),
  path('/api/v2/category', apiPath, {
    GET: { handler: listNames('category'), role: null, runsOn: 'query', isCached: true },
    POST: { handler: postCategory, role: 'publisher', runsOn: 'http' },
    OPTIONS: { handler: describeCategories, role: null, runsOn: 'http' },
  }),
  path('/api/v2/category/:slug', apiPath, {
    GET: { handler: readCategory, role: null, runsOn: 'query', isCached: true },
    PATCH: { handler: changeCategory, role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/category/:slug/history', apiPath, {
    GET: { handler: listCategoryVersions, role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/category/:slug/history/:version', apiPath, {
    GET: { handler: readCategoryVersion, role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/speaker', apiPath, {
    GET: { handler: listNames('speaker'), role: null, runsOn: 'query', isCached: true },
  }),
  path('/api/v2/tag', apiPath, { GET: { handler: listNames('tag'), role: null, runsOn: 'query', isCached: true } }),
  path('/api/v2/language', apiPath, {
    GET: { handler: listNames('language'), role: null, runsOn: 'query', isCached: true },
  }),
  path('/api/v2', apiPath, {
    GET: { handler: readRoot, role: null, runsOn: 'http' },
    OPTIONS: { handler: readRoot, role: null, runsOn: 'http' },
  }),
  path('/api/v2/openapi.json', apiPath, {
    GET: { handler: readDescription, role: null, runsOn: 'http' },
    OPTIONS: { handler: describeDescription, role: null, runsOn: 'http' },
  }),
  path('/api/docs', docsPath, { GET: { handler: readDocsPage, role: null, runsOn: 'http' } }),
  path('/api/docs/:file', docsPath, { GET: { handler: readDocsFile, role: null, runsOn: 'http' } }),
  path('/api/1.0/videos/urlforsource', legacyPath, {
    GET: { handler: findPageOfSource, role: null, runsOn: 'query' },
  }),
  path('/video/:id', pagePath, { GET: { handler: goToRecord, role: null, runsOn: 'http' } }),
  path('/healthz', systemPath, { GET: { handler: checkHealth, role: null, runsOn: 'http' } }),
  path('/readyz', systemPath, { GET: { handler: checkReadiness, role: null, runsOn: 'http' } }),
  path('/metrics', systemPath, { GET: { handler: readMetrics, role: null, runsOn: 'http' } }),
  path('/', systemPath, { GET: { handler: goToList, role: null, runsOn: 'http' } }),
]

/** What handlers on query threads need. */
export type QueryNeeds = ReadNeeds

/** What handlers on HTTP threads need. */
export type HttpNeeds = QueryNeeds &
  ItemNeeds &
  CollectionNeeds &
  HistoryNeeds &
  BatchNeeds &
  CategoryNeeds &
  ChangesNeeds &
  SystemNeeds &
  DescriptionNeeds &
  DocsNeeds

type QueryHandler<Name extends string> = (call: Call<Name>, needs: QueryNeeds) => MaybePromise<TextAnswer>
type HttpHandler<Name extends string> = (call: HttpCall<Name>, needs: HttpNeeds) => MaybePromise<Answer>

type Row<Name extends string> =
  | {
      readonly handler: QueryHandler<Name>
      readonly role: Role | null
      readonly runsOn: 'query'
      readonly isCached?: true
    }
  | { readonly handler: HttpHandler<Name>; readonly role: Role | null; readonly runsOn: 'http' }

type Rows<Name extends string> = { readonly [method in 'GET' | 'PUT' | 'PATCH' | 'POST' | 'OPTIONS']?: Row<Name> }

interface Path {
  readonly path: string
  readonly kind: PathKind
  readonly rows: Rows<never>
}

/** The names of the parameters in a path. */
type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

function path<const P extends string>(pattern: P, kind: PathKind, rows: Rows<ParamNames<P>>): Path {
  // The router gives a call of this path a value for each name in it.
  return { path: pattern, kind, rows: rows as Rows<never> }
}

/** The routes of a query thread: the paths whose GET runs there. */
export type QueryRoutes = ReadonlyMap<string, QueryRoute>

interface QueryRoute {
  readonly headers: Headers
  handler(call: Call): MaybePromise<TextAnswer>
}

export function createQueryRoutes(needs: QueryNeeds): QueryRoutes {
  const routes = table.flatMap(({ path: pattern, kind, rows }) => {
    const { GET: get } = rows
    if (get?.runsOn !== 'query') return []
    const handler = (call: Call) => get.handler(call, needs)
    return [[pattern, { headers: toPathHeaders(kind, toAllow(kind, rows)), handler }] as const]
  })
  return new Map(routes)
}

export interface Routes {
  readonly item: Route
  readonly all: readonly Route[]
  readonly notFound: Route
}

export function createRoutes(given: Omit<HttpNeeds, 'description' | 'docs'> & { readonly version: string }): Routes {
  const description = createDescription(given.version, () => all)
  const needs: HttpNeeds = { ...given, description, docs: createDocs() }
  const all = table.map((each) => toRoute(each, needs))
  const item = all.find(({ name }) => name === 'item')
  if (item === undefined) throw new Error('the table has no path of a record')
  return { item, all, notFound }
}

function toRoute({ path: pattern, kind, rows }: Path, needs: HttpNeeds): Route {
  const actions = toActions(kind, rows, needs)
  const allow = toAllow(kind, rows)
  return {
    name: kind.name,
    path: pattern,
    accepts: ({ id = '1', version = '1' }) => parseRecordId(id) !== null && parseRecordId(version) !== null,
    actions,
    allow,
    headers: toPathHeaders(kind, allow),
    negotiates: kind.negotiates,
  }
}

function toPathHeaders({ headers, caching }: PathKind, allow: string): Headers {
  return toHeaders(new Headers({ Allow: allow, ...headers }), null, caching ?? null)
}

/** In the order of the table, then HEAD, then OPTIONS. */
function toAllow(kind: PathKind, { OPTIONS = toDescribeRow(kind), ...others }: Rows<never>): string {
  const methods = [...Object.keys(others), ...(others.GET === undefined ? [] : ['HEAD'])]
  return [...methods, ...(OPTIONS === undefined ? [] : ['OPTIONS'])].join(', ')
}

function toActions(kind: PathKind, rows: Rows<never>, needs: HttpNeeds): Route['actions'] {
  const { OPTIONS = toDescribeRow(kind), ...others } = rows
  const bound = Object.entries(others).map(([method, row]) => [method, bind(row, needs)] as const)
  const get = bound.find(([method]) => method === 'GET')
  return {
    ...Object.fromEntries(bound),
    ...(get === undefined ? {} : { HEAD: get[1] }),
    ...(OPTIONS === undefined ? {} : { OPTIONS: bind(OPTIONS, needs) }),
  }
}

function toDescribeRow({ describe }: PathKind): Row<never> | undefined {
  return describe === null ? undefined : { handler: describe, role: null, runsOn: 'http' }
}

function bind(row: Row<never>, needs: HttpNeeds): Action {
  const { handler, role, runsOn } = row
  const isCached = row.runsOn === 'query' && row.isCached === true
  return { handler: (call) => handler(call, needs), role, runsOn, isCached }
}

/** The route of every other URL. It accepts no parameters, so the response is always 404. */
const notFound: Route = {
  name: 'other',
  path: '',
  accepts: () => false,
  actions: {},
  allow: '',
  headers: new Headers(apiPath.headers),
  negotiates: false,
}
