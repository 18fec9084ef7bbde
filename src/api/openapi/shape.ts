import type { JsonObject } from '../../record/json/json-value.ts'

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

export function toListSchema(text: string, items: JsonObject, more: JsonObject = {}): JsonObject {
  const link = { type: ['string', 'null'], format: 'uri' }
  return {
    type: 'object',
    description: text,
    additionalProperties: false,
    required: ['count', 'next', 'previous', 'results'],
    properties: {
      count: { type: 'integer', minimum: 0, description: 'How many there are on all pages together.' },
      next: { ...link, description: 'The next page, or null.' },
      previous: { ...link, description: 'The page before, or null.' },
      results: { type: 'array', items },
      ...more,
    },
  }
}

/** An object that has all of these members and no others. */
export function toObjectSchema(text: string, properties: JsonObject): JsonObject {
  return {
    type: 'object',
    description: text,
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  }
}
