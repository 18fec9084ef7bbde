import { isTextField, type ListField, listFields, maxSelected } from '../../record/bulk.ts'
import { fieldNames, fields, writableNames } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { badBody, batchRunning, jsonType } from './answer-docs.ts'
import { linkChange, transcriptChange } from './companion-docs.ts'
import { ref, timePattern, toObjectSchema } from './field-schema.ts'
import { batchFields, batchReport } from './history-schema.ts'
import { changeReason, dryRun, format, idempotencyKey, type OperationDocs, type Parameter } from './operation-docs.ts'

const example = {
  select: { query: 'category=pycon-us-2014&tag=keynote' },
  patch: { language: 'English', tags: { add: ['plenary'], remove: ['misc'] } },
  expect: 12,
  reason: 'All keynotes were in English',
}

const after: Parameter = {
  name: 'after',
  in: 'query',
  text: 'For a dry run: differences of records with larger ids only. Send `next` of the page before.',
  schema: { type: 'integer', minimum: 0 },
}

export const createBatch: OperationDocs = {
  id: 'createBatch',
  summary: 'Change many records',
  text:
    'Changes up to 10,000 records in one transaction: all of them, or none. Each gets a version of the same batch, which ' +
    'its author can undo. Send it with `dry_run=1` first: the response has the number of records for `expect`, every ' +
    'refusal, 50 differences (the rest by `after`), and `as_of`. Publishers change any record; editors only records that are drafts ' +
    'and stay drafts.',
  parameters: [dryRun, after, changeReason, idempotencyKey, format],
  body: { [jsonType]: { schema: ref('BulkChange'), example } },
  answers: {
    200: {
      text: 'Nothing had to change, so there is no batch; or what a dry run would change.',
      content: { [jsonType]: { anyOf: [ref('BatchReport'), ref('BulkDryRun')] } },
      headers: ['Cache-Control'],
    },
    201: {
      text: 'The batch.',
      content: { [jsonType]: ref('BatchReport') },
      headers: ['Cache-Control', 'Content-Location'],
    },
    202: batchRunning,
  },
  problems: {
    400: `${badBody} Or the selection has more than 10,000 records, or the key was used with a different request.`,
    403: 'The role does not allow this, or not for the records in `refused`. Nothing was changed.',
    404: '`format` is not `json`.',
    409:
      'Some records refuse the change: `refused` has each with the code of its problem. Or the selection has `count` ' +
      'records and not `expect`. Nothing was changed.',
  },
}

const moment = {
  type: 'string',
  anyOf: [{ format: 'date' }, { pattern: timePattern.replace('$', 'Z?$') }],
}

const selection: JsonObject = {
  description: 'Which records to change.',
  anyOf: [
    toObjectSchema('Records by id. Each must exist.', {
      ids: { type: 'array', maxItems: maxSelected, items: { type: 'integer', minimum: 1 } },
    }),
    toObjectSchema('Records that match filters of the list.', {
      query: {
        type: 'string',
        minLength: 1,
        description:
          'Filters as in the URL of the list, such as `category=x&tag=y`. A parameter that is unknown, empty, or about ' +
          'paging, order or shape is an error.',
      },
    }),
    {
      ...toObjectSchema('Records that an author changed in a period.', {
        by: { type: 'string', description: 'Name of a token.' },
        since: { ...moment, description: 'A day or time, UTC, included.' },
        until: { ...moment, description: 'A day or time, UTC, included. Absent: until now.' },
      }),
      required: ['by', 'since'],
    },
  ],
}

const toEntries = (field: ListField) => ({
  type: 'array',
  maxItems: fields[field].kind.maxItems ?? 0,
  items: { type: 'string', maxLength: fields[field].kind.maxLength ?? 0 },
})

const toFieldRef = (name: string) => ({ $ref: `#/components/schemas/VideoRecordChange/properties/${name}` })

const split = toObjectSchema(
  'Entries that name several people become one entry for each, as `several_speakers` finds them. Others stay unchanged.',
  { split: { const: true } },
)

function toListChange(field: ListField): JsonObject {
  return {
    anyOf: [
      toFieldRef(field),
      {
        type: 'object',
        description: 'Entries to add at the end of the list, and entries to remove. The order of the others is kept.',
        additionalProperties: false,
        minProperties: 1,
        properties: { add: toEntries(field), remove: toEntries(field) },
      },
      ...(field === 'speakers' ? [split] : []),
    ],
  }
}

const toTextMembers = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(
    names.map((name) => [name, name === 'replace' ? { type: 'string' } : { type: 'string', minLength: 1 }]),
  ),
})

const textEdit: JsonObject = {
  description:
    'Edits the text that each record has. `find` is literal, with case, and every occurrence is replaced. `cut_start` and ' +
    '`cut_end` remove a text from an end that has it; together with `prefix` or `suffix` they replace that end. `prefix` ' +
    'and `suffix` add a text to an end that does not have it yet. Records without a match, and empty texts, stay ' +
    'unchanged; a record whose result is invalid is refused (`bad_fields`).',
  anyOf: [
    toTextMembers('find', 'replace'),
    toTextMembers('cut_start'),
    toTextMembers('prefix'),
    toTextMembers('cut_start', 'prefix'),
    toTextMembers('cut_end'),
    toTextMembers('suffix'),
    toTextMembers('cut_end', 'suffix'),
  ],
}

const toFactor = (name: string, text: string) => ({
  ...toObjectSchema(text, {
    [name]: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 },
    if_plausible: { const: true },
  }),
  required: [name],
})

const durationEdit: JsonObject = {
  description:
    'Scales the length that each record has, rounded to whole seconds, halves up. Unknown lengths stay unknown. A result ' +
    'above the limit, or one that would be rounded to 0, is refused (`bad_fields`). With `if_plausible`, a length stays as ' +
    'it is if the result is under a minute, or over eight hours.',
  anyOf: [toFactor('multiply', 'The length times this.'), toFactor('divide', 'The length divided by this.')],
}

const thumbnailEdit = toObjectSchema(
  'Fills in the thumbnail that follows from `source_url` for known hosts (YouTube, Internet Archive). Records that have a ' +
    'thumbnail stay unchanged. With `as_of`, a record whose `source_url` was changed later is refused too.',
  { from_source: { const: true } },
)

/** The value of a field, or an edit of the one that each record has. */
const toEditable = (name: string): JsonObject => ({
  anyOf: [
    toFieldRef(name),
    ...(name === 'duration' ? [durationEdit] : [ref('TextEdit')]),
    ...(name === 'thumbnail_url' ? [thumbnailEdit] : []),
  ],
})

const edited = writableNames.filter((name) => name === 'duration' || isTextField(name))

const patch: JsonObject = {
  type: 'object',
  description:
    'A merge patch for each record. Lists may also be changed by `add` and `remove`, speakers be split, and texts and the length be edited. `related` is about the related links.',
  additionalProperties: false,
  properties: Object.fromEntries([
    ...fieldNames.filter((name) => name !== 'id').map((name) => [name, toFieldRef(name)] as const),
    ...listFields.map((name) => [name, toListChange(name)] as const),
    ...edited.map((name) => [name, toEditable(name)] as const),
    ['related', linkChange] as const,
    ['transcripts', transcriptChange] as const,
  ]),
}

const count = { type: 'integer', minimum: 0 }

const reason = { type: 'string', maxLength: 500, description: 'As `Change-Reason`; wins over the header.' }

const change: JsonObject = {
  type: 'object',
  description: 'A change of many records: `select`, and either `patch` or `restore`.',
  additionalProperties: false,
  required: ['select'],
  properties: {
    select: selection,
    patch: ref('BulkPatch'),
    restore: {
      const: true,
      description:
        'With `by`: each field that the author changed gets its value from before their first change in that time, ' +
        'unless somebody else has changed it since. A record that they created becomes a draft. Related links, fields of ' +
        'categories, notes and links of speakers, renames and merges are restored in the same way; a category that they ' +
        'created and nobody else uses is hidden. `others` names all of these, and what was left.',
    },
    reason,
    expect: {
      ...count,
      description:
        'The number of records. If the selection has a different number, nothing changes: 409. Required with `query` and `by`.',
    },
    as_of: {
      ...count,
      description: 'The number that a dry run gave. Records of which a field in `patch` was changed later are refused.',
    },
    partial: { type: 'boolean', description: 'Change the other records even if some refuse.' },
  },
}

const undo: JsonObject = {
  type: 'object',
  description: 'Why a batch is undone. Unknown fields are errors.',
  additionalProperties: false,
  properties: { reason },
}

const difference = toObjectSchema('What would change in a record.', {
  id: { type: 'integer', minimum: 1 },
  fields: {
    type: 'object',
    propertyNames: batchFields,
    additionalProperties: toObjectSchema('The values of a field.', { before: {}, after: {} }),
  },
})

/** Schemas of bulk changes. */
export const bulkSchemas: JsonObject = {
  TextEdit: textEdit,
  BulkPatch: patch,
  BulkChange: change,
  Undo: undo,
  BulkDryRun: toObjectSchema('What a bulk change would do. Names every record that refuses.', {
    ...batchReport,
    differences: {
      type: 'array',
      maxItems: 50,
      items: difference,
      description: 'Of 50 records, by id: the first ones, or those after `after`.',
    },
    next: {
      type: ['integer', 'null'],
      description: 'The value of `after` for the next differences; null if there are no more.',
    },
    as_of: { ...count, description: 'Seq of the last change that the dry run saw. Send it with the request itself.' },
  }),
}
