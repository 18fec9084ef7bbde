import { companionNames } from '../../record/companion/kinds.ts'
import { fieldNames, writableNames } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { findingCodes } from '../../record/quality/finding-codes.ts'
import { duplicateReasons } from '../../record/query/findings.ts'
import { maxDistinct } from '../../record/variants/variant.ts'
import {
  badBody,
  erased,
  jsonType,
  listProblems,
  publishersOnly,
  storeFull,
  toBatchAnswers,
  toDescribeDocs,
  toPageDocs,
  toReadDocs,
  writeUnavailable,
} from './answer-docs.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'
import { toDismissalDocs } from './name-docs.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  type OperationDocs,
  type Parameter,
  type RouteDocs,
  recordId,
  toPageParameters,
} from './operation-docs.ts'

const code = { enum: findingCodes, description: 'What was found. `finding` of the list takes the same codes.' }
const decided = {
  by: { type: 'string', description: 'Name of the token of the person.' },
  at: { type: 'string', format: 'date-time', description: 'When, in UTC.' },
}
const count = { type: 'integer', minimum: 0, description: 'Number of records, drafts included.' }

const finding = {
  code,
  field: { enum: [...fieldNames, ...companionNames], description: 'The field or companion to look at first.' },
  detail: { type: 'string', description: 'What to do.' },
}

/** Schemas of what needs work. */
export const qualitySchemas: JsonObject = {
  Schedule: toObjectSchema('When a draft becomes live.', {
    at: { type: ['string', 'null'], format: 'date-time' },
    by: { type: ['string', 'null'], description: 'Who asked for it.' },
    asked_at: { type: ['string', 'null'], format: 'date-time' },
    failure: {
      enum: ['token_gone', 'outside_event', 'invalid_record', null],
      description: 'Why the record stayed a draft.',
    },
  }),
  ScheduleChange: toObjectSchema('A time in the future, UTC, at most two years ahead.', {
    at: { type: 'string', format: 'date-time', pattern: 'Z$' },
  }),
  Finding: toObjectSchema('Something that a curator should look at.', finding),
  AcceptedFinding: toObjectSchema('A finding that somebody has called fine as it is.', { ...finding, ...decided }),
  FindingList: toObjectSchema('The findings of a record, without those that are hidden for all.', {
    results: { type: 'array', items: ref('Finding') },
    accepted: {
      type: 'array',
      description: 'Fine as they are, until a field that they depend on changes.',
      items: ref('AcceptedFinding'),
    },
    as_of: { type: 'integer', minimum: 0, description: 'Send it when you accept a finding.' },
  }),
  Acceptance: {
    type: 'object',
    description: 'What the finding was judged by.',
    additionalProperties: false,
    properties: {
      as_of: {
        type: 'integer',
        minimum: 0,
        description: '`as_of` of the findings. If a field that the finding depends on was changed later, it is a 409.',
      },
    },
  },
  HiddenFinding: toObjectSchema('Whether a finding is hidden for all.', { code, hidden: { type: 'boolean' } }),
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
      hidden: {
        type: 'array',
        description: 'Findings that are hidden for all. Results and totals leave them out, unless `code` names one.',
        items: toObjectSchema('A code, its count, and who has hidden it.', { code, ...decided, count }),
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

/** `totals` and `hidden` are always there. */
function toTotalled(schema: JsonObject): JsonObject {
  return { ...schema, required: ['count', 'next', 'previous', 'results', 'totals', 'hidden'] }
}

const findingsDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    GET: toReadDocs({
      id: 'listFindings',
      summary: 'List what needs work in a record',
      text: 'Missing fields and what looks wrong. Follows the record, the days of its category, and other records.',
      answer: ['The findings; none if nothing needs work.', 'FindingList'],
      missing: 'record',
      problems: { 410: erased, 503: listProblems[503] },
    }),
    OPTIONS: toDescribeDocs('Findings'),
  },
}

const findingCode: Parameter = {
  name: 'code',
  in: 'path',
  text: 'Code of the finding.',
  schema: { enum: findingCodes },
  example: 'shouting_title',
}

const foundAnswer: OperationDocs['answers'] = {
  200: {
    text: 'The findings of the record now, or unchanged after a dry run.',
    content: { [jsonType]: ref('FindingList') },
    headers: ['Cache-Control'],
  },
}

const decideProblems = { 403: publishersOnly, 410: erased, 503: writeUnavailable, 507: storeFull }

const acceptDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId, findingCode],
  methods: {
    POST: {
      id: 'acceptFinding',
      summary: 'Accept a finding',
      text:
        'Hides the finding of this record from findings, counts and lists, until a field that it depends on changes, in ' +
        'whatever way. Makes no version. The role is that of a change of the record. The body may be left out.',
      parameters: [dryRun, format],
      body: { [jsonType]: { schema: ref('Acceptance'), example: { as_of: 812 } } },
      isBodyOptional: true,
      answers: foundAnswer,
      problems: {
        ...decideProblems,
        400: badBody,
        404: 'No such record, or the record does not have this finding.',
        409: 'A field that the finding depends on was changed after `as_of`.',
      },
    },
    DELETE: {
      id: 'withdrawAcceptance',
      summary: 'Show an accepted finding again',
      text: 'The role is that of a change of the record. No error if the finding is not accepted.',
      parameters: [dryRun, format],
      answers: foundAnswer,
      problems: { ...decideProblems, 404: 'No such record or finding.' },
    },
    OPTIONS: toDescribeDocs('AcceptFinding'),
  },
}

function toHideDocs(id: string, summary: string, text: string): OperationDocs {
  return {
    ...{ id, summary, text },
    parameters: [dryRun, format],
    answers: {
      200: {
        text: 'The stored address; after a dry run, what would be stored.',
        content: { [jsonType]: ref('HiddenFinding') },
        headers: ['Cache-Control'],
      },
    },
    problems: { 404: 'No such finding.', 503: writeUnavailable, 507: storeFull },
  }
}

const hiddenDocs: RouteDocs = {
  tag: 'Records',
  parameters: [findingCode],
  methods: {
    PUT: toHideDocs(
      'hideFinding',
      'Hide a finding for all',
      'For findings that nobody will work on. Findings and counts leave it out; `finding` of the list still finds it.',
    ),
    DELETE: toHideDocs('showFinding', 'Show a hidden finding again', 'No error if the finding is not hidden.'),
    OPTIONS: toDescribeDocs('HideFinding'),
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

const dismissDocs = toDismissalDocs('Records', 'DismissDuplicates', 'DistinctRecords', {
  summary: 'Mark records as not duplicates',
  text:
    'Hides each two of these records from the duplicates, for good. With `"dismissed": false` they are listed again, ' +
    'if they still look alike.',
})

const mergeDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    POST: {
      id: 'mergeRecord',
      summary: 'Merge a record into another',
      text:
        'The record becomes a draft, and its page redirects to that of the other one as long as it is a draft. The other ' +
        'one takes over the fields in `take`. One batch, which can be undone.',
      parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
      body: { [jsonType]: { schema: ref('RecordMerge'), example: { into: 17, take: ['summary', 'duration'] } } },
      answers: toBatchAnswers('The merge as a batch, or what a dry run would change.'),
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

const scheduleAnswers: OperationDocs['answers'] = {
  200: { text: 'When the draft becomes live.', content: { [jsonType]: ref('Schedule') }, headers: ['Cache-Control'] },
}

const scheduleDocs: RouteDocs = {
  tag: 'Records',
  parameters: [recordId],
  methods: {
    GET: {
      id: 'readSchedule',
      summary: 'When a draft becomes live',
      text: 'Each member is null if no time is set. `failure` says why the record stayed a draft.',
      parameters: [format],
      answers: scheduleAnswers,
      problems: { 404: 'No such record.', 410: erased },
    },
    PUT: {
      id: 'putSchedule',
      summary: 'Publish a draft later',
      text:
        'The draft becomes live at this time or within 30 seconds of it, once, in the name of the caller and with the reason ' +
        '"scheduled". Any change of its state takes this back. If the token of the caller has ended by then, is no longer a ' +
        "publisher's or is limited to other events, the record stays a draft.",
      parameters: [dryRun, format],
      body: { [jsonType]: { schema: ref('ScheduleChange'), example: { at: '2027-01-31T12:00:00Z' } } },
      answers: scheduleAnswers,
      problems: {
        400: `${badBody} Or the time is not in the future, or more than two years ahead.`,
        404: 'No such record.',
        409: 'The record is live.',
        410: erased,
      },
    },
    DELETE: {
      id: 'deleteSchedule',
      summary: 'Keep a draft',
      text: 'Removes the time, if there is one.',
      parameters: [dryRun, format],
      answers: scheduleAnswers,
      problems: { 404: 'No such record.', 410: erased },
    },
    OPTIONS: toDescribeDocs('Schedule'),
  },
}

export const qualityDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/video/:id/findings': findingsDocs,
  '/api/v2/video/:id/findings/:code/accept': acceptDocs,
  '/api/v2/video/:id/publish-at': scheduleDocs,
  '/api/v2/findings': countsDocs,
  '/api/v2/findings/:code/hidden': hiddenDocs,
  '/api/v2/video/duplicates': duplicatesDocs,
  '/api/v2/video/duplicates/dismiss': dismissDocs,
  '/api/v2/video/:id/merge': mergeDocs,
}
