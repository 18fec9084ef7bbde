import {
  badBody,
  batchRunning,
  jsonType,
  listProblems,
  notModified,
  toDescribeDocs,
  toPageDocs,
  toReadDocs,
} from './answer-docs.ts'
import { ref } from './field-schema.ts'
import { mergedCategory, toMergeDocs, toNameDocs } from './name-docs.ts'
import {
  type AnswerDocs,
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifModifiedSince,
  ifUnmodifiedSince,
  type OperationDocs,
  type Parameter,
  type RouteDocs,
  toPageParameters,
  versionNumber,
} from './operation-docs.ts'

const prefix: Parameter = {
  name: 'q',
  in: 'query',
  text: 'Beginning of any word of the name; ignores case and accents. The most used come first.',
  schema: { type: 'string' },
}

function toListDocs(id: string, what: string, schema: string): RouteDocs {
  return {
    tag: 'Vocabulary',
    methods: {
      GET: toPageDocs({
        id: `list${id}`,
        summary: `List ${what}`,
        text: 'With the number of live records each, and of drafts if you send a token.',
        parameters: [prefix, ...toPageParameters()],
        answer: [`A page of ${what}.`, schema],
        missing: 'page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs(id),
    },
  }
}

const sourceDocs: RouteDocs = {
  tag: 'Legacy',
  methods: {
    GET: {
      id: 'findSource',
      summary: 'Find the page of a hosted video',
      text: 'With a token also that of a draft, if no live record has the video.',
      parameters: [
        { name: 'host_url', in: 'query', text: 'The `source_url` of the record.', schema: { type: 'string' } },
      ],
      answers: { 200: { text: 'The URL of the page.', content: { [jsonType]: ref('SourcePage') } } },
      problems: { 404: 'No record has this `source_url`.', 503: 'The store is busy or unavailable.' },
    },
  },
}

export const vocabularyDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/speaker': toListDocs('Speakers', 'speakers', 'NameList'),
  ...toNameDocs('Speaker', 'speaker'),
  '/api/v2/tag': toListDocs('Tags', 'tags', 'NameList'),
  ...toNameDocs('Tag', 'tag'),
  '/api/v2/language': toListDocs('Languages', 'languages', 'LanguageList'),
  '/api/1.0/videos/urlforsource': sourceDocs,
}

const slug: Parameter = {
  name: 'slug',
  in: 'path',
  text: 'Slug of the category.',
  schema: { type: 'string' },
  example: 'pycon-2012',
}

const getCategory: OperationDocs = toReadDocs({
  id: 'getCategory',
  summary: 'Read a category',
  text:
    'Includes the URLs of its records, newest first. `If-Match` compares only the first part of the ETag, which ' +
    'identifies the version of the category’s own fields, so an ETag from any read works.',
  parameters: [ifModifiedSince],
  answer: ['The category.', 'Category'],
  missing: 'category',
  problems: { 503: listProblems[503] },
})

const change = { description: 'The PyCon US conference of 2012.', start_date: '2012-03-07' }

const changeCategory: OperationDocs = {
  id: 'changeCategory',
  summary: 'Change a category',
  text:
    'JSON Merge Patch (RFC 7396). A new title is written to all records of the category as one batch; the slug does not ' +
    'change. A PATCH that changes nothing creates no version. While a large category is being renamed, each record is ' +
    'listed under either the old title or the new one.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, idempotencyKey, changeReason],
  body: {
    [jsonType]: { schema: ref('CategoryChange'), example: change },
    'application/merge-patch+json': { schema: ref('CategoryChange'), example: change },
  },
  answers: {
    200: {
      text: 'The category as it is now, or as a dry run would leave it.',
      content: { [jsonType]: ref('Category') },
      headers: ['Cache-Control'],
      maybeHeaders: ['ETag', 'Last-Modified'],
    },
    202: batchRunning,
  },
  problems: {
    400: badBody,
    409: 'Another category has this title, or this one was merged: `slug` is the current one. Or a batch with it is running.',
    412: 'The precondition failed; nothing was written.',
  },
}

const createCategory: OperationDocs = {
  id: 'createCategory',
  summary: 'Create a category',
  text:
    'The category is public immediately, even without records. A category that is first named by a record is created with ' +
    'that record and becomes public with its first live record.',
  parameters: [dryRun, idempotencyKey, changeReason, format],
  body: { [jsonType]: { schema: ref('NewCategory'), example: { title: 'PyCon 2012', ...change } } },
  answers: {
    200: {
      text: 'Dry run: the category that would be created.',
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
    400: `${badBody} Or the key was used with a different body.`,
    409: 'A category with this title exists, or was merged: `slug` names the current one.',
  },
}

const listHistory = toPageDocs({
  id: 'listCategoryHistory',
  summary: 'List the versions of a category',
  text: 'Newest first. The history of an older category begins with the upgrade that introduced category versions.',
  parameters: toPageParameters(),
  answer: ['A page of versions.', 'CategoryHistoryList'],
  missing: 'category or page',
  problems: listProblems,
})

const getVersion = toReadDocs({
  id: 'getCategoryVersion',
  summary: 'Read a version of a category',
  text: 'The category’s own fields in this version, and what the version changed.',
  answer: ['The version.', 'CategoryVersion'],
  missing: 'category or version',
  problems: { 503: listProblems[503] },
})

const merge = toMergeDocs('Category', 'category', 'slug', 'pycon-us-2012')
const mergeCategory: OperationDocs = {
  ...merge,
  text: `${merge.text} Fields that are empty there take the values of this one.`,
}

const list = toListDocs('Categories', 'categories', 'CategoryList')

export const categoryDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/category': { ...list, methods: { ...list.methods, POST: createCategory } },
  '/api/v2/category/:slug': {
    tag: 'Vocabulary',
    parameters: [slug],
    methods: {
      GET: {
        ...getCategory,
        answers: { 200: toDated(getCategory.answers[200]), 301: mergedCategory, 304: toDated(notModified) },
      },
      PATCH: changeCategory,
      OPTIONS: toDescribeDocs('Category'),
    },
  },
  '/api/v2/category/:slug/merge': {
    tag: 'Vocabulary',
    parameters: [slug],
    methods: { POST: mergeCategory, OPTIONS: toDescribeDocs('CategoryMerge') },
  },
  '/api/v2/category/:slug/history': {
    tag: 'History',
    parameters: [slug],
    methods: { GET: listHistory, OPTIONS: toDescribeDocs('CategoryHistory') },
  },
  '/api/v2/category/:slug/history/:version': {
    tag: 'History',
    parameters: [slug, versionNumber],
    methods: { GET: getVersion, OPTIONS: toDescribeDocs('CategoryVersion') },
  },
}

function toDated(answer: AnswerDocs | undefined): AnswerDocs {
  return { text: '', ...answer, headers: [...(answer?.headers ?? []), 'Last-Modified'] }
}
