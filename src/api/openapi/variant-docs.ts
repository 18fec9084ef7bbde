import type { JsonObject } from '../../record/json.ts'
import { maxGroup, variantReasons } from '../../record/variants/variant.ts'
import { badBody, jsonType, listProblems, toDescribeDocs, toPageDocs } from './answer-docs.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'
import type { RouteDocs } from './operation-docs.ts'
import { dryRun, format, idempotencyKey, toPageParameters } from './parameter-docs.ts'

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
        '`punctuation` are spellings, and `order` is the order of the words; `initials` stand for one full name; one ' +
        '`letter` of a long word differs. Of several differences the least certain is named.',
    },
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
        parameters: toPageParameters(),
        answer: ['A page of groups.', 'VariantList'],
        missing: 'page',
        problems: listProblems,
      }),
      OPTIONS: toDescribeDocs(`${name}Variants`),
    },
  }
}

function toDismissDocs(name: string, what: string): RouteDocs {
  return {
    tag: 'Vocabulary',
    methods: {
      POST: {
        id: `dismiss${name}Variants`,
        summary: `Dismiss a group of ${what}`,
        text:
          'Hides the group for good, because its names are different. It is shown again when another name joins it, or ' +
          'when you send `"dismissed": false`.',
        parameters: [dryRun, idempotencyKey, format],
        body: { [jsonType]: { schema: ref('Dismissal'), example: { ids: [3, 14] } } },
        answers: {
          200: {
            text: 'What is stored now, or would be after a dry run.',
            content: { [jsonType]: ref('Dismissed') },
            headers: ['Cache-Control'],
          },
        },
        problems: { 400: `${badBody} Or the key was used with a different body.` },
      },
      OPTIONS: toDescribeDocs(`Dismiss${name}Variants`),
    },
  }
}

export const variantDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/speaker/variants': toVariantsDocs('Speaker', 'speakers'),
  '/api/v2/speaker/variants/dismiss': toDismissDocs('Speaker', 'speakers'),
  '/api/v2/tag/variants': toVariantsDocs('Tag', 'tags'),
  '/api/v2/tag/variants/dismiss': toDismissDocs('Tag', 'tags'),
}
