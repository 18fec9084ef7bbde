/** 0006. The versions by which records became live: SQLite migration 0011. */
export const live = `
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
`
