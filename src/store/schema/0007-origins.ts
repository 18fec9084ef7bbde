/**
 * What imports compare with is kept per record, whatever source it last came from; and every place that a record is
 * known from leads to it, not only the first. `upgrade/origins.ts` then takes passwords out of the names of sources, and
 * gives the addresses in the lists the form that all addresses of one video share. What is overwritten is wiped.
 */
export const sql = `
PRAGMA secure_delete = ON;

ALTER TABLE origin ADD COLUMN version INTEGER;       -- of the record, after its last import; null: of before this schema
ALTER TABLE origin ADD COLUMN imported_from TEXT;    -- the source of its last import; null: its own

-- Other places that the record was imported from.
CREATE TABLE origin_alias (
  source    TEXT NOT NULL,
  path      TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);
`
