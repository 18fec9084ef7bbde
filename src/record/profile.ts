import { type FieldKind, list, text } from './field-kind.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.ts'
import type { FieldErrors } from './record.ts'
import { someAddress } from './text/address.ts'

const maxLinks = 10

/** What publishers can say of a speaker beside the name. */
export const profileFields = {
  note: text(2_000),
  links: list(maxLinks, someAddress()),
} satisfies { readonly [field: string]: FieldKind<JsonValue> }

export type ProfileName = keyof typeof profileFields
export type ProfileFields = {
  readonly [F in ProfileName]: (typeof profileFields)[F] extends FieldKind<infer T> ? T : never
}
export type ProfileChanges = Partial<ProfileFields>

/** What a PATCH changes of a speaker or tag. */
export interface NameChanges {
  /** Absent: it keeps its name. */
  readonly name?: string
  /** Of a speaker. */
  readonly profile?: ProfileChanges
}

// True because `profileFields` is a literal: Object.keys returns exactly its own keys, in order.
export const profileNames = Object.keys(profileFields) as ProfileName[]

export const emptyProfile: ProfileFields = { note: '', links: [] }

export const isProfileName = (field: JsonValue): field is ProfileName =>
  typeof field === 'string' && Object.hasOwn(profileFields, field)

/** The fields of a profile in a body, whatever else it has. */
export function parseProfile(body: JsonObject): { readonly changes: ProfileChanges; readonly errors: FieldErrors } {
  const given = profileNames.filter((name) => Object.hasOwn(body, name))
  const parsed = given.map((name) => [name, profileFields[name].parse(body[name] ?? null)] as const)
  return {
    // Each entry was returned by the `parse` of its own field.
    changes: Object.fromEntries(parsed.flatMap(([name, each]) => (each.ok ? [[name, each.value]] : []))),
    errors: new Map(parsed.flatMap(([name, each]) => (each.ok ? [] : [[name, each.problems]]))),
  }
}

export function toChangedProfile(before: ProfileFields, after: ProfileFields): ProfileName[] {
  return profileNames.filter((name) => !isSameJson(before[name], after[name]))
}

/** The fields that only a merged speaker has. */
export function toProfileFilling(from: ProfileFields, to: ProfileFields): ProfileChanges {
  return {
    ...(to.note.trim() === '' && from.note.trim() !== '' && { note: from.note }),
    ...(to.links.length === 0 && from.links.length > 0 && { links: from.links }),
  }
}

/** Whether a stored value has exactly the fields of a profile, each as it would be stored. */
export function isProfile(value: JsonValue): value is ProfileFields {
  if (!isJsonObject(value) || Object.keys(value).length !== profileNames.length) return false
  const { changes, errors } = parseProfile(value)
  return errors.size === 0 && isSameJson(changes, value)
}
