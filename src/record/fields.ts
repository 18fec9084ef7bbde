import { embedMarkup } from './embed.ts'
import { choice, day, type FieldKind, flag, integer, name, names, text } from './field-kind.ts'
import type { JsonValue } from './json.ts'
import { address, mediaAddress } from './text/address.ts'
import { language } from './text/language.ts'

/**
 * Every field, declared once, in the order of the served record. `absent` says what POST and PUT do when the body omits
 * the field: store a default, refuse (`required`), or let decide.ts compute it (`derived`).
 */
export const fields = {
  category: required(name(255), 'Title of the event or group that the talk belongs to. Created if it does not exist.'),
  language: optional(language(), '', 'Language of the talk: English name, or a code such as en or eng.'),
  slug: readOnly<string>('string', 'Made from the title, used in URLs; never changes.'),
  speakers: optional(names(200, 255), [], 'Names of the speakers, in order.'),
  tags: optional(names(200, 100), [], 'Tags, in order.'),
  id: readOnly<number>('integer', 'Id of the record.'),
  state: derived(
    choice({ value: 1, display_name: 'live' }, { value: 2, display_name: 'draft' }),
    'If omitted, a new record is a draft and an existing one keeps its state.',
  ),
  title: required(name(255), 'Title of the talk.'),
  summary: optional(text(100_000), '', 'Short description of the talk.'),
  description: optional(text(100_000), '', 'Full description of the talk.'),
  quality_notes: optional(text(100_000), '', 'Known problems of the recording.'),
  copyright_text: optional(text(100_000), '', 'Licence of the recording.'),
  embed: derived(embedMarkup(), 'Player markup. If omitted, it is built from source_url for known hosts.'),
  thumbnail_url: optional(address(), '', 'Absolute URL of a thumbnail image.'),
  duration: optional(integer(0, 10_000_000), null, 'Length in seconds; null if unknown.'),
  ...media('ogv'),
  ...media('mp4'),
  ...media('webm'),
  ...media('flv'),
  source_url: optional(address(), '', 'Absolute URL of the original hosted video.'),
  whiteboard: optional(text(255), '', 'Notes for curators.'),
  recorded: optional(day(), null, 'Day of the recording; null if unknown.'),
  added: readOnly<string>('datetime', 'Time of creation, UTC.'),
  updated: readOnly<string>('datetime', 'Time of the last change, UTC.'),
} satisfies { readonly [name: string]: Field }

/** Media a record can have. The listing stores them as bits, in this order. */
export const mediaKinds = ['mp4', 'webm', 'ogv', 'flv', 'embed', 'thumbnail'] as const
export type MediaKind = (typeof mediaKinds)[number]

type Fields = typeof fields
export type FieldName = keyof Fields
export type WritableName = { [F in FieldName]: Fields[F] extends { readonly access: 'write' } ? F : never }[FieldName]
export type ValueOf<F extends FieldName> = Fields[F] extends FieldOf<infer T> ? T : never

export type Field = FieldOf<JsonValue>
type FieldOf<T extends JsonValue> = ReadOnlyField<T> | WritableField<T>

interface ReadOnlyField<T extends JsonValue> {
  readonly access: 'read'
  readonly type: FieldKind<T>['type']
  readonly help: string
}
export interface WritableField<T extends JsonValue> {
  readonly access: 'write'
  readonly kind: FieldKind<T>
  readonly absent: { readonly is: 'required' | 'derived' } | { readonly is: 'value'; readonly value: T }
  readonly help: string
}

// True because `fields` is a literal: Object.keys returns exactly its own keys, in order.
export const fieldNames = Object.keys(fields) as FieldName[]
export const writableNames = fieldNames.filter(isWritableName)

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}

export function isWritableName(name: string): name is WritableName {
  return isFieldName(name) && fields[name].access === 'write'
}

function required<T extends JsonValue>(kind: FieldKind<T>, help: string) {
  return { access: 'write', kind, absent: { is: 'required' }, help } as const satisfies WritableField<T>
}

function derived<T extends JsonValue>(kind: FieldKind<T>, help: string) {
  return { access: 'write', kind, absent: { is: 'derived' }, help } as const satisfies WritableField<T>
}

function optional<T extends JsonValue>(kind: FieldKind<T>, value: NoInfer<T>, help: string) {
  return { access: 'write', kind, absent: { is: 'value', value }, help } as const satisfies WritableField<T>
}

function readOnly<T extends JsonValue>(type: FieldKind<T>['type'], help: string): ReadOnlyField<T> {
  return { access: 'read', type, help }
}

function media<F extends string>(format: F) {
  const mediaFields = {
    [`video_${format}_length`]: optional(
      integer(0, Number.MAX_SAFE_INTEGER),
      null,
      `Size of the ${format} file in bytes.`,
    ),
    [`video_${format}_url`]: optional(mediaAddress(), null, `Absolute URL of the ${format} file.`),
    [`video_${format}_download_only`]: optional(flag(), false, `True if the ${format} file is only for downloading.`),
  }
  // The compiler widens computed keys to string; these are the three keys above.
  return mediaFields as unknown as MediaFields<F>
}

type MediaFields<F extends string> = {
  readonly [K in `video_${F}_length`]: WritableField<number | null>
} & { readonly [K in `video_${F}_url`]: WritableField<string | null> } & {
  readonly [K in `video_${F}_download_only`]: WritableField<boolean>
}
