import { jsonType, listProblems, toDescribeDocs, toPageDocs } from './answer-docs.ts'
import { toPageParameters } from './list-parameters.ts'
import type { Parameter, RouteDocs } from './operation-docs.ts'
import { ref } from './shape.ts'

const prefix: Parameter = {
  name: 'q',
  in: 'query',
  text: 'Prefix of the name; ignores case and accents.',
  schema: { type: 'string' },
}

export function toListDocs(id: string, what: string, schema: string): RouteDocs {
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
  '/api/v2/tag': toListDocs('Tags', 'tags', 'NameList'),
  '/api/v2/language': toListDocs('Languages', 'languages', 'LanguageList'),
  '/api/1.0/videos/urlforsource': sourceDocs,
}
