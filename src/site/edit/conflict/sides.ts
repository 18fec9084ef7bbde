import { fields } from '../../../record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../../record/json/json-value.ts'
import { type FieldTable, toValue, toWritable } from '../form/field-hints.ts'

/** A save that others were faster than. */
export interface Sides {
  /** The version that the person began with. */
  readonly base: JsonObject
  /** The version that is stored now. */
  readonly theirs: JsonObject
  /** What the person changed. */
  readonly yours: JsonObject
  readonly table?: FieldTable
}

/** Fields that both sides changed, to different values, in the order of the form. */
export function findContested(sides: Sides): string[] {
  const { base, theirs, yours } = sides
  const isContested = (name: string) =>
    !isSameJson(toValue(theirs, name), toValue(base, name)) && !isSameJson(yours[name], toValue(theirs, name))
  return listChanged(sides).filter(isContested)
}

/** Fields that only the person changed, in the order of the form. */
export function findUncontested(sides: Sides): string[] {
  const { base, theirs } = sides
  return listChanged(sides).filter((name) => isSameJson(toValue(theirs, name), toValue(base, name)))
}

const listChanged = ({ yours, table = fields }: Sides): string[] =>
  toWritable(table)
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(yours, name))

/** Values without those that a record has already. */
export function withoutSame(values: JsonObject, record: JsonObject): { readonly [name: string]: JsonValue } {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSameJson(value, toValue(record, name))))
}

/**
 * Both changes of a list of names: theirs with the names that only the person added, without those that either removed.
 * Null for a field that is no list.
 */
export function mergeLists(base: JsonValue, theirs: JsonValue, yours: JsonValue): JsonValue[] | null {
  if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(yours)) return null
  const kept = theirs.filter((name) => !base.includes(name) || yours.includes(name))
  const added = yours.filter((name) => !base.includes(name) && !theirs.includes(name))
  return [...kept, ...added]
}
