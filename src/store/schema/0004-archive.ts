/** Origins of imported records, their extras (data that no field can hold), and erased ids. */
export const sql = `
CREATE TABLE origin (
  record_id INTEGER PRIMARY KEY,
  source    TEXT NOT NULL,                        -- what it was imported from
  path      TEXT NOT NULL,                        -- where in there
  imported  TEXT NOT NULL,                        -- JSON of the fields as they came last time
  UNIQUE (source, path)
) STRICT;

CREATE TABLE extras (
  record_id INTEGER PRIMARY KEY,
  body      BLOB NOT NULL,                        -- JSON object: what the source has and the record has no field for
  basis     BLOB NOT NULL                         -- JSON object: what the record alone would have said in its place
) STRICT;

-- The file of a category, wherever its talks lie.
CREATE TABLE category_origin (
  source      TEXT NOT NULL,
  path        TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  body        BLOB NOT NULL,
  basis       BLOB NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;

-- Ids that were erased for good: no content, never used again.
CREATE TABLE tombstone (
  record_id INTEGER PRIMARY KEY,
  at        TEXT NOT NULL
) STRICT;
`
