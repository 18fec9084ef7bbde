import { isSameJson, type JsonObject, type JsonValue } from '../record/json.ts'

/**
 * Values of a source that its record cannot express. With them, an export reproduces an unchanged file exactly, and a
 * changed one with the change (decision 12).
 */
export interface Residue {
  /** By key, as the source has it. */
  readonly values: JsonObject
  readonly basis: Basis
}

/** A type, not an interface, so that it is assignable to JSON. */
export type Basis = {
  /** The values that an export of the record alone has for those keys, and for keys that the source does not have. */
  readonly said: JsonObject
  /** Keys that the source does not have. */
  readonly absent: readonly string[]
}

/** Null if the record alone produces the same file. Its value for `openKey` is not known yet; see `settle`. */
export function toResidue(original: JsonObject, produced: JsonObject, openKey?: string): Residue | null {
  const values: [string, JsonValue][] = []
  const said: [string, JsonValue][] = []
  const absent: string[] = []
  for (const [key, value] of Object.entries(original)) {
    const ours = own(produced, key)
    if (key !== openKey && isSameJson(value, ours)) continue
    values.push([key, value])
    if (ours !== undefined) said.push([key, ours])
  }
  for (const [key, value] of Object.entries(produced)) {
    if (Object.hasOwn(original, key)) continue
    said.push([key, value])
    absent.push(key)
  }
  if (values.length + said.length === 0) return null
  return { values: Object.fromEntries(values), basis: { said: Object.fromEntries(said), absent } }
}

/** The residue once the record's value for the open key is known. */
export function settle({ values, basis }: Residue, key: string, value: JsonValue): Residue | null {
  const isSame = isSameJson(own(values, key), value)
  if (!isSame) return { values, basis: { ...basis, said: { ...basis.said, [key]: value } } }
  const [{ [key]: _, ...others }, { [key]: __, ...said }] = [values, basis.said]
  const isNothing = Object.keys(others).length + Object.keys(said).length === 0
  return isNothing ? null : { values: others, basis: { ...basis, said } }
}

/** A key may be called `__proto__`. */
function own(from: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined
}

/** The file to export: the source's own values for every key that has not changed in the record since the import. */
export function toOriginal(produced: JsonObject, kept: Residue | null): JsonObject {
  if (kept === null) return produced
  const { values, basis } = kept
  const original = new Map(Object.entries(produced))
  for (const key of new Set([...Object.keys(values), ...basis.absent])) {
    if (!isSameJson(own(produced, key), own(basis.said, key))) continue
    const value = own(values, key)
    if (value === undefined) original.delete(key)
    else original.set(key, value)
  }
  return Object.fromEntries(original)
}
