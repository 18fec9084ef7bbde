import type { FieldKind } from '../../record/field-kind.ts'
import {
  type Field,
  type FieldName,
  fieldNames,
  fields,
  type WritableField,
  writableNames,
} from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'

type Type = FieldKind<string>['type']

/** A whole record: every field and no other. */
export function toRecordSchema(): JsonObject {
  return {
    type: 'object',
    description: 'One recorded talk. Always has exactly these fields, in this order.',
    additionalProperties: false,
    required: fieldNames,
    properties: toProperties(toReadSchema),
  }
}

/** Some fields of a record, for responses limited with `fields`. */
export function toRecordPartSchema(): JsonObject {
  return {
    type: 'object',
    description: 'The fields of a record selected with `fields`.',
    additionalProperties: false,
    properties: Object.fromEntries(fieldNames.map((name) => [name, { $ref: `${recordPath}/${name}` }])),
  }
}

/** A request body. Read-only fields are accepted and ignored, because clients send back what they read. */
export function toChangeSchema(): JsonObject {
  return {
    type: 'object',
    description:
      'Fields to set. Read-only fields are accepted and ignored; unknown fields are errors. Names are trimmed before ' +
      'their length is checked.',
    additionalProperties: false,
    properties: toProperties(toWriteSchema),
  }
}

export const requiredNames = writableNames.filter((name) => fields[name].absent.is === 'required')

const recordPath = '#/components/schemas/VideoRecord/properties'

function toProperties(toSchema: (name: FieldName, field: Field) => JsonObject): JsonObject {
  return Object.fromEntries(fieldNames.map((name) => [name, toSchema(name, fields[name])]))
}

function toReadSchema(name: FieldName, field: Field): JsonObject {
  if (field.access === 'read') return { ...toFixedSchema(name, field.type), description: field.help, readOnly: true }
  const { kind } = field
  const minLength = field.absent.is === 'required' ? { minLength: 1 } : {}
  return { ...toKindSchema(kind, kind.nullable), ...minLength, description: toText(field) }
}

function toWriteSchema(_: FieldName, field: Field): JsonObject {
  if (field.access === 'read') return { description: `${field.help} Ignored.`, readOnly: true }
  const { kind, absent } = field
  // Old clients send null for a missing URL.
  const takesNull = kind.nullable || kind.type === 'url'
  const minLength = absent.is === 'required' ? { minLength: 1 } : {}
  const standard = absent.is === 'value' ? { default: absent.value } : {}
  return { ...toKindSchema(kind, takesNull), ...minLength, ...standard, description: toText(field) }
}

function toText({ kind, help }: WritableField<JsonValue>): string {
  const choices = (kind.choices ?? []).map(({ value, display_name }) => `${value} = ${display_name}`).join(', ')
  return choices === '' ? help : `${choices}. ${help}`
}

export function toKindSchema(kind: FieldKind<JsonValue>, takesNull: boolean): JsonObject {
  const { type, maxLength, min, max, maxItems, choices } = kind
  if (type === 'list') {
    const items = { type: 'string', minLength: 1, ...(maxLength === undefined ? {} : { maxLength }) }
    return { type: 'array', items, ...(maxItems === undefined ? {} : { maxItems }) }
  }
  const json = jsonTypes[type]
  return {
    type: takesNull ? [json, 'null'] : json,
    ...(choices === undefined ? {} : { enum: choices.map(({ value }) => value) }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...forms[type],
  }
}

function toFixedSchema(name: FieldName, type: Type): JsonObject {
  if (name === 'id') return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  if (name === 'slug') return { type: 'string', pattern: slugPattern }
  return { type: jsonTypes[type], ...forms[type] }
}

const jsonTypes = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  choice: 'integer',
  date: 'string',
  datetime: 'string',
  list: 'array',
  url: 'string',
} as const satisfies Record<Type, string>

export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'
/** The times of a record have no zone. */
export const timePattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$'

/** What the type does not express. Times have no zone, so `date-time` does not apply; URLs may be empty. */
const forms: { readonly [T in Type]?: JsonObject } = {
  date: { format: 'date' },
  datetime: { pattern: timePattern },
  url: { pattern: '^([Hh][Tt][Tt][Pp][Ss]?://\\S+)?$' },
}

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
