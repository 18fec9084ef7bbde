/** 0011. The versions by which records became live (ADR 47). */
export const live = `
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
`

/** 0012. Addresses that imported records had on another site (ADR 47). `rebuildAliases` fills the column. */
export const aliases = `
ALTER TABLE extras ADD COLUMN alias TEXT;            -- a path without slashes at its ends
CREATE INDEX extras_by_alias ON extras (alias, record_id) WHERE alias IS NOT NULL;
`
