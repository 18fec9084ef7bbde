import { isCompanionName, toKind } from '../../record/companion/kinds.ts'
import type { Field } from '../../record/fields.ts'
import type { JsonValue } from '../../record/json.ts'

/** The groups of the form, in their order. */
export const groupTitles = {
  about: 'The talk',
  event: 'Event and day',
  people: 'People and tags',
  texts: 'Texts',
  video: 'Video',
  files: 'Files',
  older: 'Older formats',
  rights: 'Licence and quality',
  internal: 'For curators',
  more: 'More',
} as const

/** Groups that few people need. */
export const foldedGroups: readonly GroupName[] = ['older']

/** Fields by name, in the order of the record. */
export interface FieldTable {
  readonly [name: string]: Field
}
export type WritableIn = Extract<Field, { readonly access: 'write' }>

type GroupName = keyof typeof groupTitles
export type PickerKind = 'category' | 'language' | 'speaker' | 'tag'

/** Optional details of a field for forms. A field without them still has a label and a control. */
export interface FieldHint {
  readonly label: string
  readonly group: GroupName
  /** Replaces the help of the table where that is written for programs. */
  readonly help?: string
  /** Shown in every form that has the field. */
  readonly note?: string
  /** Names that are suggested while typing. */
  readonly picker?: PickerKind
  /** Seconds are shown and typed as on a player. */
  readonly unit?: 'seconds' | 'bytes'
  /** Text in the language of the talk. */
  readonly isProse?: boolean
  /** Markup or another text for machines. */
  readonly isCode?: boolean
  /** Shares a line with other fields. */
  readonly isShort?: boolean
  /** Has several lines although its limit is short. */
  readonly hasLines?: boolean
  /** Fields with the same row are shown side by side, under this heading. */
  readonly row?: string
}

/** In the order of the form. */
const hints: { readonly [name: string]: FieldHint } = {
  title: { label: 'Title', group: 'about', isProse: true },
  language: { label: 'Language', group: 'about', picker: 'language', isShort: true },
  category: { label: 'Event', group: 'event', picker: 'category' },
  recorded: { label: 'Recorded on', group: 'event', isShort: true },
  start_date: { label: 'First day', group: 'event', isShort: true },
  end_date: { label: 'Last day', group: 'event', isShort: true },
  place: { label: 'Place', group: 'event' },
  series: { label: 'Series', group: 'event' },
  url: { label: 'Web page', group: 'event' },
  speakers: { label: 'Speakers', group: 'people', picker: 'speaker' },
  tags: { label: 'Tags', group: 'people', picker: 'tag' },
  note: { label: 'Note', group: 'people', isProse: true },
  links: { label: 'Links', group: 'people' },
  summary: { label: 'Summary', group: 'texts', isProse: true },
  description: { label: 'Description', group: 'texts', isProse: true },
  source_url: { label: 'Address of the video', group: 'video' },
  duration: { label: 'Length', group: 'video', unit: 'seconds', isShort: true },
  thumbnail_url: { label: 'Thumbnail', group: 'video' },
  embed: {
    label: 'Player markup',
    group: 'older',
    isCode: true,
    help: 'Only needed by old clients. Filled in automatically for known sites unless you change it.',
  },
  copyright_text: { label: 'Licence', group: 'rights' },
  quality_notes: { label: 'Quality notes', group: 'rights', isProse: true },
  whiteboard: {
    label: 'Notes for curators',
    group: 'internal',
    hasLines: true,
    help: 'Not shown on pages for viewers.',
    note: 'Anyone can read this through the API.',
  },
  state: { label: 'State', group: 'internal', isShort: true, help: 'Live talks are public; drafts are for curators.' },
}

export function toHint(name: string): FieldHint {
  const known = Object.hasOwn(hints, name) ? hints[name] : undefined
  return known ?? findFileHint(name) ?? { label: toLabel(name), group: 'more' }
}

/** The label of a field outside its row: `MP4: Address`. */
export function toFullLabel(name: string): string {
  if (isCompanionName(name)) return toKind(name).label
  const { label, row } = toHint(name)
  return row === undefined ? label : `${row}: ${label}`
}

/** A group of the form with its fields in order; groups without fields are left out. */
export interface FieldGroup {
  readonly group: GroupName
  readonly names: readonly string[]
}

export function toGroups(table: FieldTable): FieldGroup[] {
  const names = Object.keys(table).filter((name) => table[name]?.access === 'write')
  const rows = [...new Set(names.map((name) => toHint(name).row))]
  // Sorting is stable: fields without a hint stay as in the table.
  const ordered = names.toSorted((a, b) => toRank(a, rows) - toRank(b, rows))
  // Safe: these are its keys.
  const groups = Object.keys(groupTitles) as GroupName[]
  return groups
    .map((group) => ({ group, names: ordered.filter((name) => toHint(name).group === group) }))
    .filter(({ names }) => names.length > 0)
}

/** Writable fields of a table, in the order of the form. */
export function toWritable(table: FieldTable): (readonly [string, WritableIn])[] {
  return toGroups(table).flatMap(({ names }) =>
    names.flatMap((name) => {
      const field = table[name]
      return field?.access === 'write' ? [[name, field] as const] : []
    }),
  )
}

/** The value of a field in a record; null if the record is older than the field. */
export const toValue = (record: { readonly [name: string]: JsonValue }, name: string): JsonValue =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null

const order = Object.keys(hints)

const fileLabels: { readonly [part: string]: Partial<FieldHint> & { readonly label: string } } = {
  url: { label: 'Address' },
  length: { label: 'Size in bytes', unit: 'bytes', isShort: true },
  download_only: { label: 'Only for downloading', isShort: true },
}

const fileParts = Object.keys(fileLabels)

function findFileHint(name: string): FieldHint | undefined {
  const [, format = '', part = ''] = /^video_([a-z0-9]{1,20})_([a-z_]{1,20})$/.exec(name) ?? []
  const found = Object.hasOwn(fileLabels, part) ? fileLabels[part] : undefined
  const group = format === 'flv' ? 'older' : 'files'
  return found === undefined ? undefined : { ...found, group, row: format.toUpperCase() }
}

/** `room_number` -> `Room number`. */
function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** In the order of the hints; rows in that of the table, each with its parts in one order. */
function toRank(name: string, rows: readonly (string | undefined)[]): number {
  const { row } = toHint(name)
  if (row === undefined) return order.includes(name) ? order.indexOf(name) : order.length
  return order.length + 1 + rows.indexOf(row) * fileParts.length + fileParts.findIndex((part) => name.endsWith(part))
}
