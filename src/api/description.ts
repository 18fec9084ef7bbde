import { fieldNames, fields } from '../record/fields.ts'
import type { JsonObject } from '../record/json-value.ts'

/** What OPTIONS says of a field, from the field table. */
export function describeFields(): JsonObject {
  return Object.fromEntries(fieldNames.map((name) => [name, describeField(name)]))
}

function describeField(name: (typeof fieldNames)[number]): JsonObject {
  const field = fields[name]
  if (field.access === 'read') return { type: field.type, required: false, read_only: true, help_text: field.help }
  const { type, nullable, maxLength, min, max, maxItems, choices } = field.kind
  return {
    type,
    required: field.absent.is === 'required',
    read_only: false,
    nullable,
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
    ...(maxItems === undefined ? {} : { max_items: maxItems }),
    ...(min === undefined ? {} : { min_value: min }),
    ...(max === undefined ? {} : { max_value: max }),
    ...(choices === undefined ? {} : { choices: choices.map((each) => ({ ...each })) }),
    help_text: field.help,
  }
}
