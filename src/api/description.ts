import { type CategoryName, categoryFields, categoryNames } from '../record/category.ts'
import type { FieldKind } from '../record/field-kind.ts'
import { fieldNames, fields } from '../record/fields.ts'
import type { JsonObject, JsonValue } from '../record/json/json-value.ts'

/** What OPTIONS says of a field, from the field table. */
export function describeFields(): JsonObject {
  return Object.fromEntries(fieldNames.map((name) => [name, describeField(name)]))
}

export const categoryTexts = {
  title: 'Title of the category, as in its records.',
  description: 'Full description.',
  url: 'Absolute URL of the website of the event.',
  start_date: 'First day of the event; null if unknown.',
  whiteboard: 'Notes for curators.',
} as const satisfies Record<CategoryName, string>

/** The same of a category. */
export function describeCategory(): JsonObject {
  const toEntry = (name: CategoryName) =>
    [name, describeKind(categoryFields[name], name === 'title', categoryTexts[name])] as const
  return Object.fromEntries(categoryNames.map(toEntry))
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
