import { categoryNames } from '../../record/category.ts'
import { companionNames } from '../../record/companion/kinds.ts'
import type { ChangeKind } from '../../record/decide.ts'
import { writableNames } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { profileNames } from '../../record/profile.ts'
import type { BatchKind, BatchOther, BatchState, UnchangedFields } from '../../store/batch-reads.ts'
import { ref, timePattern, toListSchema, toObjectSchema } from './field-schema.ts'

const number = { type: 'integer', minimum: 1 }
const numberOrNull = { type: ['integer', 'null'], minimum: 1 }

// Written as keys, so that the compiler reports a missing or superfluous value.
const kinds = Object.keys({ created: 1, updated: 1, withdrawn: 1 } satisfies Record<ChangeKind, 1>)
const batchKinds = Object.keys({
  import: 1,
  'rename category': 1,
  'rename speaker': 1,
  'rename tag': 1,
  'merge category': 1,
  'merge speaker': 1,
  'merge tag': 1,
  'merge video': 1,
  undo: 1,
  bulk: 1,
  restore: 1,
  table: 1,
} satisfies Record<BatchKind, 1>)
const batchStates = Object.keys({ running: 1, done: 1, stopped: 1 } satisfies Record<BatchState, 1>)
const leftReasons = Object.keys({
  changed_since: 1,
  already_restored: 1,
  already_draft: 1,
  erased: 1,
} satisfies Record<UnchangedFields['why'], 1>)
const otherKinds = Object.keys({ video: 1, speaker: 1, tag: 1, category: 1 } satisfies Record<BatchOther['kind'], 1>)
const otherReasons = Object.keys({
  changed_since: 1,
  in_use: 1,
  name_taken: 1,
  publisher_required: 1,
} satisfies Record<NonNullable<BatchOther['left']>, 1>)

/** Fields of a record, and what is treated as one in batches. */
export const batchFields: JsonObject = {
  anyOf: [{ enum: [...writableNames, ...companionNames] }, { type: 'string', pattern: '^transcripts/' }],
}

const id = { ...number, description: 'Id of the record.' }
const version = { ...number, description: 'Version number, starting at 1.' }
const at = {
  type: 'string',
  format: 'date-time',
  pattern: timePattern.replace(/\$$/, 'Z$'),
  description: 'Time of the change in UTC, with `Z`.',
}
const kind = {
  enum: kinds,
  description:
    'The change as the public sees it. A record that becomes public again is `created`; one that stops being public is ' +
    '`withdrawn`.',
}

/** Who made a change, when and why. */
const provenance = {
  at,
  by: { type: 'string', description: 'Name of the token that made the change.' },
  reason: { type: ['string', 'null'], description: 'The `Change-Reason` of the request, or null.' },
}

const versionLine = {
  version,
  ...provenance,
  kind,
  batch: { ...numberOrNull, description: 'Id of the batch that created the version, or null.' },
}

const changed: JsonObject = {
  type: 'object',
  description: 'The fields that the version changed. Version 1 has no `from`.',
  propertyNames: batchFields,
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['to'],
    properties: { from: {}, to: {} },
  },
}

const categoryLine = { version, ...provenance }

const categoryThen = toObjectSchema('The category’s own fields in this version.', {
  title: { type: 'string' },
  slug: { type: 'string' },
  description: { type: 'string' },
  url: { type: 'string' },
  start_date: { type: ['string', 'null'] },
  end_date: { type: ['string', 'null'] },
  place: { type: 'string' },
  series: { type: 'string' },
  whiteboard: { type: 'string' },
})

const count = { type: 'integer', minimum: 0 }

const left = toObjectSchema('Fields of a record that the batch did not change.', {
  id,
  fields: {
    type: 'array',
    items: batchFields,
    description: 'Empty for an erased record.',
  },
  why: {
    enum: leftReasons,
    description: 'Why the fields were left. `changed_since`: someone changed the field after the batch.',
  },
})

const other = toObjectSchema('Something other than a field of a record that the batch changed or left as it is.', {
  kind: { enum: otherKinds, description: '`video`: where the page of a record leads.' },
  id: { type: ['integer', 'string'], description: 'The id of the record, speaker or tag; the slug of the category.' },
  fields: {
    type: 'array',
    items: { enum: [...categoryNames, ...profileNames, 'name', 'merged_into', 'listed'] },
    description:
      '`merged_into`: what it is an alias of, or what its page leads to. `listed`: whether it is public while it is empty.',
  },
  left: {
    enum: [...otherReasons, null],
    description:
      'Why it was left; null if it was changed. `in_use`: records still have it, or records of other authors are in it.',
  },
  by: { type: ['string', 'null'], description: 'Who has changed it since.' },
})

export const refusedRecord = toObjectSchema('A record whose change was refused.', {
  id,
  problem: { type: 'string', description: 'A problem code, such as `publisher_required`.' },
})

const batch: JsonObject = {
  id: number,
  ...provenance,
  kind: { enum: batchKinds, description: 'What made the batch.' },
  state: {
    enum: batchStates,
    description:
      '`stopped`: somebody or a restart stopped it before it was finished. Repeat the request to finish it, or undo it.',
  },
  total: { ...count, description: 'Number of records in the batch.' },
  done: { ...count, description: 'Number of records processed so far.' },
  changed: { ...count, description: 'Number of records changed.' },
  unchanged: { ...count, description: 'Number of records processed and not changed.' },
  refused: {
    type: 'array',
    items: refusedRecord,
    description: 'Records whose change was refused: the first 1000, in lists the first ten.',
  },
  refused_count: { ...count, description: 'Number of records whose change was refused.' },
  left: {
    type: 'array',
    items: left,
    description: 'Fields left unchanged: the first 1000 entries, in lists the first ten.',
  },
  left_count: { ...count, description: 'Total number of entries that `left` stands for.' },
  others: {
    type: 'array',
    items: other,
    description:
      'Names, categories and related links that the batch changed or left, the latter first: the first 1000, in lists ' +
      'the first ten.',
  },
  records: { ...count, description: 'Same as `changed`.', deprecated: true },
  undoes: { ...numberOrNull, description: 'Id of the batch that this one undid, or null.' },
  undone_by: { ...numberOrNull, description: 'Id of the last batch that undid this one, or null.' },
}

/** The members of a batch's report. */
export const batchReport: JsonObject = {
  ...batch,
  id: { ...numberOrNull, description: 'Null if nothing was changed, and for a dry run.' },
}

/** Schemas of versions and batches. */
export const historySchemas: JsonObject = {
  VersionLine: toObjectSchema('A version of a record.', {
    ...versionLine,
    changed: { type: 'array', items: batchFields, description: 'The fields that the version changed.' },
  }),
  HistoryList: toListSchema('A page of the versions of a record, newest first.', ref('VersionLine')),
  Version: toObjectSchema('A record as of one version.', { id, ...versionLine, changed, record: ref('VideoRecord') }),
  CategoryVersionLine: toObjectSchema('A version of a category.', {
    ...categoryLine,
    changed: { type: 'array', items: { enum: categoryNames }, description: 'The fields that the version changed.' },
  }),
  CategoryHistoryList: toListSchema('A page of the versions of a category, newest first.', ref('CategoryVersionLine')),
  CategoryVersion: toObjectSchema('A category as of one version.', {
    ...categoryLine,
    changed: { ...changed, propertyNames: { enum: categoryNames } },
    category: categoryThen,
  }),
  SpeakerVersionLine: toObjectSchema('A version of the profile of a speaker.', {
    ...categoryLine,
    changed: { type: 'array', items: { enum: profileNames }, description: 'The fields that the version changed.' },
  }),
  SpeakerHistoryList: toListSchema('A page of versions, newest first.', ref('SpeakerVersionLine')),
  SpeakerVersion: toObjectSchema('The profile of a speaker as of one version.', {
    ...categoryLine,
    changed: { ...changed, propertyNames: { enum: profileNames } },
    speaker: toObjectSchema('The fields in this version.', {
      id,
      note: { type: 'string' },
      links: { type: 'array', items: { type: 'string' } },
    }),
  }),
  Batch: toObjectSchema('A change to many records.', batch),
  BatchList: toListSchema('A page of batches, newest first.', ref('Batch')),
  BatchReport: toObjectSchema('The result of a batch.', batchReport),
}

/** Schema of the origin and extras of a record. */
export const extrasSchemas: JsonObject = {
  Extras: toObjectSchema('Where a record came from, and the data of its source that fits no field.', {
    origin: {
      description: 'Null for a record that was not imported.',
      anyOf: [
        { type: 'null' },
        toObjectSchema('The source and the path within it.', { source: { type: 'string' }, path: { type: 'string' } }),
      ],
    },
    extras: { type: 'object', description: 'Keys and values as in the source.' },
  }),
}

const change = {
  seq: { ...number, description: 'Number of the change in commit order.' },
  id,
  version,
  at,
  kind,
}

const changeDetails = {
  by: {
    type: ['string', 'null'],
    description: 'Name of the token that made the change. With a token only. Null for an erased record.',
  },
  reason: { ...provenance.reason, description: `${provenance.reason.description} With a token only.` },
  fields: {
    type: 'array',
    items: batchFields,
    description: 'The fields that the version changed; all of them for version 1. With a token only.',
  },
}

/** Schemas of the change feed. */
export const changesSchemas: JsonObject = {
  Change: {
    ...toObjectSchema('One version of one record.', { ...change, ...changeDetails }),
    required: Object.keys(change),
  },
  ChangeList: toObjectSchema('Changes in commit order.', {
    changes: { type: 'array', items: ref('Change') },
    next: { type: 'integer', minimum: 0, description: 'The value of `since` for the next request.' },
    store: { type: 'string', description: 'Id of the store; send it with the next request.' },
  }),
}
