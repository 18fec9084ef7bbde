import { categoryFields } from '../../record/category.ts'
import type { JsonObject } from '../../record/json.ts'
import { profileFields } from '../../record/profile.ts'
import { completionKinds, maxCompletions } from '../../record/query/completion.ts'
import { passageFields } from '../../record/text/highlight.ts'
import { categoryTexts } from '../describe.ts'
import { bulkSchemas } from './bulk-docs.ts'
import { companionSchemas, transcriptSchemas } from './companion-docs.ts'
import {
  ref,
  requiredNames,
  slugPattern,
  timePattern,
  toChangeSchema,
  toKindSchema,
  toListSchema,
  toObjectSchema,
  toRecordPartSchema,
  toRecordSchema,
} from './field-schema.ts'
import { changesSchemas, extrasSchemas, historySchemas, refusedRecord } from './history-schema.ts'
import { linkSchemas } from './link-docs.ts'
import { variantSchemas } from './name-docs.ts'
import { qualitySchemas } from './quality-docs.ts'

/** All body schemas, by name. */
export function toSchemas(): JsonObject {
  return {
    VideoRecord: toRecordSchema(),
    VideoRecordPart: toRecordPartSchema(),
    VideoRecordChange: toChangeSchema(),
    NewVideoRecord: {
      description: 'A whole record. Omitted fields get their defaults; a PUT without `state` keeps the current one.',
      allOf: [ref('VideoRecordChange')],
      required: requiredNames,
    },
    JsonPatch: jsonPatch,
    ...searchSchemas,
    ...qualitySchemas,
    ...companionSchemas,
    ...transcriptSchemas,
    ...linkSchemas,
    ...extrasSchemas,
    ...historySchemas,
    ...bulkSchemas,
    ...changesSchemas,
    ...vocabularySchemas,
    Root: {
      type: 'object',
      description: 'URLs of the main resources.',
      additionalProperties: { type: 'string', format: 'uri' },
    },
    OpenApi: openApi,
    Description: description,
    FieldDescription: fieldDescription,
    Problem: problem,
    Status: { type: 'object', required: ['status'], properties: { status: { type: 'string' } } },
  }
}

const jsonPatch: JsonObject = {
  type: 'array',
  description: 'JSON Patch (RFC 6902), applied completely or not at all. A failed `test` is 409.',
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'JSON Pointer, such as `/title` or `/tags/-`.' },
      from: { type: 'string', description: 'JSON Pointer, for `move` and `copy`.' },
      value: { description: 'For `add`, `replace` and `test`.' },
    },
  },
}

const fieldDescription: JsonObject = {
  type: 'object',
  required: ['type', 'required', 'read_only', 'help_text'],
  properties: {
    type: { enum: ['string', 'integer', 'boolean', 'choice', 'date', 'datetime', 'list', 'url'] },
    required: { type: 'boolean' },
    read_only: { type: 'boolean' },
    nullable: { type: 'boolean' },
    max_length: { type: 'integer' },
    max_items: { type: 'integer' },
    min_value: { type: 'integer' },
    max_value: { type: 'integer' },
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'display_name'],
        properties: { value: { type: 'integer' }, display_name: { type: 'string' } },
      },
    },
    help_text: { type: 'string' },
  },
}

const description: JsonObject = {
  type: 'object',
  description: 'Media types and fields of a resource. `actions` is present for callers that may write.',
  required: ['name', 'renders'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    renders: { type: 'array', items: { type: 'string' } },
    parses: { type: 'array', items: { type: 'string' } },
    actions: {
      type: 'object',
      description: 'The body fields of each method.',
      additionalProperties: { type: 'object', additionalProperties: ref('FieldDescription') },
    },
  },
}

const openApi: JsonObject = {
  type: 'object',
  description: 'An OpenAPI document.',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
}

const conflictCurrent: JsonObject = {
  type: 'object',
  description: 'For a failed precondition (412): the current version of the record.',
  additionalProperties: false,
  required: ['version', 'etag', 'updated'],
  properties: { version: { type: 'integer' }, etag: { type: 'string' }, updated: { type: 'string' } },
}

const conflictFields: JsonObject = {
  type: 'object',
  description:
    'For a failed precondition (412), for each changed field: its value in the version you named, if that is known ' +
    '(`base`), its current value (`theirs`), and the value in your request (`yours`).',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['theirs'],
    properties: { base: {}, theirs: {}, yours: {} },
  },
}

const problem: JsonObject = {
  type: 'object',
  description: 'An error (RFC 9457). `detail` says what to do.',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', pattern: '^urn:rostrum:problem:[a-z_]+$', description: 'Identifies the kind of problem.' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', minLength: 1, description: 'What went wrong and what to do about it.' },
    instance: { type: 'string', minLength: 1, description: 'The request id, which also appears in the log.' },
    errors: {
      type: 'object',
      description: 'For an invalid body or parameter: the errors of each field.',
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
    slug: { type: 'string', description: 'For a title that is taken, or a merged category (409): the current slug.' },
    id: { type: 'integer', description: 'For a name that is taken, or a merged one (409): the current id.' },
    refused: {
      type: 'array',
      description: 'For a bulk change (403, 409): every record that refuses it.',
      items: refusedRecord,
    },
    count: { type: 'integer', description: 'For a bulk change (400, 409): the number of records that it selects.' },
    store: { type: 'string', description: 'For a replaced store (409): id of the current store.' },
    current: conflictCurrent,
    fields: conflictFields,
    conflicts: {
      type: 'array',
      description: 'For a failed precondition (412): the fields that both sides changed to different values.',
      items: { type: 'string' },
    },
  },
}

const slug = { type: 'string', pattern: slugPattern, readOnly: true, description: 'Used in URLs; never changes.' }
const name = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0, description: 'Number of records.' }

const category: JsonObject = {
  title: toCategoryField('title'),
  slug,
  description: toCategoryField('description'),
  url: toCategoryField('url'),
  start_date: toCategoryField('start_date'),
  end_date: toCategoryField('end_date'),
  place: toCategoryField('place'),
  series: toCategoryField('series'),
  whiteboard: toCategoryField('whiteboard'),
  added: { type: 'string', pattern: timePattern, readOnly: true, description: 'Time of creation, UTC.' },
  videos: {
    type: 'array',
    items: { type: 'string', format: 'uri' },
    readOnly: true,
    description: 'URLs of its records, newest first. Drafts are included if you send a token.',
  },
}

const nameSlug = { ...slug, description: 'Used in URLs; a rename changes it.' }
const nameFields = { id: { type: 'integer', minimum: 1 }, name, slug: nameSlug, count }
const aliases = {
  type: 'array',
  items: { type: 'string' },
  description: 'Former names, and names that were merged into it, sorted. Only if you send a token.',
}

const profile: JsonObject = {
  note: { ...toKindSchema(profileFields.note, false), description: 'What to know of the speaker, in Markdown.' },
  links: {
    ...toKindSchema(profileFields.links, false),
    description: 'Addresses of pages of the speaker, http or https.',
  },
}

/** Schemas of categories, speakers, tags and languages. */
const vocabularySchemas: JsonObject = {
  Category: toObjectSchema('An event or group of talks.', category),
  CategoryChange: {
    type: 'object',
    description: 'Fields to set. Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    properties: category,
  },
  NewCategory: {
    type: 'object',
    description: 'Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    required: ['title'],
    properties: category,
  },
  CategoryList: toListSchema('A page of categories.', ref('Category')),
  Name: {
    ...toObjectSchema('A speaker or a tag.', { ...nameFields, aliases }),
    required: Object.keys(nameFields),
  },
  NameChange: {
    type: 'object',
    description: 'The new name. Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    required: ['name'],
    properties: { ...nameFields, aliases },
  },
  Speaker: {
    ...toObjectSchema('A speaker, and what publishers say of them.', { ...nameFields, ...profile, aliases }),
    required: [...Object.keys(nameFields), ...Object.keys(profile)],
  },
  SpeakerChange: {
    type: 'object',
    description:
      'A new name, or what to say of the speaker. Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    minProperties: 1,
    properties: { ...nameFields, ...profile, aliases },
  },
  NameMerge: toObjectSchema('What to merge into.', {
    into: { type: 'integer', minimum: 1, description: 'Id of the speaker or tag that stays.' },
  }),
  CategoryMerge: toObjectSchema('What to merge into.', {
    into: { type: 'string', description: 'Slug of the category that stays.' },
  }),
  NameList: toListSchema('A page of speakers or tags.', ref('Name')),
  ...variantSchemas,
  Language: toObjectSchema('Its English name and the number of records.', { name, count }),
  LanguageList: toListSchema('A page of languages.', ref('Language')),
  SourcePage: toObjectSchema('URL of the page of a record.', { source_url: { type: 'string', format: 'uri' } }),
}

function toCategoryField(field: keyof typeof categoryFields): JsonObject {
  const kind = categoryFields[field]
  return { ...toKindSchema(kind, kind.nullable), description: categoryTexts[field] }
}

const facets: JsonObject = {
  type: 'object',
  description: 'Number of matching records per value. Present only if `facets` was requested.',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      required: ['value', 'count'],
      properties: { value: { type: ['string', 'integer'] }, count: { type: 'integer', minimum: 1 } },
    },
  },
}

const corrected: JsonObject = {
  type: 'object',
  description:
    'For `match=best`: words of `q` that were also searched with other spellings, and these spellings. Absent if there ' +
    'are none.',
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
}

const matchIs: JsonObject = {
  const: 'some',
  description:
    'For `match=best`: few records have all words of `q`, so others have some of them. Absent if all have all words.',
}

const unknown: JsonObject = {
  type: 'array',
  description: 'For `match=best`: words of `q` that no record has, in any form or spelling. Absent if there are none.',
  minItems: 1,
  items: { type: 'string' },
}

const countIs: JsonObject = {
  const: 'at_least',
  description: 'For `match=best`: there may be more results than `count`. Absent if `count` is exact.',
}

const offset: JsonObject = { type: 'integer', minimum: 0 }
const marks: JsonObject = {
  type: 'array',
  description: 'Start and end of each hit in code points; the end is exclusive. In order, without overlaps.',
  items: { type: 'array', prefixItems: [offset, offset], minItems: 2, maxItems: 2 },
}

const passage: JsonObject = {
  field: { enum: passageFields, description: 'The field that it comes from.' },
  text: { type: 'string', description: 'At most 200 characters of the field. Names are separated by a comma.' },
  marks,
}

const seconds: JsonObject = { type: 'number', minimum: 0 }
const records: JsonObject = { anyOf: [ref('VideoRecord'), ref('VideoRecordPart')] }

/** Schemas of the list of records. */
const searchSchemas: JsonObject = {
  VideoList: toListSchema(
    'A page of records.',
    { anyOf: [ref('VideoRecord'), ref('VideoRecordPart'), ref('HighlightedRecord')] },
    { facets, corrected, match_is: matchIs, unknown, count_is: countIs },
  ),
  HighlightedRecord: toObjectSchema('A result of a list with `highlight=1`.', {
    record: records,
    highlight: ref('Highlight'),
  }),
  Highlight: toObjectSchema('Where the record matches the search.', {
    title: marks,
    passage: {
      anyOf: [ref('Passage'), { type: 'null' }],
      description:
        'The best passage; null if it would be the beginning of the summary or description and both are empty.',
    },
  }),
  Completion: toObjectSchema('Something that a caller may be looking for.', {
    kind: { enum: completionKinds },
    text: { type: 'string', minLength: 1, description: 'The name or title.' },
    url: {
      type: 'string',
      format: 'uri',
      description: 'The page of the record, category, speaker or tag; without the site, its URL in the API.',
    },
    count: { type: 'integer', minimum: 0, description: 'Number of records; 1 for a record.' },
  }),
  CompletionList: toObjectSchema('Completions, the most used first.', {
    results: { type: 'array', maxItems: maxCompletions, items: ref('Completion') },
  }),
  MomentList: toListSchema('Talks in which the words are said, the best first.', ref('SpokenRecord'), {
    count_is: { const: 'at_least', description: 'Some transcripts are not indexed yet. Absent if `count` is exact.' },
  }),
  SpokenRecord: toObjectSchema('A talk in which the words are said.', {
    record: ref('VideoRecordPart'),
    hits: { type: 'integer', minimum: 1, description: 'How often they are said together.' },
    moments: { type: 'array', maxItems: 20, items: ref('Moment'), description: 'The best ones, in order of time.' },
  }),
  Moment: toObjectSchema('A place in a talk where the words are said.', {
    language: { type: 'string', description: 'Of the transcript, such as `en`.' },
    start: { ...seconds, description: 'Start of the cue with the first of the words, in seconds.' },
    end: seconds,
    text: { type: 'string', description: 'What is said from there, at most 600 characters.' },
    marks,
    url: {
      type: 'string',
      format: 'uri',
      description: 'The page of the talk at that second; without the site, the record.',
    },
  }),
  Passage: toObjectSchema(
    'The part of a text field with the most different hits. Without hits, the beginning of the summary or description.',
    passage,
  ),
}
