import type { Route } from '../http/route.ts'
import { createPath, type Path, type QueryRoutes, toMissingRoute, toQueryRoutes, toRoute } from '../http/route-table.ts'
import { companionNames } from '../record/companion/kinds.ts'
import {
  type BatchHandlerDeps,
  listBatches,
  mergeRecord,
  postBatch,
  readBatch,
  stopRunningBatch,
  undoBatch,
} from './batches.ts'
import { type CategoryDeps, mergeCategory, patchCategory, postCategory, readCategory } from './categories.ts'
import { deleteCompanion, putCompanion, readCompanion } from './companions.ts'
import { describeCategories, describeDescription, describeRecords } from './describe.ts'
import { createDocs, type DocsDeps, readDocsFile, readDocsPage } from './docs.ts'
import { type ChangesDeps, listFeedChanges, openStream } from './feed/changes.ts'
import {
  acceptFinding,
  countFindings,
  hideFinding,
  listDuplicates,
  readFindings,
  withdrawAcceptance,
} from './findings.ts'
import {
  type HistoryDeps,
  listCategoryVersions,
  listProfileVersions,
  listRecordVersions,
  readCategoryVersion,
  readProfileVersion,
  readVersion,
  restoreRecordVersion,
} from './history.ts'
import { acceptMoved, ignoreLink, listLinks, reportLinks } from './links.ts'
import {
  type CollectionDeps,
  createRecord,
  listCompletions,
  listMoments,
  listRecordMoments,
  listRecords,
  type PageLinkDeps,
} from './lists.ts'
import { changeName, listNames, listVariants, mergeName, postDismissal, readName } from './names.ts'
import { createDescription, type DescriptionDeps, readDescription } from './openapi/openapi-document.ts'
import {
  apiPath,
  apiRootPath,
  changesPath,
  docsPath,
  legacyPath,
  recordPath,
  streamPath,
  systemPath,
  textPath,
} from './path-kinds.ts'
import { patchRecord, type RecordDeps, readExtras, readRecord, replaceRecord } from './records.ts'
import { deleteSchedule, putSchedule, readSchedule } from './schedule.ts'
import {
  checkHealth,
  checkReadiness,
  findPageOfSource,
  goToApi,
  goToList,
  goToRecord,
  readMetrics,
  readRoot,
  type SystemDeps,
} from './system.ts'
import { deleteTranscript, listTranscripts, putTranscript, readTranscript } from './transcripts.ts'

/** What handlers on query threads need. */
export type QueryHandlerDeps = PageLinkDeps

/** What handlers on HTTP threads need. */
export type HttpDeps = QueryHandlerDeps &
  RecordDeps &
  CollectionDeps &
  HistoryDeps &
  BatchHandlerDeps &
  CategoryDeps &
  ChangesDeps &
  SystemDeps &
  DescriptionDeps &
  DocsDeps

const path = createPath<QueryHandlerDeps, HttpDeps>()

const recordPattern = '/api/v2/video/:id'

/**
 * Every method and path of the service, each with the lowest role that may call it; null is public. HEAD follows GET,
 * OPTIONS the kind of the path, and Allow the methods that a path has. The parameters `:id` and `:version` are whole
 * numbers from 1; the others may be any text. A name wins over a parameter in its place, regardless of the order of the
 * lines.
 */
const table: readonly Path<QueryHandlerDeps, HttpDeps>[] = [
  path(recordPattern, recordPath, {
    GET: { handler: readRecord, role: null, runsOn: 'http' },
    PUT: { handler: replaceRecord, role: 'editor', runsOn: 'http' },
    PATCH: { handler: patchRecord, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/video/duplicates', apiPath, { GET: { handler: listDuplicates, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/video/duplicates/dismiss', apiPath, {
    POST: { handler: postDismissal('video'), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/video/:id/publish-at', apiPath, {
    GET: { handler: readSchedule, role: 'reader', runsOn: 'query' },
    PUT: { handler: putSchedule, role: 'publisher', runsOn: 'http' },
    DELETE: { handler: deleteSchedule, role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/video/:id/merge', apiPath, { POST: { handler: mergeRecord, role: 'publisher', runsOn: 'http' } }),
  path('/api/v2/video', apiPath, {
    GET: {
      handler: listRecords,
      role: null,
      parameterRoles: { by: 'reader', scheduled: 'reader', link: 'reader' },
      runsOn: 'query',
      isCached: true,
    },
    POST: { handler: createRecord, role: 'editor', runsOn: 'http' },
    OPTIONS: { handler: describeRecords, role: null, runsOn: 'http' },
  }),
  ...companionNames.map((name) =>
    path(`/api/v2/video/:id/${name}`, name === 'chapters' ? textPath : apiPath, {
      GET: { handler: readCompanion(name), role: null, runsOn: 'http' },
      PUT: { handler: putCompanion(name), role: 'editor', runsOn: 'http' },
      DELETE: { handler: deleteCompanion(name), role: 'editor', runsOn: 'http' },
    }),
  ),
  path('/api/v2/video/:id/transcripts', apiPath, {
    GET: { handler: listTranscripts, role: null, runsOn: 'query' },
  }),
  path('/api/v2/video/:id/transcripts/:language', textPath, {
    GET: { handler: readTranscript, role: null, runsOn: 'query' },
    PUT: { handler: putTranscript, role: 'editor', runsOn: 'http' },
    DELETE: { handler: deleteTranscript, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/video/:id/extras', apiPath, { GET: { handler: readExtras, role: null, runsOn: 'http' } }),
  path('/api/v2/video/:id/findings', apiPath, { GET: { handler: readFindings, role: 'reader', runsOn: 'query' } }),
  // Editors may change drafts; the writer judges the record.
  path('/api/v2/video/:id/findings/:code/accept', apiPath, {
    POST: { handler: acceptFinding, role: 'editor', runsOn: 'http' },
    DELETE: { handler: withdrawAcceptance, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/findings/:code/hidden', apiPath, {
    PUT: { handler: hideFinding(true), role: 'publisher', runsOn: 'http' },
    DELETE: { handler: hideFinding(false), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/findings', apiPath, { GET: { handler: countFindings, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/links', apiPath, { GET: { handler: listLinks, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/links/report', apiPath, { GET: { handler: reportLinks, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/links/accept-moved', apiPath, { POST: { handler: acceptMoved, role: 'publisher', runsOn: 'http' } }),
  path('/api/v2/links/ignore', apiPath, { POST: { handler: ignoreLink, role: 'publisher', runsOn: 'http' } }),
  path('/api/v2/video/:id/history', apiPath, { GET: { handler: listRecordVersions, role: 'reader', runsOn: 'query' } }),
  path('/api/v2/video/:id/history/:version', apiPath, {
    GET: { handler: readVersion, role: 'reader', runsOn: 'http' },
  }),
  path('/api/v2/video/:id/history/:version/restore', apiPath, {
    POST: { handler: restoreRecordVersion, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/batches', apiPath, {
    GET: { handler: listBatches, role: 'reader', runsOn: 'query' },
    // Editors may change drafts; the writer judges each record.
    POST: { handler: postBatch, role: 'editor', runsOn: 'http' },
  }),
  path('/api/v2/batches/:id', apiPath, { GET: { handler: readBatch, role: 'reader', runsOn: 'query' } }),
  // Any role may call these: the refusal for the batch of another author explains which role is needed.
  path('/api/v2/batches/:id/stop', apiPath, { POST: { handler: stopRunningBatch, role: 'reader', runsOn: 'http' } }),
  path('/api/v2/batches/:id/undo', apiPath, { POST: { handler: undoBatch, role: 'reader', runsOn: 'http' } }),
  path('/api/v2/changes', changesPath, {
    GET: { handler: listFeedChanges, role: null, parameterRoles: { by: 'reader' }, runsOn: 'query' },
  }),
  path('/api/v2/changes/stream', streamPath, {
    GET: { handler: openStream, role: null, parameterRoles: { by: 'reader' }, runsOn: 'http' },
  }),
  path('/api/v2/moments', apiPath, {
    GET: {
      handler: listMoments,
      role: null,
      parameterRoles: { by: 'reader', scheduled: 'reader' },
      runsOn: 'query',
      isCached: true,
    },
  }),
  path('/api/v2/video/:id/moments', apiPath, {
    GET: { handler: listRecordMoments, role: null, runsOn: 'query', isCached: true },
  }),
  path('/api/v2/suggest', apiPath, {
    GET: { handler: listCompletions, role: null, runsOn: 'query', isCached: true },
  }),
  path('/api/v2/category', apiPath, {
    GET: { handler: listNames('category'), role: null, runsOn: 'query', isCached: true },
    POST: { handler: postCategory, role: 'publisher', runsOn: 'http' },
    OPTIONS: { handler: describeCategories, role: null, runsOn: 'http' },
  }),
  path('/api/v2/category/:slug', apiPath, {
    GET: { handler: readCategory, role: null, runsOn: 'query', isCached: true },
    PATCH: { handler: patchCategory, role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/category/:slug/merge', apiPath, {
    POST: { handler: mergeCategory, role: 'publisher', runsOn: 'http' },
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
  path('/api/v2/speaker/variants', apiPath, {
    GET: { handler: listVariants('speaker'), role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/speaker/:id', apiPath, {
    GET: { handler: readName('speaker'), role: null, runsOn: 'query', isCached: true },
    PATCH: { handler: changeName('speaker'), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/speaker/:id/history', apiPath, {
    GET: { handler: listProfileVersions, role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/speaker/:id/history/:version', apiPath, {
    GET: { handler: readProfileVersion, role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/speaker/:id/merge', apiPath, {
    POST: { handler: mergeName('speaker'), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/speaker/variants/dismiss', apiPath, {
    POST: { handler: postDismissal('speaker'), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/tag', apiPath, { GET: { handler: listNames('tag'), role: null, runsOn: 'query', isCached: true } }),
  path('/api/v2/tag/variants', apiPath, {
    GET: { handler: listVariants('tag'), role: 'reader', runsOn: 'query' },
  }),
  path('/api/v2/tag/:id', apiPath, {
    GET: { handler: readName('tag'), role: null, runsOn: 'query', isCached: true },
    PATCH: { handler: changeName('tag'), role: 'publisher', runsOn: 'http' },
  }),
  path('/api/v2/tag/:id/merge', apiPath, { POST: { handler: mergeName('tag'), role: 'publisher', runsOn: 'http' } }),
  path('/api/v2/tag/variants/dismiss', apiPath, {
    POST: { handler: postDismissal('tag'), role: 'publisher', runsOn: 'http' },
  }),
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
  path('/api', apiRootPath, { GET: { handler: goToApi, role: null, runsOn: 'http' } }),
  path('/api/docs', docsPath, { GET: { handler: readDocsPage, role: null, runsOn: 'http' } }),
  path('/api/docs/:file', docsPath, { GET: { handler: readDocsFile, role: null, runsOn: 'http' } }),
  path('/api/1.0/videos/urlforsource', legacyPath, {
    GET: { handler: findPageOfSource, role: null, runsOn: 'query' },
  }),
  path('/healthz', systemPath, { GET: { handler: checkHealth, role: null, runsOn: 'http' } }),
  path('/readyz', systemPath, { GET: { handler: checkReadiness, role: null, runsOn: 'http' } }),
]

/** Left out if `--metrics-address` is set. */
const metricsPath = path('/metrics', systemPath, { GET: { handler: readMetrics, role: null, runsOn: 'http' } })

/** Paths that are pages unless the site is off. */
const tableWithoutSite: readonly Path<QueryHandlerDeps, HttpDeps>[] = [
  path('/video/:id', systemPath, { GET: { handler: goToRecord, role: null, runsOn: 'http' } }),
  path('/video/:id/:slug', systemPath, { GET: { handler: goToRecord, role: null, runsOn: 'http' } }),
  path('/', systemPath, { GET: { handler: goToList, role: null, runsOn: 'http' } }),
]

/** The routes of a query thread. */
export function createQueryRoutes(deps: QueryHandlerDeps): QueryRoutes {
  return toQueryRoutes(table, deps)
}

export interface Routes {
  readonly record: Route
  /** Null if `--metrics-address` is set. */
  readonly metrics: Route | null
  readonly all: readonly Route[]
  readonly notFound: Route
}

type RoutesDeps = Omit<HttpDeps, 'description' | 'docs'> & {
  readonly version: string
  readonly hasSite: boolean
  /** `--metrics-address` is set. */
  readonly hidesMetrics: boolean
}

export function createRoutes(options: RoutesDeps): Routes {
  const description = createDescription(options.version, () => all)
  const deps: HttpDeps = { ...options, description, docs: createDocs() }
  const others = [...(options.hidesMetrics ? [] : [metricsPath]), ...(options.hasSite ? [] : tableWithoutSite)]
  const all = [...table, ...others].map((each) => toRoute(each, deps))
  const record = all.find(({ path }) => path === recordPattern)
  if (record === undefined) throw new Error('the table has no path of a record')
  const metrics = all.find(({ path }) => path === metricsPath.path) ?? null
  return { record, metrics, all, notFound: toMissingRoute(apiPath) }
}
