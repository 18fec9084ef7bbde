import { maxCompletions } from '../../record/query/completion.ts'
import {
  badBody,
  erased,
  jsonType,
  listProblems,
  notModified,
  publishersOnly,
  stale,
  toDescribeDocs,
  toListAnswers,
  toPageDocs,
} from './answer-docs.ts'
import { ref } from './field-schema.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifModifiedSince,
  ifNoneMatch,
  ifUnmodifiedSince,
  listParameters,
  type OperationDocs,
  type Parameter,
  prefer,
  type RouteDocs,
  recordId,
  suggestText,
  toQuery,
} from './operation-docs.ts'

const record = {
  text: 'The record. The default, `text/html`, has the same bytes as `application/json`.',
  content: { 'text/html': ref('VideoRecord'), [jsonType]: ref('VideoRecord') },
  headers: ['ETag', 'Last-Modified', 'Cache-Control'],
} as const

/** A successful write. A dry run returns what would be stored, without ETag and Last-Modified. */
const written = {
  text: 'The record as it is now, or as a dry run would leave it.',
  content: record.content,
  headers: ['Cache-Control'],
  maybeHeaders: ['ETag', 'Last-Modified'],
} as const

const newRecord = { category: 'PyCon 2012', title: 'A talk', speakers: ['Ada Lovelace'] }
const change = { summary: 'What the talk is about.' }
const patch = [{ op: 'add', path: '/tags/-', value: 'testing' }]

const putRecord: OperationDocs = {
  id: 'replaceVideo',
  summary: 'Replace a record',
  text:
    'Omitted fields are reset to their defaults, except `state`, which keeps its value. A PUT that changes nothing ' +
    'creates no version.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, changeReason, format],
  body: { [jsonType]: { schema: ref('NewVideoRecord'), example: newRecord } },
  answers: { 200: written },
  problems: { 400: badBody, 403: publishersOnly, 410: erased, 412: stale },
  problemHeaders: { 415: ['Accept-Patch'] },
}

const patchRecord: OperationDocs = {
  id: 'changeVideo',
  summary: 'Change some fields of a record',
  text:
    'JSON Merge Patch (RFC 7396), or JSON Patch (RFC 6902) as `application/json-patch+json`. Null is an error for a ' +
    'field that is not nullable. A PATCH that changes nothing creates no version.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, prefer, changeReason, format],
  body: {
    [jsonType]: { schema: ref('VideoRecordChange'), example: change },
    'application/merge-patch+json': { schema: ref('VideoRecordChange'), example: change },
    'application/json-patch+json': { schema: ref('JsonPatch'), example: patch },
  },
  answers: { 200: { ...written, maybeHeaders: [...written.maybeHeaders, 'Preference-Applied'] } },
  problems: { 400: badBody, 403: publishersOnly, 409: 'A `test` of the JSON Patch failed.', 410: erased, 412: stale },
  problemHeaders: { 415: ['Accept-Patch'] },
}

const recordDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    GET: {
      id: 'getVideo',
      summary: 'Read a record',
      text: 'Live records are public. Without a token, a draft is 404.',
      parameters: [format, ifNoneMatch, ifModifiedSince],
      answers: { 200: record, 304: notModified },
      problems: { 410: erased },
    },
    PUT: putRecord,
    PATCH: patchRecord,
    OPTIONS: {
      id: 'describeVideo',
      summary: 'Describe the fields of a record',
      text: 'The response is the same for every valid id, whether the record exists or not.',
      parameters: [format],
      answers: {
        200: {
          text: 'Media types and fields.',
          content: { [jsonType]: ref('Description') },
          headers: ['Accept-Patch'],
        },
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
        'Live records, and drafts if you send a token. The default order is newest recording first (unknown dates ' +
        'last), then title, then id. With `match=best`, `count` may be a lower bound (`count_is`); `page=last` is then 404.',
      parameters: listParameters,
      answer: ['A page of records.', 'VideoList'],
      missing: 'page',
      problems: listProblems,
    }),
    POST: {
      id: 'createVideo',
      summary: 'Create a record',
      text: 'Creates a draft unless `state` is 1, which only publishers may set. The response has no `Location` header.',
      parameters: [dryRun, idempotencyKey, changeReason, format],
      body: { [jsonType]: { schema: ref('NewVideoRecord'), example: newRecord } },
      answers: {
        200: {
          text: 'Dry run: the record that would be stored, with id 0.',
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
        400: `${badBody} Or the key was used with a different body.`,
        403: 'The role does not allow this. Only publishers publish records.',
      },
    },
    OPTIONS: { ...toDescribeDocs('Videos'), summary: 'Describe the fields of a record', parameters: [format] },
  },
}

const unused = ['match', 'highlight', 'ordering', 'fields', 'facets']
const searchText =
  'All words must be said within about 45 seconds, in any order; a word of three letters or more also matches the start ' +
  'of another. `"a phrase"` matches words in this order, `-word` excludes. At most 200 characters and 16 words.'
const spokenWords = toQuery('q', searchText, { type: 'string' })

function toMomentsDocs(id: string, what: string, parameters: readonly Parameter[], moments: number): RouteDocs {
  const limit = toQuery('moments', 'Moments of each talk, at most 20.', {
    type: 'integer',
    minimum: 1,
    default: moments,
  })
  return {
    tag: 'Records',
    methods: {
      GET: toPageDocs({
        id,
        summary: `Find what was said ${what}`,
        text: 'Searches transcripts. Talks in which the words are said most often and closest together come first, then the newest.',
        parameters: [...parameters, limit],
        answer: ['Talks with the moments in which the words are said.', 'MomentList'],
        missing: 'page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs(toTitled(id)),
    },
  }
}

const toTitled = (id: string) => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`

const momentsDocs = toMomentsDocs(
  'findMoments',
  'in all talks',
  [spokenWords, ...listParameters.filter(({ name }) => name !== 'q' && !unused.includes(name))],
  3,
)
const recordMomentsDocs: RouteDocs = {
  ...toMomentsDocs(
    'findMomentsOf',
    'in a talk',
    [spokenWords, ...listParameters.filter(({ name }) => name === 'transcript_language')],
    20,
  ),
  parameters: [recordId],
}

const suggestDocs: RouteDocs = {
  tag: 'Records',
  methods: {
    GET: {
      id: 'suggest',
      summary: 'Suggest speakers, categories, tags and records',
      text: 'For search fields, while a person types. Any word of a name or title matches.',
      parameters: [suggestText, format, ifNoneMatch],
      answers: toListAnswers(`At most ${maxCompletions} completions; none if \`q\` is empty.`, 'CompletionList'),
      problems: { ...listProblems, 404: '`format` is not `json`.' },
    },
    OPTIONS: toDescribeDocs('Completions'),
  },
}

export const videoDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/video': listDocs,
  '/api/v2/moments': momentsDocs,
  '/api/v2/video/:id/moments': recordMomentsDocs,
  '/api/v2/suggest': suggestDocs,
  '/api/v2/video/:id': recordDocs,
}
