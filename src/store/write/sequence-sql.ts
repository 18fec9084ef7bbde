/** The number of the last change: a version, or an erasure. Numbers are given within a writer's transaction, one by one. */
export const lastSeqSql =
  'SELECT max(seq) AS seq FROM (SELECT max(seq) AS seq FROM version UNION ALL SELECT max(seq) FROM tombstone) AS known'

export const nextSeqSql = `(SELECT coalesce(max(seq), 0) + 1 FROM (${lastSeqSql}) AS last)`

/** No id is used twice: a record that is gone has left a tombstone. */
export const lastIdSql =
  'SELECT max(id) AS id FROM (SELECT max(id) AS id FROM record UNION ALL SELECT max(record_id) FROM tombstone) AS known'
