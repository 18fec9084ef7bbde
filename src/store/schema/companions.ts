/**
 * Version 4 of the schema: companions of records (decision 91). Each content belongs to a version of its record, so the
 * log stays the one place of authors, times, reasons and batches. `companion/adopt-extras.ts` fills the tables of an
 * older store.
 */
export const sqliteCompanions = `
-- The contents of a record's companions, one row for each version that changed one. The newest one counts.
CREATE TABLE companion (
  record_id INTEGER NOT NULL,
  name      TEXT NOT NULL,                        -- related, recordings, chapters
  number    INTEGER NOT NULL,                     -- of the version
  alone     INTEGER NOT NULL,                     -- 1: that version is about this companion, 0: about the record too
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  PRIMARY KEY (record_id, name, number)
) STRICT;

-- What lists find companions by. Derived.
CREATE TABLE companion_trait (
  trait     TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  name      TEXT NOT NULL,
  PRIMARY KEY (trait, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX companion_trait_by_record ON companion_trait (record_id);
`

const text = 'text COLLATE "C"'

/** Described above. */
export const postgresCompanions = `
CREATE TABLE companion (
  record_id bigint NOT NULL,
  name      ${text} NOT NULL,
  number    bigint NOT NULL,
  alone     bigint NOT NULL,
  checksum  bytea NOT NULL,
  body      bytea NOT NULL,
  PRIMARY KEY (record_id, name, number)
);

CREATE TABLE companion_trait (
  trait     ${text} NOT NULL,
  record_id bigint NOT NULL,
  name      ${text} NOT NULL,
  PRIMARY KEY (trait, record_id)
);
CREATE INDEX companion_trait_by_record ON companion_trait (record_id);
`
