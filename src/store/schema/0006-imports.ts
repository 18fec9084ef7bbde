/**
 * Hashes of the origins of erased talks, so that imports skip them without the store revealing what they were. Also a
 * larger buffer for the search index: within a transaction it is written out at 4 MB instead of 1 MB, which makes an
 * import a fifth cheaper. SQLite stores the text of the table with its comments, and the doctor compares it, so the old
 * path of import/erased-origins.ts stays in it.
 */
export const sql = `
CREATE TABLE erased_origin (
  digest BLOB PRIMARY KEY,                        -- SHA-256; store/sql/erased-origins.ts says of what
  at     TEXT NOT NULL                            -- when the record was erased
) STRICT, WITHOUT ROWID;

INSERT INTO search (search, rank) VALUES ('hashsize', 4194304);
`
