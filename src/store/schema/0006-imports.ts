/**
 * What keeps an erased talk from coming in again: digests of where it came from, which tell nobody what it was. And
 * memory for the search index while many records come in: within one transaction it writes out what it holds at four
 * megabytes instead of one, which makes a fifth less work of an import.
 */
export const sql = `
CREATE TABLE erased_origin (
  digest    BLOB PRIMARY KEY,                     -- SHA-256; store/sql/erased-origin-rows.ts says of what
  record_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erased_origin_by_record ON erased_origin (record_id);

INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);
`
