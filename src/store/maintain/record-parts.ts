/** Every table but `record` that has rows of single records, and by which column. */
export const recordParts = {
  version: 'record_id',
  listing: 'id',
  record_speaker: 'record_id',
  record_tag: 'record_id',
  search: 'rowid',
  origin: 'record_id',
  origin_alias: 'record_id',
  extras: 'record_id',
  idempotency: 'record_id',
} as const
