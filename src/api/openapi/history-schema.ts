import { categoryNames } from '../../record/category.ts'
import { writableNames } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json/json-value.ts'
import { timePattern } from './field-schema.ts'
import { ref, toListSchema, toObjectSchema } from './shape.ts'

const number = { type: 'integer', minimum: 1 }
const numberOrNull = { type: ['integer', 'null'], minimum: 1 }
const kinds = ['created', 'updated', 'withdrawn']

const id = { ...number, description: 'Identifier of the record.' }
const version = { ...number, description: 'Number of the version: 1 is the first.' }
const at = { type: 'string', pattern: timePattern, description: 'When, UTC.' }
const kind = {
  enum: kinds,
  description:
    'What it was for the public: `created` also where a record became public again, `withdrawn` where it no longer is.',
}

/** Who did it, and why. */
const deed = {
  at,
  by: { type: 'string', description: 'Name of the token.' },
  reason: { type: ['string', 'null'], description: 'What `Change-Reason` said, or null.' },
}

const versionLine = {
  version,
  ...deed,
  kind,
  batch: { ...numberOrNull, description: 'The batch that it belongs to, or null.' },
}

const changed: JsonObject = {
  type: 'object',
  description: 'What the version changed. The first version has no `from`.',
  propertyNames: { enum: writableNames },
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['to'],
    properties: { from: {}, to: {} },
  },
}

const categoryLine = { version, ...deed }

const categoryThen = toObjectSchema('The category’s own fields as they were.', {
  title: { type: 'string' },
  slug: { type: 'string' },
  description: { type: 'string' },
  url: { type: 'string' },
  start_date: { type: ['string', 'null'] },
  whiteboard: { type: 'string' },
})

const count = { type: 'integer', minimum: 0 }
const whys = ['changed since', 'already as before', 'already a draft', 'erased']

const left = toObjectSchema('Fields of a record that were left as they are.', {
  id,
  fields: { type: 'array', items: { enum: writableNames }, description: 'None for a record that was erased.' },
  why: { enum: whys, description: '`changed since`: somebody has given the field another value since.' },
})

const refused = toObjectSchema('A record that refused the change.', {
  id,
  problem: { type: 'string', description: 'A code, such as `live_is_for_publishers`.' },
})

const batch: JsonObject = {
  id: number,
  ...deed,
  kind: { type: 'string', description: 'Such as `rename category`, `undo` or `import`.' },
  state: {
    enum: ['running', 'done', 'stopped'],
    description: '`stopped`: the server ended in the middle of it. It can be undone, or asked for again.',
  },
  total: { ...count, description: 'How many records it is about.' },
  done: { ...count, description: 'How many of them it has looked at.' },
  changed: { ...count, description: 'How many of them it changed.' },
  unchanged: { ...count, description: 'How many of them it looked at and did not change.' },
  refused: { type: 'array', items: refused, description: 'The first of those that refused; of lists the first ten.' },
  refused_count: { ...count, description: 'How many refused.' },
  left: { type: 'array', items: left, description: 'The first of what was left; of lists the first ten.' },
  left_count: { ...count, description: 'How many entries `left` would have in all.' },
  records: { ...count, description: 'The same as `changed`.', deprecated: true },
  undoes: { ...numberOrNull, description: 'The batch that it undid, or null.' },
  undone_by: { ...numberOrNull, description: 'The last batch that undid it, or null.' },
}

const report: JsonObject = {
  ...batch,
  id: { ...numberOrNull, description: 'Null where nothing was changed, and after a dry run.' },
}

/** Shapes of what the log of versions tells. */
export const historySchemas: JsonObject = {
  VersionLine: toObjectSchema('A version of a record.', {
    ...versionLine,
    changed: { type: 'array', items: { enum: writableNames }, description: 'The fields that it changed.' },
  }),
  HistoryList: toListSchema('A page of the versions of a record, newest first.', ref('VersionLine')),
  Version: toObjectSchema('A record as it was.', { id, ...versionLine, changed, record: ref('VideoRecord') }),
  CategoryVersionLine: toObjectSchema('A version of a category.', {
    ...categoryLine,
    changed: { type: 'array', items: { enum: categoryNames }, description: 'The fields that it changed.' },
  }),
  CategoryHistoryList: toListSchema('A page of the versions of a category, newest first.', ref('CategoryVersionLine')),
  CategoryVersion: toObjectSchema('A category as it was.', {
    ...categoryLine,
    changed: { ...changed, propertyNames: { enum: categoryNames } },
    category: categoryThen,
  }),
  Batch: toObjectSchema('A change of many records at once.', batch),
  BatchList: toListSchema('A page of batches, newest first.', ref('Batch')),
  BatchReport: toObjectSchema('What became of a change of many records.', report),
}

/** Where a record came from. */
export const extrasSchemas: JsonObject = {
  Extras: toObjectSchema('Where a record came from, and what came with it that no field has a place for.', {
    origin: {
      description: 'Null for a record that was made here.',
      anyOf: [
        { type: 'null' },
        toObjectSchema('The source, and the place in it.', { source: { type: 'string' }, path: { type: 'string' } }),
      ],
    },
    extras: { type: 'object', description: 'By name, as the source has it.' },
  }),
}

/** Shapes of the change feed. */
export const changesSchemas: JsonObject = {
  Change: toObjectSchema('One version of one record.', {
    seq: { ...number, description: 'Its place in the order of all changes.' },
    id,
    version,
    at,
    kind,
  }),
  ChangeList: toObjectSchema('Changes in their order.', {
    changes: { type: 'array', items: ref('Change') },
    next: { type: 'integer', minimum: 0, description: 'What `since` should be to go on from here.' },
    store: { type: 'string', description: 'The id of the store; send it back as `store`.' },
  }),
}
