import { toVideoUrl } from '../../record/embed.ts'
import { type FieldName, type MediaKind, mediaKinds, type WritableName } from '../../record/fields.ts'
import { qualityFields, toHost, toQuality } from '../../record/quality/quality.ts'
import type { OrderField } from '../../record/query/ordering.ts'
import type { FacetName } from '../../record/query/query.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toSortKey } from '../../record/text/fold.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { createInsertAll, type InsertValue } from '../write/insert-many.ts'
import { createNameRows } from './name-rows.ts'

/** The rows derived from a record's body: its row in `listing`, its speakers and tags, its search tokens. */
export interface Derived {
  /** For new records, one or many. */
  insert(records: readonly Listed[]): Promise<void>
  /** Writes only the rows that depend on the changed fields. */
  update(record: ChangedListing): Promise<void>
  /** As `update`, for many records and without their search tokens. */
  updateLists(records: readonly ChangedListing[]): Promise<void>
  /** Call in the order of ids, without other writes in between: each of them makes FTS5 flush its buffer (decision 20). */
  updateTokens(record: VideoRecord, changed: readonly WritableName[]): void
}

export interface ChangedListing extends Listed {
  readonly changed: readonly WritableName[]
}

export function createDerived(db: Database): Derived {
  const insertListing = createInsertAll(db, 'listing', listingColumns)
  const insertTokens = createInsertAll(db, 'search', ['rowid', ...searched])
  const prepareUpdate = (columns: readonly string[]) =>
    db.query<null, ListingValue[]>(`UPDATE listing SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`)
  const updateListing = prepareUpdate(updatableColumns)
  // SQLite writes the entries of every index that has one of the columns, even if the values are the same.
  const updatePlain = prepareUpdate(['updated', ...plainColumns])
  const deleteTokens = db.query<null, [number]>('DELETE FROM search WHERE rowid = ?')
  const speakers = createNameRows(db, 'speaker')
  const tags = createNameRows(db, 'tag')

  async function updateLists(records: readonly ChangedListing[]): Promise<void> {
    for (const listed of records) {
      const { record } = listed
      if (listed.changed.some(isIndexed)) updateListing.send(...toUpdatedRow(listed), record.id)
      else updatePlain.send(record.updated, ...toPlainRow(listed), record.id)
    }
    const [withSpeakers, withTags] = [toRenamed(records, 'speakers'), toRenamed(records, 'tags')]
    if (withSpeakers.length > 0) await speakers.replace(withSpeakers)
    if (withTags.length > 0) await tags.replace(withTags)
  }

  function updateTokens(record: VideoRecord, changed: readonly WritableName[]): void {
    if (!searched.some((name) => changed.includes(name))) return
    deleteTokens.send(record.id)
    insertTokens([record], toSearchRow)
  }

  return {
    updateLists,
    updateTokens,
    // Table by table, so that the pages of one index stay in the cache: takes half as long as record by record. Ordered
    // by id, because FTS5 flushes its buffer whenever an id is smaller than the last one (decision 20).
    async insert(given) {
      const records = given.toSorted((a, b) => a.record.id - b.record.id)
      insertListing(records, toListingRow)
      await speakers.link(records.map(({ record }) => ({ id: record.id, names: record.speakers })))
      await tags.link(records.map(({ record }) => ({ id: record.id, names: record.tags })))
      insertTokens(records, ({ record }) => toSearchRow(record))
    },
    async update(listed) {
      await updateLists([listed])
      updateTokens(listed.record, listed.changed)
    },
  }
}

function toRenamed(records: readonly ChangedListing[], field: 'speakers' | 'tags') {
  const changed = records.filter((each) => each.changed.includes(field))
  return changed.map(({ record }) => ({ id: record.id, names: record[field] }))
}

function toSearchRow(record: VideoRecord): InsertValue[] {
  const tokens = toSearchTokens(record)
  return [record.id, ...searched.map((name) => tokens[name])]
}

export type ListingValue = string | number | null

/** The input of a row of `listing`. */
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
  source_url: { from: ['source_url'], make: ({ source_url }) => toVideoUrl(source_url) },
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
const updatableColumns = listingColumns.filter((_, i) => !entries[i]?.[1].isFixed)

export function toListingRow(listed: Listed): ListingValue[] {
  return entries.map(([, column]) => column.make(listed.record, listed))
}

/** The values of `updatableColumns`. */
function toUpdatedRow(listed: Listed): ListingValue[] {
  return entries.flatMap(([, column]) => (column.isFixed ? [] : [column.make(listed.record, listed)]))
}

const plainEntries = entries.filter(([, { isPlain }]) => isPlain)

/** The columns that every change of a record may change, besides `updated`. */
const plainColumns = plainEntries.map(([name]) => name)

/** The values of `plainColumns`. */
function toPlainRow(listed: Listed): ListingValue[] {
  return plainEntries.map(([, column]) => column.make(listed.record, listed))
}

const indexedFields: ReadonlySet<FieldName> = new Set(entries.flatMap(([, { from, isPlain }]) => (isPlain ? [] : from)))

/** Whether a change of this field changes more than `updated` and `plainColumns`. */
export const isIndexed = (name: WritableName) => indexedFields.has(name)

interface OrderColumn {
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
