import type { Refusal, VersionTag } from './command.ts'
import { type FieldKind, name } from './field-kind.ts'
import { fields } from './fields.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isProfileName, type NameChanges, parseProfile } from './profile.ts'
import { type FieldErrors, toUnknownErrors } from './record.ts'
import { isSlug } from './text/slug.ts'

type NamedField = 'speakers' | 'tags'

const readOnlyFields = ['id', 'slug', 'count', 'aliases']

type ParsedName =
  | { readonly ok: true; readonly changes: NameChanges }
  | { readonly ok: false; readonly errors: FieldErrors }

/** Vocabularies whose entries have ids. */
export type NameKind = 'speaker' | 'tag'
/** An entry of a vocabulary that can be renamed and merged. */
export type EntryKind = NameKind | 'category'

/** A new name of a speaker or tag, which must fit into the lists of records; speakers also have a profile. */
export function parseNameChanges(body: JsonObject, field: NamedField): ParsedName {
  const { changes: profile, errors: wrong } = field === 'speakers' ? parseProfile(body) : { changes: {}, errors: null }
  const errors = new Map(wrong)
  const isKnown = (member: string) =>
    member === 'name' || readOnlyFields.includes(member) || (field === 'speakers' && isProfileName(member))
  for (const member of Object.keys(body)) if (!isKnown(member)) errors.set(member, ['Unknown field.'])
  const hasProfile = field === 'speakers' && Object.keys(body).some(isProfileName)
  if (!('name' in body) && !hasProfile) errors.set('name', ['This field is required.'])
  const parsed = 'name' in body ? toEntryKind(field).parse(body.name ?? null) : null
  if (parsed?.ok === false) errors.set('name', parsed.problems)
  if (errors.size > 0) return { ok: false, errors }
  return { ok: true, changes: { ...(parsed?.ok && { name: parsed.value }), ...(hasProfile && { profile }) } }
}

type ParsedInto<Into> =
  | { readonly ok: true; readonly into: Into }
  | { readonly ok: false; readonly errors: FieldErrors }

/** The id of the speaker or tag to merge into. */
export function parseIntoId(body: JsonObject): ParsedInto<number> {
  return parseInto(body, (value): value is number => Number.isSafeInteger(value) && Number(value) > 0, 'an id, from 1')
}

/** The slug of the category to merge into. */
export function parseIntoSlug(body: JsonObject): ParsedInto<string> {
  return parseInto(body, (value): value is string => typeof value === 'string' && isSlug(value), 'a slug')
}

function parseInto<Into extends JsonValue>(
  body: JsonObject,
  isGood: (value: JsonValue | undefined) => value is Into,
  wanted: string,
): ParsedInto<Into> {
  const { into, ...others } = body
  const errors = toUnknownErrors(others)
  if (isGood(into)) return errors.size === 0 ? { ok: true, into } : { ok: false, errors }
  errors.set('into', [into === undefined ? 'This field is required.' : `Must be ${wanted}.`])
  return { ok: false, errors }
}

/** The kind of one entry of the field. */
export function toEntryKind(field: NamedField): FieldKind<string> {
  return name(fields[field].kind.maxLength ?? 0)
}

interface TaggedName {
  readonly id: number
  readonly name: string
  readonly slug: string
}

/** A version tag of the name, slug and profile of an entry, without its records. `profile`: the tag of its version. */
export function toNameTag(row: TaggedName, profile: VersionTag | null): VersionTag {
  const text = JSON.stringify([row.id, row.name, row.slug, ...(profile === null ? [] : [profile])])
  return `n-${new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16)}`
}

export const noSuchName = (of: NameKind): Refusal => ({ code: 'no_such_name', detail: `No such ${of}.` })

/** For a change of an alias. */
export const alreadyMerged = (of: NameKind, id: number, current: number): Refusal => ({
  code: 'merged',
  detail: `The ${of} ${id} was merged into ${current}. Use that one.`,
  more: { id: current },
})

export const sameEntry = (of: NameKind, current: number): Refusal => ({
  code: 'same_entry',
  detail: `Both are the ${of} ${current}. Name another one in "into".`,
  more: { id: current },
})

/** For a change of a merged category. */
export const alreadyMergedCategory = (slug: string, current: string): Refusal => ({
  code: 'merged',
  detail: `The category ${slug} was merged into ${current}. Use that one.`,
  more: { slug: current },
})
