import {
  batchRunning,
  jsonType,
  listProblems,
  notModified,
  toDescribeDocs,
  toPageDocs,
  toReadDocs,
} from './answer-docs.ts'
import { toPageParameters } from './list-parameters.ts'
import type { AnswerDocs, OperationDocs, Parameter, RouteDocs } from './operation-docs.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifModifiedSince,
  ifUnmodifiedSince,
  toPathNumber,
} from './parameter-docs.ts'
import { ref } from './shape.ts'
import { toListDocs } from './vocabulary-docs.ts'

const slug: Parameter = {
  name: 'slug',
  in: 'path',
  text: 'The category’s slug.',
  schema: { type: 'string' },
  example: 'pycon-2012',
}

const version = toPathNumber('version', 'Number of the version: decimal digits without leading zeros.')

const getCategory: OperationDocs = toReadDocs({
  id: 'getCategory',
  summary: 'Read a category',
  text:
    'With the addresses of its records, newest first. The first part of the ETag names the version of its own fields, ' +
    'which is all that `If-Match` compares, so an ETag serves whoever read it.',
  parameters: [ifModifiedSince],
  answer: ['The category.', 'Category'],
  missing: 'category',
  problems: { 503: listProblems[503] },
})

const change = { description: 'The conference of 2012.', start_date: '2012-03-07' }

const changeCategory: OperationDocs = {
  id: 'changeCategory',
  summary: 'Change a category',
  text:
    'JSON Merge Patch. A new title is written into all its records as one batch; the slug stays. What changes makes a ' +
    'version of the category; what changes nothing makes none. While many records get the new title, some are listed ' +
    'under the old one and some under the new one.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, changeReason],
  body: {
    [jsonType]: { schema: ref('CategoryChange'), example: change },
    'application/merge-patch+json': { schema: ref('CategoryChange'), example: change },
  },
  answers: {
    200: {
      text: 'The category as it is now; after a dry run as it would be.',
      content: { [jsonType]: ref('Category') },
      headers: ['Cache-Control'],
      maybeHeaders: ['ETag', 'Last-Modified'],
    },
    202: batchRunning,
  },
  problems: {
    400: 'The body is not strict JSON, or some of its fields are wrong: `errors` names them all.',
    409: 'There is another category with this title: `slug` names it; or another rename of this one is still running.',
    412: 'The precondition does not hold, and nothing was written.',
  },
}

const createCategory: OperationDocs = {
  id: 'createCategory',
  summary: 'Make a category',
  text:
    'It is listed for everybody at once, even while it has no records. A category that a record names first is made with ' +
    'that record, and is listed when it has a live one.',
  parameters: [dryRun, idempotencyKey, changeReason, format],
  body: { [jsonType]: { schema: ref('NewCategory'), example: { title: 'PyCon 2012', ...change } } },
  answers: {
    200: {
      text: 'After a dry run: the category as it would be.',
      content: { [jsonType]: ref('Category') },
      headers: ['Cache-Control'],
    },
    201: {
      text: 'The new category.',
      content: { [jsonType]: ref('Category') },
      headers: ['ETag', 'Last-Modified', 'Cache-Control', 'Content-Location'],
    },
  },
  problems: {
    400: 'The body is not strict JSON, some of its fields are wrong (`errors` names them all), or the key came with another body before.',
    409: 'There is a category with this title already: `slug` names it.',
  },
}

const listHistory = toPageDocs({
  id: 'listCategoryHistory',
  summary: 'List the versions of a category',
  text: 'Newest first. What it was before there were versions is not known: its first one is then what it was at the upgrade.',
  parameters: toPageParameters(),
  answer: ['A page of versions.', 'CategoryHistoryList'],
  missing: 'category or page',
  problems: listProblems,
})

const getVersion = toReadDocs({
  id: 'getCategoryVersion',
  summary: 'Read a category as it was',
  text: 'Its own fields in this version, with what the version changed.',
  answer: ['The version.', 'CategoryVersion'],
  missing: 'category or version',
  problems: { 503: listProblems[503] },
})

const list = toListDocs('Categories', 'categories', 'CategoryList')

export const categoryDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/category': { ...list, methods: { ...list.methods, POST: createCategory } },
  '/api/v2/category/:slug': {
    tag: 'Vocabulary',
    parameters: [slug],
    methods: {
      GET: { ...getCategory, answers: { 200: toDated(getCategory.answers[200]), 304: toDated(notModified) } },
      PATCH: changeCategory,
      OPTIONS: toDescribeDocs('Category'),
    },
  },
  '/api/v2/category/:slug/history': {
    tag: 'History',
    parameters: [slug],
    methods: { GET: listHistory, OPTIONS: toDescribeDocs('CategoryHistory') },
  },
  '/api/v2/category/:slug/history/:version': {
    tag: 'History',
    parameters: [slug, version],
    methods: { GET: getVersion, OPTIONS: toDescribeDocs('CategoryVersion') },
  },
}

function toDated(answer: AnswerDocs | undefined): AnswerDocs {
  return { text: '', ...answer, headers: [...(answer?.headers ?? []), 'Last-Modified'] }
}
