import { toVideoAddress } from '../../record/embed/embed.ts'
import { type FieldName, type MediaKind, mediaKinds, type WritableName } from '../../record/fields.ts'
import type { OrderField } from '../../record/query/ordering.ts'
import type { FacetName, Filters } from '../../record/query/query.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toFolded } from '../../record/text/fold.ts'

export type ListingValue = string | number | null

interface Column {
  /** The fields that the value is made from. */
  readonly from: readonly FieldName[]
  make(record: VideoRecord, categoryId: number): ListingValue
  /** Never changes once the record exists. */
  readonly isFixed?: true
  readonly isNullable?: true
  /** The name that `ordering` has for it. */
  readonly order?: OrderField
  /** How filters compare it with the value they are given. */
  readonly compare?: { readonly [F in keyof Filters]?: '=' | '<=' | '>=' }
  /** Facets whose values stand in the column, each as an SQL expression of it; `''` and NULL are no value. */
  readonly facets?: { readonly [F in FacetName]?: string }
}

const mediaFields: { readonly [K in MediaKind]: FieldName } = {
  mp4: 'video_mp4_url',
  webm: 'video_webm_url',
  ogv: 'video_ogv_url',
  flv: 'video_flv_url',
  embed: 'embed',
  thumbnail: 'thumbnail_url',
}

/**
 * The columns of `listing`, the narrow table that lists filter, sort and count by (ADR 8). Everything that writes,
 * checks or reads them derives from here; only the migrations repeat them, since those are history.
 */
const columns = {
  id: { from: ['id'], make: ({ id }) => id, isFixed: true, order: 'id' },
  state: { from: ['state'], make: ({ state }) => state },
  category_id: { from: ['category'], make: (_, categoryId) => categoryId },
  language: {
    from: ['language'],
    make: ({ language }) => language,
    compare: { language: '=' },
    facets: { language: 'language' },
  },
  recorded: {
    from: ['recorded'],
    make: ({ recorded }) => recorded,
    isNullable: true,
    order: 'recorded',
    compare: { recordedAfter: '>=', recordedBefore: '<=' },
    facets: { year: 'substr(recorded, 1, 4)' },
  },
  title_key: { from: ['title'], make: ({ title }) => toSortKey(title), order: 'title' },
  added: { from: ['added'], make: ({ added }) => added, isFixed: true, order: 'added' },
  updated: { from: ['updated'], make: ({ updated }) => updated, order: 'updated' },
  duration: {
    from: ['duration'],
    make: ({ duration }) => duration,
    isNullable: true,
    order: 'duration',
    compare: { durationMin: '>=', durationMax: '<=' },
  },
  // In the form that all addresses of the same video share.
  source_url: { from: ['source_url'], make: ({ source_url }) => toVideoAddress(source_url) },
  // A bit for each of `mediaKinds`, in their order.
  media: { from: Object.values(mediaFields), make: toMediaBits },
} as const satisfies { readonly [column: string]: Column }

const entries: readonly (readonly [string, Column])[] = Object.entries(columns)

/** In the order of `toListingRow`. */
export const listingColumns: readonly string[] = Object.keys(columns)

/** The columns that a change of a record can change. */
export const updatableColumns = listingColumns.filter((_, i) => !entries[i]?.[1].isFixed)

export function toListingRow(record: VideoRecord, categoryId: number): ListingValue[] {
  return entries.map(([, column]) => column.make(record, categoryId))
}

/** The values of `updatableColumns`. */
export function toUpdatedRow(record: VideoRecord, categoryId: number): ListingValue[] {
  return entries.flatMap(([, column]) => (column.isFixed ? [] : [column.make(record, categoryId)]))
}

/** Whether a change of this field changes anything but the time of the row. */
export function isListed(name: WritableName): boolean {
  return entries.some(([, { from }]) => from.includes(name))
}

export interface OrderColumn {
  readonly name: string
  readonly isNullable: boolean
}

/** The column that each field of `ordering` sorts by. */
export const orderColumns = Object.fromEntries(
  entries.flatMap(([name, { order, isNullable = false }]) =>
    order === undefined ? [] : [[order, { name, isNullable }]],
  ),
  // Every field of `ordering` is named by one column above; list-ordering.test.ts asks for all of them.
) as { readonly [F in OrderField]: OrderColumn }

/** What filters compare: the filter, the column and the operator. */
export const comparisons = entries.flatMap(([name, { compare = {} }]) =>
  Object.entries(compare).map(([filter, operator]) => ({
    // The keys of `compare` are keys of `Filters`, whose values there are single ones.
    filter: filter as FilterOfOneValue,
    sql: `${name} ${operator} ?`,
  })),
)
type FilterOfOneValue = {
  [F in keyof Filters]-?: Filters[F] extends string | number | undefined ? F : never
}[keyof Filters]

/** Facets whose values are texts in the row itself: the SQL expression of each. */
export const textFacets: { readonly [name: string]: string } = Object.assign(
  {},
  ...entries.map(([, { facets }]) => facets),
)

function toMediaBits(record: VideoRecord): number {
  return mediaKinds.reduce((bits, kind, i) => ((record[mediaFields[kind]] ?? '') === '' ? bits : bits | (1 << i)), 0)
}

/** A letter may fold into several; an index entry must stay short. */
const maxKeyLength = 500

/** What a text is sorted and looked up by. */
export function toSortKey(text: string): string {
  return toFolded(text).slice(0, maxKeyLength).toWellFormed()
}
