/**
 * A record can have several origins, each with the values of its last import, which the next import compares with.
 * `upgrade/origins.ts` then removes passwords from the names of sources and writes the URLs in the listing in their
 * canonical form. Overwritten data is wiped.
 */
export const sql = `
PRAGMA secure_delete = ON;

ALTER TABLE origin ADD COLUMN version INTEGER;       -- of the record, after the last import from there; null: of before this schema

-- Other places that the record was imported from.
CREATE TABLE origin_alias (
  source    TEXT NOT NULL,
  path      TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  imported  TEXT,                                    -- and version: as in origin
  version   INTEGER,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);
`
