/**
 * Every place that a record is known from leads to it, not only the first, and has what it said last: that is what
 * imports compare with. `upgrade/origins.ts` then takes passwords out of the names of sources, and
 * gives the addresses in the lists the form that all addresses of one video share. What is overwritten is wiped.
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
