/** 0011. The versions by which records became live (ADR 47). */
export const live = `
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
`
