/** 0006. The versions by which records became live: SQLite migration 0011. */
export const live = `
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
`

/** 0007. Addresses that imported records had on another site: SQLite migration 0012. */
export const aliases = `
ALTER TABLE extras ADD COLUMN alias text COLLATE "C";
CREATE INDEX extras_by_alias ON extras (alias, record_id) WHERE alias IS NOT NULL;
`
