import { toVideoAddress } from '../../record/embed/embed.ts'
import { type FieldName, type MediaKind, mediaKinds, type WritableName } from '../../record/fields.ts'
import { toHost } from '../../record/quality/addresses.ts'
import { qualityFields, toQuality } from '../../record/quality/quality.ts'
import type { FacetName } from '../../record/query/facets.ts'
import type { OrderField } from '../../record/query/ordering.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toSortKey } from '../../record/text/sort-key.ts'

export type ListingValue = string | number | null

/** What a row of `listing` is made from. */
export interface Listed {
  readonly record: VideoRecord
  readonly categoryId: number
  /** The author of its newest version. */
  readonly author: string
}

interface Column {
  /** The fields that the value is derived from. */
  readonly from: readonly FieldName[]
  make(record: VideoRecord, listed: Listed): ListingValue
  /** Can change while the columns that are in an index stay the same; changing it is cheap. */
  readonly isPlain?: true
  /** Never changes once the record exists. */
  readonly isFixed?: true
  readonly isNullable?: true
  /** Its name in `ordering`. */
  readonly order?: OrderField
  /** Facets that count the column's values, as SQL expressions; `''` and NULL are not counted. */
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
 * The columns of `listing`, the narrow table that lists filter, sort and count by (decision 8). All code that writes, checks
 * or reads them is derived from this table; only the migrations repeat them.
 */
const columns = {
  id: { from: ['id'], make: ({ id }) => id, isFixed: true, order: 'id' },
  state: { from: ['state'], make: ({ state }) => state },
  category_id: { from: ['category'], make: (_, { categoryId }) => categoryId },
  language: {
    from: ['language'],
    make: ({ language }) => language,
    facets: { language: 'language' },
  },
  recorded: {
    from: ['recorded'],
    make: ({ recorded }) => recorded,
    isNullable: true,
    order: 'recorded',
    facets: { year: 'substr(recorded, 1, 4)' },
  },
  title_key: { from: ['title'], make: ({ title }) => toSortKey(title), order: 'title' },
  added: {
    from: ['added'],
    make: ({ added }) => added,
    isFixed: true,
    order: 'added',
  },
  updated: {
    from: ['updated'],
    make: ({ updated }) => updated,
    order: 'updated',
  },
  duration: {
    from: ['duration'],
    make: ({ duration }) => duration,
    isNullable: true,
    order: 'duration',
  },
  // Normalised: all URLs of the same video have the same value.
  source_url: { from: ['source_url'], make: ({ source_url }) => toVideoAddress(source_url) },
  // One bit per entry of `mediaKinds`, in that order.
  media: { from: Object.values(mediaFields), make: toMediaOf },
  quality: { from: qualityFields, make: toQuality, isPlain: true },
  host: { from: ['source_url'], make: ({ source_url }) => toHost(source_url) },
  author: { from: [], make: (_, { author }) => author, isPlain: true },
} as const satisfies { readonly [column: string]: Column }

const entries: readonly (readonly [string, Column])[] = Object.entries(columns)

/** In the order of `toListingRow`. */
export const listingColumns: readonly string[] = Object.keys(columns)

/** The columns that a change of a record can change. */
export const updatableColumns = listingColumns.filter((_, i) => !entries[i]?.[1].isFixed)

export function toListingRow(listed: Listed): ListingValue[] {
  return entries.map(([, column]) => column.make(listed.record, listed))
}

/** The values of `updatableColumns`. */
export function toUpdatedRow(listed: Listed): ListingValue[] {
  return entries.flatMap(([, column]) => (column.isFixed ? [] : [column.make(listed.record, listed)]))
}

const plainEntries = entries.filter(([, { isPlain }]) => isPlain)

/** The columns that every change of a record may change, besides `updated`. */
export const plainColumns = plainEntries.map(([name]) => name)

/** The values of `plainColumns`. */
export function toPlainRow(listed: Listed): ListingValue[] {
  return plainEntries.map(([, column]) => column.make(listed.record, listed))
}

/** Whether a change of this field changes more than `updated` and `plainColumns`. */
export function isIndexed(name: WritableName): boolean {
  return entries.some(([, { from, isPlain }]) => !isPlain && from.includes(name))
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
  // Each field of `ordering` has one column above; list-ordering.test.ts covers all of them.
) as { readonly [F in OrderField]: OrderColumn }

/** Facets whose values are texts in the row itself, with their SQL expressions. */
export const textFacets: { readonly [name: string]: string } = Object.assign(
  {},
  ...entries.map(([, { facets }]) => facets),
)

/** The bits of these kinds in the column `media`. */
export function toMediaBits(kinds: readonly MediaKind[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << mediaKinds.indexOf(kind)), 0)
}

function toMediaOf(record: VideoRecord): number {
  return toMediaBits(mediaKinds.filter((kind) => (record[mediaFields[kind]] ?? '') !== ''))
}
