/** Seq of the last change: a version or an erasure. Assigned within a write transaction, in commit order (decision 10). */
export const lastSeqSql =
  'SELECT max(seq) AS seq FROM (SELECT max(seq) AS seq FROM version UNION ALL SELECT max(seq) FROM tombstone) AS known'

export const nextSeqSql = `(SELECT coalesce(max(seq), 0) + 1 FROM (${lastSeqSql}) AS last)`

/** Ids are never reused: an erased record leaves a tombstone. */
export const lastIdSql =
  'SELECT max(id) AS id FROM (SELECT max(id) AS id FROM record UNION ALL SELECT max(record_id) FROM tombstone) AS known'
