import type { FieldKind } from '../../record/field-kind.ts'
import {
  type Field,
  type FieldName,
  fieldNames,
  fields,
  type WritableField,
  writableNames,
} from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json/json-value.ts'

type Type = FieldKind<string>['type']

/** A whole record: every field, and no other. */
export function toRecordSchema(): JsonObject {
  return {
    type: 'object',
    description: 'One recorded talk. Always all of these fields, in this order, and never another one.',
    additionalProperties: false,
    required: fieldNames,
    properties: toProperties(toReadSchema),
  }
}

/** Some fields of a record, for answers that were cut down with `fields`. */
export function toRecordPartSchema(): JsonObject {
  return {
    type: 'object',
    description: 'The fields of a record that were asked for with `fields`.',
    additionalProperties: false,
    properties: Object.fromEntries(fieldNames.map((name) => [name, { $ref: `${recordPath}/${name}` }])),
  }
}

/** What a body may say. Read-only fields are taken and ignored, since clients send back what they read. */
export function toChangeSchema(): JsonObject {
  return {
    type: 'object',
    description:
      'Fields to be set. Read-only fields may be sent back and are ignored; unknown ones are errors. Names are trimmed ' +
      'before their length counts.',
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
  // An old client sends null for an address it does not have.
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
export const timePattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$'

/** What the type alone does not say. Times have no zone, so they are no `date-time`; addresses may be empty. */
const forms: { readonly [T in Type]?: JsonObject } = {
  date: { format: 'date' },
  datetime: { pattern: timePattern },
  url: { pattern: '^([Hh][Tt][Tt][Pp][Ss]?://\\S+)?$' },
}
