import { erased, jsonType, listProblems, notModified, toDescribeDocs, toPageDocs } from './answer-docs.ts'
import { listParameters } from './list-parameters.ts'
import type { OperationDocs, RouteDocs } from './operation-docs.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifModifiedSince,
  ifNoneMatch,
  ifUnmodifiedSince,
  prefer,
  recordId,
} from './parameter-docs.ts'
import { ref } from './shape.ts'

const record = {
  text: 'The record. The default `text/html` has the same bytes as `application/json`.',
  content: { 'text/html': ref('VideoRecord'), [jsonType]: ref('VideoRecord') },
  headers: ['ETag', 'Last-Modified', 'Cache-Control'],
} as const

/** Of a write; a dry run answers with what would be stored, which has neither tag nor date. */
const written = {
  text: 'The record as it is now; after a dry run as it would be.',
  content: record.content,
  headers: ['Cache-Control'],
  maybeHeaders: ['ETag', 'Last-Modified'],
} as const

const newRecord = { category: 'PyCon 2012', title: 'A talk', speakers: ['Ada Lovelace'], language: 'English' }
const change = { summary: 'What the talk is about.' }
const patch = [{ op: 'add', path: '/tags/-', value: 'testing' }]

const stale =
  'The precondition does not hold, and nothing was written. `current`, `fields` and `conflicts` tell what became of ' +
  'the record since.'
const badBody = 'The body is not strict JSON, or some of its fields are wrong: `errors` names them all.'
const notForEditors = 'The role does not allow this; live records and publishing are for publishers.'

const putRecord: OperationDocs = {
  id: 'replaceVideo',
  summary: 'Replace a record',
  text:
    'Fields that are left out go back to their defaults, but `state` stays as it was. A replacement that changes ' +
    'nothing makes no new version.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, changeReason, format],
  body: { [jsonType]: { schema: ref('NewVideoRecord'), example: newRecord } },
  answers: { 200: written },
  problems: { 400: badBody, 403: notForEditors, 410: erased, 412: stale },
  problemHeaders: { 415: ['Accept-Patch'] },
}

const patchRecord: OperationDocs = {
  id: 'changeVideo',
  summary: 'Change some fields of a record',
  text:
    'JSON Merge Patch (RFC 7396), or JSON Patch (RFC 6902) as `application/json-patch+json`. Null on a field that may ' +
    'not be null is an error. A change that changes nothing makes no new version.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, prefer, changeReason, format],
  body: {
    [jsonType]: { schema: ref('VideoRecordChange'), example: change },
    'application/merge-patch+json': { schema: ref('VideoRecordChange'), example: change },
    'application/json-patch+json': { schema: ref('JsonPatch'), example: patch },
  },
  answers: { 200: { ...written, maybeHeaders: [...written.maybeHeaders, 'Preference-Applied'] } },
  problems: { 400: badBody, 403: notForEditors, 409: 'A `test` of the JSON Patch failed.', 410: erased, 412: stale },
  problemHeaders: { 415: ['Accept-Patch'] },
}

const itemDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    GET: {
      id: 'getVideo',
      summary: 'Read a record',
      text: 'Live records are public; a draft is not found without a token.',
      parameters: [format, ifNoneMatch, ifModifiedSince],
      answers: { 200: record, 304: notModified },
      problems: { 410: erased },
    },
    PUT: putRecord,
    PATCH: patchRecord,
    OPTIONS: {
      id: 'describeVideo',
      summary: 'What can be done with a record',
      text: 'The same for every well-formed id: it never looks at the record.',
      parameters: [format],
      answers: {
        200: { text: 'The description.', content: { [jsonType]: ref('Description') }, headers: ['Accept-Patch'] },
      },
    },
  },
}

const listDocs: RouteDocs = {
  tag: 'Records',
  methods: {
    GET: toPageDocs({
      id: 'listVideos',
      summary: 'List, filter and search records',
      text:
        'Live records; drafts too for token holders. Newest recording first (unknown days last), then by title and ' +
        'id, unless `ordering` says else.',
      parameters: listParameters,
      answer: ['A page of records.', 'VideoList'],
      missing: 'page',
      problems: listProblems,
    }),
    POST: {
      id: 'createVideo',
      summary: 'Make a new record',
      text: 'A draft unless `state` is 1, which is for publishers. There is no `Location` header.',
      parameters: [dryRun, idempotencyKey, changeReason, format],
      body: { [jsonType]: { schema: ref('NewVideoRecord'), example: newRecord } },
      answers: {
        200: {
          text: 'After a dry run: what would be stored, with the id 0.',
          content: { [jsonType]: ref('VideoRecord') },
          headers: ['Cache-Control'],
        },
        201: {
          text: 'The new record.',
          content: { [jsonType]: ref('VideoRecord') },
          headers: ['ETag', 'Content-Location', 'Cache-Control'],
        },
      },
      problems: {
        400: `${badBody} Or the key came with another body before.`,
        403: 'The role does not allow this; publishing is for publishers.',
      },
    },
    OPTIONS: { ...toDescribeDocs('Videos'), summary: 'What can be done with the list', parameters: [format] },
  },
}

export const videoDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/video': listDocs,
  '/api/v2/video/:id': itemDocs,
}
