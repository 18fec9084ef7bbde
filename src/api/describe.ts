import { json } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import { type CategoryName, categoryFields, categoryNames } from '../record/category.ts'
import type { FieldKind } from '../record/field-kind.ts'
import { fieldNames, fields } from '../record/fields.ts'
import { type JsonObject, type JsonValue, toAsciiJson } from '../record/json.ts'
import { hasRole, type Role } from '../record/role.ts'
import { patchTypes } from './records.ts'

const jsonType = 'application/json'

/** OPTIONS of a path without its own description. */
export function describePath(call: Call): TextAnswer {
  return json(call, JSON.stringify({ name: call.route.path, renders: [jsonType] }), 'never')
}

export function describeStream(call: Call): TextAnswer {
  return json(call, JSON.stringify({ name: call.route.path, renders: ['text/event-stream'] }), 'never')
}

/** Does not read the record, so it does not reveal whether the record exists. */
export function describeRecord(call: Call): TextAnswer {
  const body = {
    name: 'Video record',
    description: 'One recorded talk. GET reads it, PUT replaces it, PATCH changes some fields.',
    renders: ['text/html', jsonType],
    parses: patchTypes,
    ...(isAllowed(call, 'editor') ? { actions: { PUT: describeFields() } } : {}),
  }
  return json(call, toAsciiJson(body), 'never', { headers: { 'Accept-Patch': patchTypes.join(', ') } })
}

export function describeRecords(call: Call): TextAnswer {
  const text = { name: 'Video records', description: 'All recorded talks, page by page. POST creates a record.' }
  return describeList(call, text, 'editor', describeFields)
}

export function describeCategories(call: Call): TextAnswer {
  const text = {
    name: 'Categories',
    description: 'Events and groups of talks. POST creates one, which is public even without records.',
  }
  return describeList(call, text, 'publisher', describeCategory)
}

export function describeDescription(call: Call): TextAnswer {
  const body = {
    name: 'Description',
    description: 'This API as an OpenAPI 3.1 document.',
    renders: [jsonType],
    parses: [],
  }
  return json(call, toAsciiJson(body), 'never')
}

/** A list with POST; only callers whose role allows POST get the fields. */
function describeList(call: Call, text: JsonObject, role: Role, toFields: () => JsonObject): TextAnswer {
  const types = { renders: [jsonType], parses: [jsonType] }
  const actions = isAllowed(call, role) ? { actions: { POST: toFields() } } : {}
  return json(call, toAsciiJson({ ...text, ...types, ...actions }), 'never')
}

function isAllowed(call: Call, role: Role): boolean {
  return hasRole(call.caller()?.role ?? null, role)
}

export const categoryTexts = {
  title: 'Title of the category, as in its records.',
  description: 'Full description.',
  url: 'Absolute URL of the website of the event.',
  start_date: 'First day of the event; null if unknown.',
  end_date: 'Last day of the event, not before start_date; null if unknown.',
  place: 'Where the event takes place, such as a city and a country.',
  series: 'What the event is an edition of. Categories of an equal series are its editions.',
  whiteboard: 'Notes for curators.',
} as const satisfies Record<CategoryName, string>

function describeCategory(): JsonObject {
  const toEntry = (name: CategoryName) =>
    [name, describeKind(categoryFields[name], name === 'title', categoryTexts[name])] as const
  return Object.fromEntries(categoryNames.map(toEntry))
}

function describeFields(): JsonObject {
  return Object.fromEntries(fieldNames.map((name) => [name, describeField(name)]))
}

function describeField(name: (typeof fieldNames)[number]): JsonObject {
  const field = fields[name]
  if (field.access === 'read') return { type: field.type, required: false, read_only: true, help_text: field.help }
  return describeKind(field.kind, field.absent.is === 'required', field.help)
}

function describeKind(kind: FieldKind<JsonValue>, required: boolean, help: string): JsonObject {
  const { type, nullable, maxLength, min, max, maxItems, choices } = kind
  return {
    type,
    required,
    read_only: false,
    nullable,
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
    ...(maxItems === undefined ? {} : { max_items: maxItems }),
    ...(min === undefined ? {} : { min_value: min }),
    ...(max === undefined ? {} : { max_value: max }),
    ...(choices === undefined ? {} : { choices: choices.map((each) => ({ ...each })) }),
    help_text: help,
  }
}
