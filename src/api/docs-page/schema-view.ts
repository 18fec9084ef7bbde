import { type Schema, type Schemas, toSchemaName } from './description.ts'
import { el, toInline } from './element.ts'

/** A schema as a table of its fields, with links to the schemas it refers to. */
export function showSchema(schema: Schema, schemas: Schemas): HTMLElement {
  const whole = toWhole(schema, schemas)
  if (whole.type === 'array' && whole.items?.properties !== undefined) return showSchema(whole.items, schemas)
  if (whole.properties === undefined) return el('p', {}, ...showType(whole))
  const { properties, required = [] } = whole
  // If every field is required, do not repeat it in every row.
  const isAlwaysWhole = required.length === Object.keys(properties).length
  const rows = Object.entries(properties).map(([name, field]) => {
    const own = toTarget(field, schemas)
    const isRequired = !isAlwaysWhole && required.includes(name)
    const marks = [isRequired ? 'required' : null, own.readOnly === true ? 'read-only' : null]
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('code', {}, name), ...marks.flatMap((mark) => (mark ? [' ', showMark(mark)] : []))),
      el('td', {}, el('div', { class: 'type' }, ...showType(field)), el('div', {}, ...toInline(own.description ?? ''))),
    )
  })
  return el('div', { class: 'scroll' }, el('table', { class: 'fields' }, el('tbody', {}, ...rows)))
}

export function showMark(text: string): HTMLElement {
  return el('small', { class: 'mark' }, text)
}

/** The type and its limits as text. */
export function showType(schema: Schema): (Node | string)[] {
  const name = toSchemaName(schema)
  if (name !== null) return [el('a', { href: `#schema-${name}` }, name)]
  if (schema.anyOf !== undefined) return join(schema.anyOf.map(showType), ' or ')
  if (schema.items !== undefined) return ['array of ', ...showType(schema.items), toLimits(schema)]
  return [`${toTypeWord(schema)}${toLimits(schema)}`]
}

function toTypeWord(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const { type = [], format } = schema
  const words = (typeof type === 'string' ? [type] : type).map((word) =>
    word === 'string' && format !== undefined ? format : word,
  )
  return words.join(' or ')
}

function toLimits({ minimum, maximum, minLength, maxLength, maxItems, default: standard }: Schema): string {
  const limits = [
    toRange(minimum, maximum),
    minLength === undefined ? null : 'not empty',
    maxLength === undefined ? null : `at most ${maxLength.toLocaleString('en')} characters`,
    maxItems === undefined ? null : `at most ${maxItems} entries`,
    standard === undefined ? null : `default ${JSON.stringify(standard)}`,
  ].filter((limit) => limit !== null)
  return limits.length === 0 ? '' : `, ${limits.join(', ')}`
}

function toRange(minimum: number | undefined, maximum: number | undefined): string | null {
  const from = minimum === undefined ? [] : [`from ${minimum.toLocaleString('en')}`]
  const to = maximum === undefined ? [] : [`to ${maximum.toLocaleString('en')}`]
  return [...from, ...to].join(' ') || null
}

function join(lists: readonly (Node | string)[][], word: string): (Node | string)[] {
  return lists.flatMap((list, i) => (i === 0 ? list : [word, ...list]))
}

/** Resolves a `$ref` and merges the parts of `allOf`. */
function toWhole(schema: Schema, schemas: Schemas): Schema {
  const own = toTarget(schema, schemas)
  if (own.allOf === undefined) return own
  const parts = own.allOf.map((part) => toWhole(part, schemas))
  return {
    ...own,
    required: [...(own.required ?? []), ...parts.flatMap((part) => part.required ?? [])],
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
  }
}

function toTarget(schema: Schema, schemas: Schemas): Schema {
  const [, , , name = '', kind, field = ''] = schema.$ref?.split('/') ?? []
  const target = schemas[name]
  if (target === undefined) return schema
  return (kind === 'properties' ? target.properties?.[field] : target) ?? schema
}
