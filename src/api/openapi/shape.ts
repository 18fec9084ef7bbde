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
      count: { type: 'integer', minimum: 0, description: 'Total number of results on all pages.' },
      next: { ...link, description: 'URL of the next page, or null.' },
      previous: { ...link, description: 'URL of the previous page, or null.' },
      results: { type: 'array', items },
      ...more,
    },
  }
}

/** An object with exactly these members. */
export function toObjectSchema(text: string, properties: JsonObject): JsonObject {
  return {
    type: 'object',
    description: text,
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  }
}
