import { fieldNames, writableNames } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { findingCodes } from '../../record/quality/finding-codes.ts'
import { duplicateReasons } from '../../record/query/findings.ts'
import { maxDistinct } from '../../record/variants/variant.ts'
import {
  badBody,
  batchRunning,
  erased,
  jsonType,
  listProblems,
  toDescribeDocs,
  toPageDocs,
  toReadDocs,
} from './answer-docs.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  type RouteDocs,
  recordId,
  toPageParameters,
} from './operation-docs.ts'

const code = { enum: findingCodes, description: 'What was found. `finding` of the list takes the same codes.' }
const count = { type: 'integer', minimum: 0, description: 'Number of records, drafts included.' }

/** Schemas of what needs work. */
export const qualitySchemas: JsonObject = {
  Finding: toObjectSchema('Something that a curator should look at.', {
    code,
    field: { enum: fieldNames, description: 'The field to look at first.' },
    detail: { type: 'string', description: 'What to do.' },
  }),
  FindingList: toObjectSchema('The findings of a record.', { results: { type: 'array', items: ref('Finding') } }),
  FindingCount: toObjectSchema('How many records of a category have a finding.', {
    code,
    category: { type: 'string', description: 'Title of the category.' },
    slug: { type: 'string', description: 'Slug of the category.' },
    count,
  }),
  FindingCountList: toTotalled(
    toListSchema('A page of counts, the largest first.', ref('FindingCount'), {
      totals: {
        type: 'array',
        description: 'How many records have each finding, over all pages.',
        items: toObjectSchema('A code and its count.', { code, count }),
      },
    }),
  ),
  Duplicates: toObjectSchema('Records that may be the same talk.', {
    reason: {
      enum: duplicateReasons,
      description:
        '`same_video`: the same video and start time, in any form of the address, as in `source_url` of the list. ' +
        '`same_title`: the same title in the same category, apart from case and accents.',
    },
    ids: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, description: 'Ids, ascending.' },
  }),
  DistinctRecords: {
    type: 'object',
    description: 'Records that look alike and are different talks.',
    required: ['ids'],
    additionalProperties: false,
    properties: {
      ids: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        minItems: 2,
        maxItems: maxDistinct,
        description: 'Ids of the records.',
      },
      dismissed: { type: 'boolean', default: true, description: 'False to list them again.' },
    },
  },
  RecordMerge: {
    type: 'object',
    description: 'What to merge into, and which fields to take over.',
    required: ['into'],
    additionalProperties: false,
    properties: {
      into: { type: 'integer', minimum: 1, description: 'Id of the record that stays live.' },
      take: {
        type: 'array',
        items: { enum: writableNames.filter((name) => name !== 'state') },
        description: 'Fields whose values go to the record that stays.',
      },
    },
  },
  DuplicatesList: toListSchema('A page of groups; those with the same video come first.', ref('Duplicates')),
}

/** `totals` is always there. */
function toTotalled(schema: JsonObject): JsonObject {
  return { ...schema, required: ['count', 'next', 'previous', 'results', 'totals'] }
}

const findingsDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    GET: toReadDocs({
      id: 'listFindings',
      summary: 'List what needs work in a record',
      text: 'Missing fields and what looks wrong. Follows the record, the start of its category, and other records.',
      answer: ['The findings; none if nothing needs work.', 'FindingList'],
      missing: 'record',
      problems: { 410: erased, 503: listProblems[503] },
    }),
    OPTIONS: toDescribeDocs('Findings'),
  },
}

const countsDocs: RouteDocs = {
  tag: 'Records',
  methods: {
    GET: toPageDocs({
      id: 'countFindings',
      summary: 'Count what needs work',
      text: 'One result per code and category, the largest counts first. List the records with `finding` and `category`.',
      parameters: [
        { name: 'code', in: 'query', text: 'Only this finding.', schema: { enum: findingCodes } },
        { name: 'category', in: 'query', text: 'Slug or exact title of a category.', schema: { type: 'string' } },
        ...toPageParameters(),
      ],
      answer: ['A page of counts.', 'FindingCountList'],
      missing: 'page',
      problems: listProblems,
    }),
    OPTIONS: toDescribeDocs('FindingCounts'),
  },
}

const duplicatesDocs: RouteDocs = {
  tag: 'Records',
  methods: {
    GET: toPageDocs({
      id: 'listDuplicates',
      summary: 'List records that may be the same talk',
      text:
        'Groups with the same video, then groups with the same title in the same category. Drafts that were never live ' +
        'are included; records that were withdrawn, merged or called different are not.',
      parameters: toPageParameters(),
      answer: ['A page of groups.', 'DuplicatesList'],
      missing: 'page',
      problems: listProblems,
    }),
    OPTIONS: toDescribeDocs('Duplicates'),
  },
}

const dismissDocs: RouteDocs = {
  tag: 'Records',
  methods: {
    POST: {
      id: 'dismissDuplicates',
      summary: 'Say that records are different talks',
      text:
        'Hides each two of these records from the duplicates, for good. With `"dismissed": false` they are listed again, ' +
        'if they still look alike.',
      parameters: [dryRun, idempotencyKey, format],
      body: { [jsonType]: { schema: ref('DistinctRecords'), example: { ids: [3, 14] } } },
      answers: {
        200: {
          text: 'What is stored now, or would be after a dry run.',
          content: { [jsonType]: ref('Dismissed') },
          headers: ['Cache-Control'],
        },
      },
      problems: { 400: `${badBody} Or the key was used with a different body.` },
    },
    OPTIONS: toDescribeDocs('DismissDuplicates'),
  },
}

const mergeDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    POST: {
      id: 'mergeRecord',
      summary: 'Merge a record into another',
      text:
        'The record becomes a draft, and its page redirects to that of the other one as long as it is a draft. The other ' +
        'one takes over the fields in `take`. One batch, which can be undone; publishing the record again ends the redirect.',
      parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
      body: { [jsonType]: { schema: ref('RecordMerge'), example: { into: 17, take: ['summary', 'duration'] } } },
      answers: {
        200: {
          text: 'The merge as a batch, or what a dry run would change.',
          content: { [jsonType]: ref('BatchReport') },
          headers: ['Cache-Control'],
          maybeHeaders: ['Content-Location'],
        },
        202: batchRunning,
      },
      problems: {
        400: `${badBody} Or the key was used with a different request.`,
        404: 'No such record, or none to merge into.',
        409: 'Both are the same, the other one is a draft, or one of them was merged already: `id` is the current one.',
        410: erased,
        412: 'The precondition failed; nothing was written.',
      },
    },
    OPTIONS: toDescribeDocs('RecordMerge'),
  },
}

export const qualityDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/video/:id/findings': findingsDocs,
  '/api/v2/findings': countsDocs,
  '/api/v2/video/duplicates': duplicatesDocs,
  '/api/v2/video/duplicates/dismiss': dismissDocs,
  '/api/v2/video/:id/merge': mergeDocs,
}
