/** As schema/0007-origins.ts, in PostgreSQL's SQL. */
const text = 'text COLLATE "C"'

export const sql = `
ALTER TABLE origin ADD COLUMN version bigint;

CREATE TABLE origin_alias (
  source    ${text} NOT NULL,
  path      ${text} NOT NULL,
  record_id bigint NOT NULL,
  imported  text,
  version   bigint
);
-- Paths may be longer than an index takes.
CREATE UNIQUE INDEX origin_alias_once ON origin_alias (md5(source), md5(path));
CREATE INDEX origin_alias_by_path ON origin_alias USING hash (path);
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);
`
