import { jsonType, listProblems, toDescribeDocs, toPageDocs, toReadAnswer, toReadDocs } from './answer-docs.ts'
import { toPageParameters } from './list-parameters.ts'
import { ref } from './openapi-shape.ts'
import type { Parameter, RouteDocs } from './operation-docs.ts'
import { changeReason, dryRun, ifMatch } from './parameter-docs.ts'

const prefix: Parameter = {
  name: 'q',
  in: 'query',
  text: 'How the name begins; case and accents do not matter.',
  schema: { type: 'string' },
}

const slug: Parameter = {
  name: 'slug',
  in: 'path',
  text: 'The category’s slug.',
  schema: { type: 'string' },
  example: 'pycon-2012',
}

function toListDocs(id: string, what: string, schema: string): RouteDocs {
  return {
    tag: 'Vocabulary',
    methods: {
      GET: toPageDocs({
        id: `list${id}`,
        summary: `List ${what}`,
        text: 'With counts of live records; of drafts too for token holders.',
        parameters: [prefix, ...toPageParameters()],
        answer: [`A page of ${what}.`, schema],
        missing: 'page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs(id),
    },
  }
}

const change = { description: 'The conference of 2012.', start_date: '2012-03-07' }

const categoryDocs: RouteDocs = {
  tag: 'Vocabulary',
  parameters: [slug],
  methods: {
    GET: toReadDocs({
      id: 'getCategory',
      summary: 'Read a category',
      answer: ['The category.', 'Category'],
      missing: 'category',
      problems: { 503: listProblems[503] },
    }),
    PATCH: {
      id: 'changeCategory',
      summary: 'Change a category',
      text: 'JSON Merge Patch. A new title is written into all its records as one batch; the slug stays.',
      parameters: [dryRun, ifMatch, changeReason],
      body: {
        [jsonType]: { schema: ref('CategoryChange'), example: change },
        'application/merge-patch+json': { schema: ref('CategoryChange'), example: change },
      },
      answers: { 200: toReadAnswer('The category as it is now; after a dry run as it would be.', 'Category') },
      problems: {
        400: 'The body is not strict JSON, or some of its fields are wrong: `errors` names them all.',
        409: 'There is another category with this title.',
      },
    },
    OPTIONS: toDescribeDocs('Category'),
  },
}

const sourceDocs: RouteDocs = {
  tag: 'First generation',
  methods: {
    GET: {
      id: 'findSource',
      summary: 'Where the page of a hosted video is',
      parameters: [
        { name: 'host_url', in: 'query', text: 'The `source_url` of the record.', schema: { type: 'string' } },
      ],
      answers: { 200: { text: 'The address.', content: { [jsonType]: ref('SourcePage') } } },
      problems: { 404: 'No record has this `source_url`.', 503: 'The store is busy or down.' },
    },
  },
}

export const vocabularyDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/category': toListDocs('Categories', 'categories', 'CategoryList'),
  '/api/v2/category/:slug': categoryDocs,
  '/api/v2/speaker': toListDocs('Speakers', 'speakers', 'WordList'),
  '/api/v2/tag': toListDocs('Tags', 'tags', 'WordList'),
  '/api/v2/language': toListDocs('Languages', 'languages', 'LanguageList'),
  '/api/1.0/videos/urlforsource': sourceDocs,
}
