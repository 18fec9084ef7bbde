/**
 * What keeps an erased talk from coming in again: digests of where it came from, which tell nobody what it was. And
 * memory for the search index while many records come in: within one transaction it writes out what it holds at four
 * megabytes instead of one, which makes a fifth less work of an import.
 */
export const sql = `
CREATE TABLE erased_origin (
  digest BLOB PRIMARY KEY,                        -- SHA-256; store/import/erased-origins.ts says of what
  at     TEXT NOT NULL                            -- when the record was erased
) STRICT, WITHOUT ROWID;

INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);
`
