import { maxChapters } from '../../record/companion/chapters.ts'
import { type CompanionName, companionNames } from '../../record/companion/kinds.ts'
import { maxRecordings, recordingKinds } from '../../record/companion/recordings.ts'
import { linkKinds, maxLinks } from '../../record/companion/related.ts'
import type { JsonObject } from '../../record/json.ts'
import { badBody, erased, jsonType, publishersOnly, toDescribeDocs } from './answer-docs.ts'
import { ref, toObjectSchema } from './field-schema.ts'
import { changeReason, dryRun, ifMatch, ifNoneMatch, type RouteDocs, recordId } from './operation-docs.ts'

const url = { type: 'string', format: 'uri', maxLength: 2048, description: 'http or https, without user info.' }
const seconds = { type: 'number', minimum: 0, multipleOf: 0.001 }

const link: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url,
    label: { type: 'string', maxLength: 255 },
    kind: { enum: linkKinds, description: 'Guessed from label and address if a PUT leaves it out.' },
  },
}

/** In the patch of a bulk change. */
export const linkChange: JsonObject = {
  type: 'object',
  description:
    'Related links to add, unless a record has one with the same address, and addresses of links to remove. A record that ' +
    'would have too many is refused (`bad_fields`).',
  additionalProperties: false,
  properties: {
    add: { type: 'array', items: link, maxItems: maxLinks },
    remove: { type: 'array', items: { type: 'string' } },
  },
}

const recording: JsonObject = {
  type: 'object',
  required: ['url'],
  properties: {
    url,
    kind: { enum: recordingKinds, description: '`page`: plays it. `file`: is it. Guessed if a PUT leaves it out.' },
    language: { type: 'string', description: 'The language spoken in it, if it is not that of the record.' },
    note: { type: 'string', maxLength: 255 },
    own: {
      type: 'boolean',
      description:
        'True for those that the record itself has; they change with the record only, and are ignored in a PUT.',
    },
  },
}

const chapter: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['start', 'title'],
  properties: {
    start: { ...seconds, description: 'In seconds. Each chapter starts after the one before.' },
    title: { type: 'string', minLength: 1, maxLength: 255 },
    end: { ...seconds, description: 'Left out, it lasts until the next one.' },
    video: { type: 'integer', minimum: 1, description: 'The id of the record that this part is.' },
  },
}

const toList = (name: string, text: string, items: JsonObject, maxItems: number) =>
  toObjectSchema(text, { [name]: { type: 'array', items, maxItems } })

export const companionSchemas: JsonObject = {
  RelatedLinks: toList('links', 'Pages about a talk elsewhere.', link, maxLinks),
  Recordings: toObjectSchema('Where a talk can be watched, its own addresses first.', {
    recordings: {
      type: 'array',
      items: recording,
      description: `At most ${maxRecordings}, without those that the record itself has.`,
    },
  }),
  Chapters: toList('chapters', 'The parts of a talk.', chapter, maxChapters),
}

const docs: { readonly [Name in CompanionName]: { schema: string; what: string; id: string; example: JsonObject } } = {
  related: {
    ...{ schema: 'RelatedLinks', what: 'related links', id: 'Related' },
    example: { links: [{ url: 'https://example.org/slides.pdf', label: 'Slides', kind: 'slides' }] },
  },
  recordings: {
    ...{ schema: 'Recordings', what: 'other recordings', id: 'Recordings' },
    example: { recordings: [{ url: 'https://archive.org/details/example', kind: 'page', note: 'with the questions' }] },
  },
  chapters: {
    ...{ schema: 'Chapters', what: 'chapters', id: 'Chapters' },
    example: {
      chapters: [
        { start: 0, title: 'Hello' },
        { start: 724.5, title: 'How it works' },
      ],
    },
  },
}

const texts = { 'text/vtt': { type: 'string' }, 'text/plain': { type: 'string' } }

function toDocs(name: CompanionName): RouteDocs {
  const { schema, what, id, example } = docs[name]
  const others = name === 'chapters' ? texts : {}
  const content = { [jsonType]: ref(schema), ...others }
  const bodies = Object.fromEntries(Object.entries(others).map(([type, each]) => [type, { schema: each }]))
  const answers = {
    200: { text: `The ${what}.`, content, headers: ['ETag', 'Cache-Control'] },
  } as const
  const stale = 'The precondition failed. The response has `base`, `theirs` and `yours`; nothing was written.'
  const problems = { 403: publishersOnly, 404: 'No such record.', 410: erased, 412: stale }
  return {
    tag: 'Records',
    parameters: [recordId],
    methods: {
      GET: {
        id: `get${id}`,
        summary: `Read the ${what} of a record`,
        text: 'Empty if nobody has given any. Those of a draft need a token.',
        parameters: name === 'recordings' ? [] : [ifNoneMatch],
        answers,
        problems: { 404: 'No such record.', 410: erased },
      },
      PUT: {
        id: `put${id}`,
        summary: `Replace the ${what} of a record`,
        text:
          'The record itself stays as it is, with its ETag and its time. The change is a version in the history of the ' +
          'record; equal content makes none. `If-Match` takes the ETag of this path.',
        parameters: [dryRun, ifMatch, changeReason],
        body: { [jsonType]: { schema: ref(schema), example }, ...bodies },
        answers,
        problems: { ...problems, 400: badBody },
      },
      DELETE: {
        id: `delete${id}`,
        summary: `Remove the ${what} of a record`,
        text: 'Answers with the empty ones. A version of the history has what was removed, and restores it.',
        parameters: [dryRun, ifMatch, changeReason],
        answers,
        problems: { ...problems, 400: '`dry_run` or `Change-Reason` is invalid.' },
      },
      OPTIONS: toDescribeDocs(schema),
    },
  }
}

export const companionDocs: { readonly [path: string]: RouteDocs } = Object.fromEntries(
  companionNames.map((name) => [`/api/v2/video/:id/${name}`, toDocs(name)]),
)
