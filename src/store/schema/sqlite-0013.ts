/**
 * 0013. What curators need: merged names (ADR 52), dismissed variants, tokens that expire, and more columns to filter
 * lists by. An upgrade step fills the columns.
 */
export const curation = `
ALTER TABLE speaker ADD COLUMN merged_into INTEGER;          -- the speaker that this name is an alias of
ALTER TABLE tag ADD COLUMN merged_into INTEGER;
ALTER TABLE category ADD COLUMN merged_into INTEGER;
CREATE INDEX speaker_by_target ON speaker (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX tag_by_target ON tag (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX category_by_target ON category (merged_into) WHERE merged_into IS NOT NULL;

-- Ids and slugs of deleted names and categories: never used again.
CREATE TABLE retired_name (
  kind   TEXT NOT NULL,                           -- speaker, tag, category
  id     INTEGER NOT NULL,
  digest BLOB NOT NULL,                           -- SHA-256 of the slug: what it was is not known any more
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_name_by_digest ON retired_name (kind, digest);

ALTER TABLE batch ADD COLUMN names TEXT;                     -- JSON: which name or category was renamed or merged

-- Groups of names that look alike, and that a person has called different.
CREATE TABLE dismissed_variant (
  kind   TEXT NOT NULL,                           -- speaker, tag
  ids    TEXT NOT NULL,                           -- JSON array of ids, ascending
  at     TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (kind, ids)
) STRICT, WITHOUT ROWID;

ALTER TABLE token ADD COLUMN expires TEXT;                   -- null: never
ALTER TABLE token ADD COLUMN replaced TEXT;                  -- when another key took its place
DROP INDEX token_by_name;
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL AND replaced IS NULL;

ALTER TABLE listing ADD COLUMN quality INTEGER NOT NULL DEFAULT 0;   -- bits: what is missing or looks wrong
ALTER TABLE listing ADD COLUMN host TEXT NOT NULL DEFAULT '';        -- of source_url
ALTER TABLE listing ADD COLUMN author TEXT NOT NULL DEFAULT '';      -- of the newest version

CREATE INDEX version_by_author ON version (author, seq, at, record_id);
`
