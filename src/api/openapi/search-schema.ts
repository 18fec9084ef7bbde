import type { JsonObject } from '../../record/json.ts'
import { completionKinds, maxCompletions } from '../../record/query/names.ts'
import { passageFields } from '../../record/text/highlight.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'

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

const records: JsonObject = { anyOf: [ref('VideoRecord'), ref('VideoRecordPart')] }

/** Schemas of the list of records. */
export const searchSchemas: JsonObject = {
  VideoList: toListSchema(
    'A page of records.',
    { anyOf: [ref('VideoRecord'), ref('VideoRecordPart'), ref('HighlightedRecord')] },
    { facets, corrected, count_is: countIs },
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
  Suggestion: toObjectSchema('Something that a caller may be looking for.', {
    kind: { enum: completionKinds },
    text: { type: 'string', minLength: 1, description: 'The name or title.' },
    url: {
      type: 'string',
      format: 'uri',
      description: 'The page of the record, category, speaker or tag; without the site, its address in the API.',
    },
    count: { type: 'integer', minimum: 0, description: 'Number of records; 1 for a record.' },
  }),
  SuggestionList: toObjectSchema('Suggestions, the most used first.', {
    results: { type: 'array', maxItems: maxCompletions, items: ref('Suggestion') },
  }),
  Passage: toObjectSchema(
    'The part of a text field with the most different hits. Without hits, the beginning of the summary or description.',
    passage,
  ),
}
