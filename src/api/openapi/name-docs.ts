import type { JsonObject } from '../../record/json.ts'
import { maxGroup, variantReasons } from '../../record/variants/variant.ts'
import {
  badBody,
  batchRunning,
  jsonType,
  listProblems,
  toBatchAnswers,
  toDescribeDocs,
  toMissingText,
  toPageDocs,
  toReadDocs,
} from './answer-docs.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'
import {
  type AnswerDocs,
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  type OperationDocs,
  type RouteDocs,
  toPageParameters,
  toPathNumber,
  versionNumber,
} from './operation-docs.ts'

const merged: AnswerDocs = {
  text: 'It was merged into another, whose URL is in `Location`.',
  headers: ['Location', 'Cache-Control'],
}

export const mergedCategory: AnswerDocs = {
  ...merged,
  text: `${merged.text} Without a token, only if it was public when it was merged.`,
}

/** Speakers have more fields than tags. */
const toSchema = (what: string) => (what === 'speaker' ? 'Speaker' : 'Name')

function toReadNameDocs(id: string, what: string): OperationDocs {
  const docs = toReadDocs({
    id: `get${id}`,
    summary: `Read a ${what}`,
    text:
      `With the number of live records, and of drafts if you send a token. To list them, use \`${what}_id\`. With a ` +
      'token also `aliases`: its former names, and those that were merged into it.',
    answer: [`The ${what}.`, toSchema(what)],
    missing: what,
    problems: { 503: listProblems[503] },
  })
  return { ...docs, answers: { ...docs.answers, 301: merged } }
}

function toRenameDocs(id: string, what: string): OperationDocs {
  const body = { schema: ref(`${toSchema(what)}Change`), example: { name: 'Ada Lovelace' } }
  const profile =
    what === 'speaker'
      ? ' `note` and `links` are said of the speaker; a change of these alone is a version, and no batch.'
      : ''
  return {
    id: `rename${id}`,
    summary: what === 'speaker' ? 'Rename a speaker, or change their profile' : `Rename a ${what}`,
    text:
      'Writes the new name to all records that have the old one, as one batch, which can be undone. The id stays, the slug ' +
      'is new, and the old name becomes an alias: its URL redirects here, and imports use the new name instead.' +
      profile,
    parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
    body: { [jsonType]: body, 'application/merge-patch+json': body },
    answers: {
      200: {
        text: `The ${what} as it is now, or as a dry run would leave it.`,
        content: { [jsonType]: ref(toSchema(what)) },
        headers: ['Cache-Control'],
        maybeHeaders: ['ETag'],
      },
      202: batchRunning,
    },
    problems: {
      400: `${badBody} Or the key was used with a different request.`,
      404: toMissingText(what),
      409: `Another ${what} has this name, or had it, or this one was merged: \`id\` is the current one. Or a batch with the same name is running.`,
      412: 'The precondition failed; nothing was written.',
    },
  }
}

/** `key`: what identifies the entries. */
export function toMergeDocs(id: string, what: string, key: 'id' | 'slug', example: string | number): OperationDocs {
  return {
    id: `merge${id}`,
    summary: `Merge a ${what} into another`,
    text:
      `All its records get the other ${what}, as one batch, which can be undone. Its old URL redirects to the other, as ` +
      'do all that were merged into it. Repeat the request to finish a merge that was stopped.',
    parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
    body: { [jsonType]: { schema: ref(key === 'id' ? 'NameMerge' : 'CategoryMerge'), example: { into: example } } },
    answers: toBatchAnswers('The merge as a batch, or what a dry run would change.'),
    problems: {
      400: `${badBody} Or the key was used with a different request.`,
      404: toMissingText(what),
      409: `Both are the same, or one of them was merged already: \`${key}\` is the current one. Or a batch with one of them is running.`,
      412: 'The precondition failed; nothing was written.',
    },
  }
}

export function toNameDocs(id: string, what: string): { readonly [path: string]: RouteDocs } {
  const parameters = [toPathNumber('id', `Id of the ${what}, without leading zeros.`)]
  const methods = { GET: toReadNameDocs(id, what), PATCH: toRenameDocs(id, what), OPTIONS: toDescribeDocs(id) }
  const merge = { POST: toMergeDocs(id, what, 'id', 17), OPTIONS: toDescribeDocs(`${id}Merge`) }
  return {
    [`/api/v2/${what}/:id`]: { tag: 'Vocabulary', parameters, methods },
    [`/api/v2/${what}/:id/merge`]: { tag: 'Vocabulary', parameters, methods: merge },
  }
}

const id = { type: 'integer', minimum: 1 }
const ids = { type: 'array', items: id, minItems: 2, maxItems: maxGroup }
const dismissed = {
  type: 'boolean',
  default: true,
  description: 'Whether the group is hidden. Send `false` to show it again.',
}

export const variantSchemas: { readonly [name: string]: JsonObject } = {
  Variant: toObjectSchema('Names that are probably the same.', {
    reason: {
      enum: [...variantReasons],
      description:
        'How they differ: `alias` was merged into another of them and is written again; `case`, `space`, `accent` and ' +
        '`punctuation` are spellings, and `order` is the order of the words; `plural` and singular of English words ' +
        'are for tags only; `initials` stand for one full name; one `letter` of a long word differs. Of several ' +
        'differences the least certain is named.',
    },
    keep: { ...id, description: 'Id of the name that we suggest to keep: the best written one, then the most used.' },
    names: {
      type: 'array',
      minItems: 2,
      description: 'The most used first.',
      items: toObjectSchema('A name, and the number of records that have it, drafts included.', {
        id,
        name: { type: 'string' },
        count: id,
      }),
    },
  }),
  VariantList: toListSchema('A page of groups of names.', ref('Variant')),
  Dismissal: {
    type: 'object',
    description: 'A group of names to hide from the variants.',
    required: ['ids'],
    additionalProperties: false,
    properties: { ids: { ...ids, description: 'Ids of the names.' }, dismissed },
  },
  Dismissed: toObjectSchema('Whether the names are hidden from the variants.', {
    ids: { ...ids, uniqueItems: true, description: 'In ascending order.' },
    dismissed: { type: 'boolean' },
  }),
}

function toVariantsDocs(name: string, what: string): RouteDocs {
  return {
    tag: 'Vocabulary',
    methods: {
      GET: toPageDocs({
        id: `list${name}Variants`,
        summary: `List ${what} that are probably the same`,
        text:
          'Groups by reason, the most certain first, then by name. Names that only drafts have are included. A name may be ' +
          'in several groups, one per reason. To join a group, merge its names; to hide it, dismiss it.',
        parameters: [
          { name: 'reason', in: 'query', text: 'Only groups with this reason.', schema: { enum: [...variantReasons] } },
          ...toPageParameters(),
        ],
        answer: ['A page of groups.', 'VariantList'],
        missing: 'page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs(`${name}Variants`),
    },
  }
}

const toDismissDocs = (name: string, what: string) =>
  toDismissalDocs('Vocabulary', `Dismiss${name}Variants`, 'Dismissal', {
    summary: `Dismiss a group of ${what}`,
    text:
      'Hides the group for good, because its names are different. It is shown again when another name joins it, or ' +
      'when you send `"dismissed": false`.',
  })

/** Of names or records that look alike. */
export const toDismissalDocs = (
  tag: RouteDocs['tag'],
  name: string,
  schema: string,
  texts: Pick<OperationDocs, 'summary' | 'text'>,
): RouteDocs => ({
  tag,
  methods: {
    POST: {
      id: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
      ...texts,
      parameters: [dryRun, idempotencyKey, format],
      body: { [jsonType]: { schema: ref(schema), example: { ids: [3, 14] } } },
      answers: {
        200: {
          text: 'The stored address; after a dry run, what would be stored.',
          content: { [jsonType]: ref('Dismissed') },
          headers: ['Cache-Control'],
        },
      },
      problems: { 400: `${badBody} Or the key was used with a different body.` },
    },
    OPTIONS: toDescribeDocs(name),
  },
})

const speakerId = toPathNumber('id', 'Id of the speaker, without leading zeros.')

export const profileDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/speaker/:id/history': {
    tag: 'History',
    parameters: [speakerId],
    methods: {
      GET: toPageDocs({
        id: 'listSpeakerHistory',
        summary: 'List the versions of the profile of a speaker',
        text: 'Newest first; empty while nobody has said anything. Renames and merges are batches, and not listed here.',
        parameters: toPageParameters(),
        answer: ['A page of versions.', 'SpeakerHistoryList'],
        missing: 'speaker or page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs('SpeakerHistory'),
    },
  },
  '/api/v2/speaker/:id/history/:version': {
    tag: 'History',
    parameters: [speakerId, versionNumber],
    methods: {
      GET: toReadDocs({
        id: 'getSpeakerVersion',
        summary: 'Read a version of the profile of a speaker',
        text: 'The fields in this version, and what the version changed.',
        answer: ['The version.', 'SpeakerVersion'],
        missing: 'speaker or version',
        problems: { 503: listProblems[503] },
      }),
      OPTIONS: toDescribeDocs('SpeakerVersion'),
    },
  },
}

export const variantDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/speaker/variants': toVariantsDocs('Speaker', 'speakers'),
  '/api/v2/speaker/variants/dismiss': toDismissDocs('Speaker', 'speakers'),
  '/api/v2/tag/variants': toVariantsDocs('Tag', 'tags'),
  '/api/v2/tag/variants/dismiss': toDismissDocs('Tag', 'tags'),
}
