import type { JsonObject } from '../../record/json/json-value.ts'
import { requiredNames, toChangeSchema, toRecordPartSchema, toRecordSchema } from './field-schema.ts'
import { changesSchemas, extrasSchemas, historySchemas } from './history-schema.ts'
import { ref, toListSchema } from './shape.ts'
import { vocabularySchemas } from './vocabulary-schema.ts'

/** Every shape of a body, by name. */
export function toSchemas(): JsonObject {
  return {
    VideoRecord: toRecordSchema(),
    VideoRecordPart: toRecordPartSchema(),
    VideoRecordChange: toChangeSchema(),
    NewVideoRecord: {
      description: 'A whole record. What is left out gets its default; on PUT, `state` stays as it was.',
      allOf: [ref('VideoRecordChange')],
      required: requiredNames,
    },
    JsonPatch: jsonPatch,
    VideoList: toListSchema('A page of records.', { anyOf: [ref('VideoRecord'), ref('VideoRecordPart')] }, facets),
    ...extrasSchemas,
    ...historySchemas,
    ...changesSchemas,
    ...vocabularySchemas,
    Root: { type: 'object', description: 'Where things are.', additionalProperties: { type: 'string', format: 'uri' } },
    OpenApi: openApi,
    Description: description,
    FieldDescription: fieldDescription,
    Problem: problem,
    Status: { type: 'object', required: ['status'], properties: { status: { type: 'string' } } },
  }
}

const facets = {
  facets: {
    type: 'object',
    description: 'How many of all records found have each value; only where `facets` was asked for.',
    additionalProperties: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'count'],
        properties: { value: { type: ['string', 'integer'] }, count: { type: 'integer', minimum: 1 } },
      },
    },
  },
}

const jsonPatch: JsonObject = {
  type: 'array',
  description: 'JSON Patch (RFC 6902), applied whole or not at all. A failed `test` is 409.',
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'JSON Pointer, such as `/title` or `/tags/-`.' },
      from: { type: 'string', description: 'JSON Pointer; for `move` and `copy`.' },
      value: { description: 'For `add`, `replace` and `test`.' },
    },
  },
}

const fieldDescription: JsonObject = {
  type: 'object',
  required: ['type', 'required', 'read_only', 'help_text'],
  properties: {
    type: { enum: ['string', 'integer', 'boolean', 'choice', 'date', 'datetime', 'list', 'url'] },
    required: { type: 'boolean' },
    read_only: { type: 'boolean' },
    nullable: { type: 'boolean' },
    max_length: { type: 'integer' },
    max_items: { type: 'integer' },
    min_value: { type: 'integer' },
    max_value: { type: 'integer' },
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'display_name'],
        properties: { value: { type: 'integer' }, display_name: { type: 'string' } },
      },
    },
    help_text: { type: 'string' },
  },
}

const description: JsonObject = {
  type: 'object',
  description: 'What can be done here; `actions` is there for callers who may write.',
  required: ['name', 'renders'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    renders: { type: 'array', items: { type: 'string' } },
    parses: { type: 'array', items: { type: 'string' } },
    actions: {
      type: 'object',
      description: 'For each method the fields that its body may have.',
      additionalProperties: { type: 'object', additionalProperties: ref('FieldDescription') },
    },
  },
}

const openApi: JsonObject = {
  type: 'object',
  description: 'An OpenAPI document.',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
}

const conflictCurrent: JsonObject = {
  type: 'object',
  description: 'Of a change that came too late (412): the record as it is now.',
  additionalProperties: false,
  required: ['version', 'etag', 'updated'],
  properties: { version: { type: 'integer' }, etag: { type: 'string' }, updated: { type: 'string' } },
}

const conflictFields: JsonObject = {
  type: 'object',
  description:
    'Of a change that came too late (412), for each field that changed: what it was when you read it, as far as your ' +
    'tag tells, what it is now, and what you would make of it.',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['theirs'],
    properties: { base: {}, theirs: {}, yours: {} },
  },
}

const problem: JsonObject = {
  type: 'object',
  description: 'What went wrong (RFC 9457). `detail` is a sentence to act on.',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', pattern: '^urn:rostrum:problem:[a-z_]+$', description: 'Names the kind of problem.' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', minLength: 1, description: 'A sentence that a person can act on.' },
    instance: { type: 'string', minLength: 1, description: 'The id of the request, as the log has it.' },
    errors: {
      type: 'object',
      description: 'For bad bodies and parameters: what is wrong with each field.',
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
    slug: { type: 'string', description: 'Of a title that is taken (409): the slug of the category that has it.' },
    store: { type: 'string', description: 'Where you know another store (409): the id of this one.' },
    current: conflictCurrent,
    fields: conflictFields,
    conflicts: {
      type: 'array',
      description: 'Of a change that came too late (412): the fields that both sides changed, and differently.',
      items: { type: 'string' },
    },
  },
}
