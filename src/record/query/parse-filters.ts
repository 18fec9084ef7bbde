import type { Visibility } from '../visibility.ts'
import { createParameterReader } from './parameter.ts'
import { type Filters, readFilters } from './query.ts'

export type ParsedFilters =
  | { readonly ok: true; readonly filters: Filters }
  | { readonly ok: false; readonly errors: ReadonlyMap<string, readonly string[]> }

/** As `parseListQuery`, for filters alone: what is not a filter, is empty, or is repeated without effect is an error. */
export function parseFilters(parameters: URLSearchParams, visibility: Visibility): ParsedFilters {
  const reader = createParameterReader(parameters)
  const filters = readFilters(reader, visibility)
  for (const [name, value] of parameters) {
    const times = reader.asked.get(name)
    if (times === undefined) reader.fail(name, `${JSON.stringify(name)} is not a filter. Leave it out.`)
    else if (value.trim() === '') reader.fail(name, `${name} is empty. Give it a value, or leave it out.`)
    else if (times === 'once' && parameters.getAll(name).length > 1)
      reader.fail(name, `${name} can be given only once.`)
  }
  if (parameters.size === 0) reader.fail('', 'Must have at least one filter.')
  return reader.errors.size > 0 ? { ok: false, errors: reader.errors } : { ok: true, filters }
}
