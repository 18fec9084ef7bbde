/**
 * Version 2 of the schema: more fields of categories, and profiles of speakers. Versions of categories from before
 * have none of these fields. `derive/upgrade.ts` writes `listing.quality` anew.
 */
const toFields = (text: string) => `
ALTER TABLE category ADD COLUMN end_date ${text};
ALTER TABLE category ADD COLUMN place ${text} NOT NULL DEFAULT '';
ALTER TABLE category ADD COLUMN series ${text} NOT NULL DEFAULT '';
`

export const sqliteProfiles = `${toFields('TEXT')}
-- What publishers say of a speaker, as category_version; a speaker of whom nobody has said anything has no row.
CREATE TABLE speaker_version (
  speaker_id INTEGER NOT NULL REFERENCES speaker (id),
  number     INTEGER NOT NULL,
  at         TEXT NOT NULL,
  author     TEXT NOT NULL,
  reason     TEXT,
  changed    TEXT NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (speaker_id, number)
) STRICT, WITHOUT ROWID;
`

export const postgresProfiles = `${toFields('text')}
CREATE TABLE speaker_version (
  speaker_id bigint NOT NULL REFERENCES speaker (id),
  number     bigint NOT NULL,
  at         text NOT NULL,
  author     text NOT NULL,
  reason     text,
  changed    text NOT NULL,
  body       text NOT NULL,
  PRIMARY KEY (speaker_id, number)
);
CREATE TRIGGER speaker_version_told AFTER INSERT OR DELETE ON speaker_version
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
`
