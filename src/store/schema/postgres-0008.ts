const text = 'text COLLATE "C"'

/** Never the id of a row that was deleted. */
const toNextId = (table: string) => `
CREATE OR REPLACE FUNCTION next_${table}() RETURNS bigint LANGUAGE sql AS
  'SELECT greatest((SELECT max(id) FROM ${table}), (SELECT max(id) FROM retired_name WHERE kind = ''${table}''), 0) + 1';`

/** 0008. What curators need: SQLite migration 0013. */
export const curation = `
ALTER TABLE speaker ADD COLUMN merged_into bigint;
ALTER TABLE tag ADD COLUMN merged_into bigint;
ALTER TABLE category ADD COLUMN merged_into bigint;
CREATE INDEX speaker_by_target ON speaker (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX tag_by_target ON tag (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX category_by_target ON category (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE retired_name (
  kind   ${text} NOT NULL,
  id     bigint NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX retired_name_by_digest ON retired_name (kind, digest);
${toNextId('speaker')}
${toNextId('tag')}
${toNextId('category')}

ALTER TABLE batch ADD COLUMN names text;

CREATE TABLE dismissed_variant (
  kind   ${text} NOT NULL,
  ids    ${text} NOT NULL,
  at     text NOT NULL,
  author text NOT NULL,
  PRIMARY KEY (kind, ids)
);

ALTER TABLE token ADD COLUMN expires text;
ALTER TABLE token ADD COLUMN replaced text;
DROP INDEX token_by_name;
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL AND replaced IS NULL;
DROP TRIGGER token_told ON token;
CREATE TRIGGER token_told AFTER INSERT OR DELETE OR UPDATE OF revoked, expires, replaced ON token
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('tokens');

ALTER TABLE listing ADD COLUMN quality bigint NOT NULL DEFAULT 0;
ALTER TABLE listing ADD COLUMN host ${text} NOT NULL DEFAULT '';
ALTER TABLE listing ADD COLUMN author ${text} NOT NULL DEFAULT '';

CREATE INDEX version_by_author ON version (author, seq, at, record_id);

CREATE TRIGGER speaker_told AFTER UPDATE ON speaker FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER tag_told AFTER UPDATE ON tag FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER dismissed_variant_told AFTER INSERT OR DELETE ON dismissed_variant
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
`
