/**
 * What a store is, row by row and in the order in which rows may name one another; everything else is made from it.
 * With the columns that rows are told apart by, which both engines sort alike.
 */
export const movedTables = {
  category: 'id',
  category_version: 'category_id, number',
  category_origin: 'source, path',
  batch: 'id',
  batch_note: 'batch, kind, record_id, why',
  version: 'seq',
  tombstone: 'record_id',
  erased_origin: 'digest',
  token: 'id',
  idempotency: 'author, key',
  origin: 'record_id',
  origin_alias: 'source, path',
  extras: 'record_id',
  // Made from records, but their ids and slugs are known to others.
  speaker: 'id',
  tag: 'id',
} as const

export type MovedTable = keyof typeof movedTables

export const movedNames = Object.keys(movedTables) as MovedTable[]

/** Made anew from the versions' bytes; the first must come out as it was. */
export const madeTables = [
  'record',
  'listing',
  'search',
  'record_speaker',
  'record_tag',
  'speaker_piece',
  'tag_piece',
] as const
