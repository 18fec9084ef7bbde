import { toVideoAddress } from '../../record/embed/video-address.ts'
import { mediaKinds, type WritableName } from '../../record/fields.ts'
import type { VideoRecord } from '../../record/record.ts'
import { searched, toSearchTokens } from '../../record/text/search-text.ts'
import type { Database } from '../database.ts'
import { createNameRows } from './names.ts'
import { toSortKey } from './sort-key.ts'

/** What is derived from a record's bytes: its line in the lists, its speakers and tags, its words. */
export interface Derived {
  insert(record: VideoRecord, categoryId: number): void
  /** Many new ones, table by table: one index at a time stays at hand, which takes half as long. */
  insertAll(records: readonly NewListing[]): void
  /** Only what the changed fields touch is written again. */
  update(record: VideoRecord, categoryId: number, changed: readonly WritableName[]): void
}

export interface NewListing {
  readonly record: VideoRecord
  readonly categoryId: number
}

/** Fields that lists do not look at; a change of nothing else moves only the line's time. */
const unlisted: readonly WritableName[] = [
  'summary',
  'description',
  'quality_notes',
  'copyright_text',
  'whiteboard',
  'tags',
  'speakers',
]

export function createDerived(db: Database): Derived {
  const insertLine = db.query(
    `INSERT INTO listing (id, state, category_id, language, recorded, title_key, added, updated, duration, source_url, media)
     VALUES ($id, $state, $categoryId, $language, $recorded, $titleKey, $added, $updated, $duration, $sourceUrl, $media)`,
  )
  const updateLine = db.query(
    `UPDATE listing SET state = $state, category_id = $categoryId, language = $language, recorded = $recorded,
       title_key = $titleKey, updated = $updated, duration = $duration, source_url = $sourceUrl, media = $media
     WHERE id = $id`,
  )
  const touchLine = db.query<null, [string, number]>('UPDATE listing SET updated = ? WHERE id = ?')
  const insertWords = db.query(
    `INSERT INTO search (rowid, title, speakers, tags, category, summary, description)
     VALUES ($id, $title, $speakers, $tags, $category, $summary, $description)`,
  )
  const deleteWords = db.query<null, [number]>('DELETE FROM search WHERE rowid = ?')
  const speakers = createNameRows(db, 'speaker')
  const tags = createNameRows(db, 'tag')

  function insertAll(given: readonly NewListing[]): void {
    // In the order of ids: SQLite's index writes out all that it holds whenever an id is smaller than the last.
    const records = given.toSorted((a, b) => a.record.id - b.record.id)
    for (const { record, categoryId } of records) {
      insertLine.run({ ...toListingRow(record, categoryId), added: record.added })
    }
    speakers.addAll(records.map(({ record }) => ({ id: record.id, names: record.speakers })))
    tags.addAll(records.map(({ record }) => ({ id: record.id, names: record.tags })))
    for (const { record } of records) insertWords.run({ id: record.id, ...toSearchTokens(record) })
  }

  return {
    insert: (record, categoryId) => insertAll([{ record, categoryId }]),
    insertAll,
    update(record, categoryId, changed) {
      if (changed.every((name) => unlisted.includes(name))) touchLine.run(record.updated, record.id)
      else updateLine.run(toListingRow(record, categoryId))
      if (changed.includes('speakers')) speakers.replace(record.id, record.speakers)
      if (changed.includes('tags')) tags.replace(record.id, record.tags)
      if (!searched.some((name) => changed.includes(name))) return
      deleteWords.run(record.id)
      insertWords.run({ id: record.id, ...toSearchTokens(record) })
    },
  }
}

/** A record's line in the lists. */
export function toListingRow(record: VideoRecord, categoryId: number) {
  const { id, state, language, recorded, updated, duration } = record
  const titleKey = toSortKey(record.title)
  return {
    id,
    state,
    categoryId,
    language,
    recorded,
    titleKey,
    updated,
    duration,
    /** In the form that all addresses of the video share. */
    sourceUrl: toVideoAddress(record.source_url),
    media: toMediaBits(record),
  }
}

/** A bit for each of `mediaKinds`, in their order. */
function toMediaBits(record: VideoRecord): number {
  const has = {
    mp4: record.video_mp4_url,
    webm: record.video_webm_url,
    ogv: record.video_ogv_url,
    flv: record.video_flv_url,
    embed: record.embed,
    thumbnail: record.thumbnail_url,
  }
  return mediaKinds.reduce((bits, kind, i) => ((has[kind] ?? '') === '' ? bits : bits | (1 << i)), 0)
}
