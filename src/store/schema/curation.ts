const text = 'text COLLATE "C"'

/**
 * Version 2 of the schema: more fields of categories, and profiles of speakers. Versions of categories from before
 * have none of these fields. `derive/upgrade.ts` writes `listing.quality` anew.
 */
const toProfileFields = (type: string) => `
ALTER TABLE category ADD COLUMN end_date ${type};
ALTER TABLE category ADD COLUMN place ${type} NOT NULL DEFAULT '';
ALTER TABLE category ADD COLUMN series ${type} NOT NULL DEFAULT '';
`

export const sqliteProfiles = `${toProfileFields('TEXT')}
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

export const postgresProfiles = `${toProfileFields('text')}
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

/**
 * Version 3 of the schema: what curators decided beside the records themselves. None of it is a version of a record.
 * `derive/upgrade.ts` writes `listing.quality` anew.
 */
export const sqliteCuration = `
-- Findings that a person called fine as they are. Any change of a field that the finding looks at removes the row.
CREATE TABLE accepted_finding (
  record_id INTEGER NOT NULL,
  code      TEXT NOT NULL,
  author    TEXT NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (record_id, code)
) STRICT, WITHOUT ROWID;

-- Findings that nobody is asked to work on.
CREATE TABLE hidden_finding (
  code   TEXT PRIMARY KEY,
  author TEXT NOT NULL,
  at     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Records that look alike, and that a person has called different talks.
CREATE TABLE distinct_pair (
  low_id  INTEGER NOT NULL,
  high_id INTEGER NOT NULL,
  author  TEXT NOT NULL,
  at      TEXT NOT NULL,
  PRIMARY KEY (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX distinct_pair_by_high ON distinct_pair (high_id);

-- Records whose pages, while they are drafts, lead to the record that they were merged into.
CREATE TABLE merged_record (
  record_id INTEGER PRIMARY KEY,
  into_id   INTEGER NOT NULL,
  batch_id  INTEGER NOT NULL REFERENCES batch (id),
  at        TEXT NOT NULL,
  CHECK (record_id <> into_id)
) STRICT;
CREATE INDEX merged_record_by_target ON merged_record (into_id);

-- The categories that a token is limited to; a token without rows is not limited. No foreign keys: a restore keeps the
-- tokens of the store that it replaces. An id of 0 is a category that this store does not have.
CREATE TABLE token_category (
  token_id    INTEGER NOT NULL,
  category_id INTEGER NOT NULL,
  PRIMARY KEY (token_id, category_id)
) STRICT, WITHOUT ROWID;

-- Drafts that become live at a time.
CREATE TABLE scheduled_publish (
  record_id INTEGER PRIMARY KEY,
  at        TEXT NOT NULL,                        -- when
  author    TEXT NOT NULL,                        -- who asked: the name of a token, with the role that it had then
  role      TEXT NOT NULL,
  asked_at  TEXT NOT NULL,
  failure   TEXT                                  -- why it stayed a draft; null: still to be done
) STRICT;
CREATE INDEX scheduled_publish_by_time ON scheduled_publish (at) WHERE failure IS NULL;
`

/** Per row: a statement that changes nothing, which is most of them, tells nobody. */
const told = (table: string, what: string) => `
CREATE TRIGGER ${table}_told AFTER INSERT OR UPDATE OR DELETE ON ${table}
  FOR EACH ROW EXECUTE FUNCTION tell_other('${what}');`

const toldTables = ['accepted_finding', 'hidden_finding', 'distinct_pair', 'merged_record', 'scheduled_publish']

/** Described above. */
export const postgresCuration = `
CREATE TABLE accepted_finding (
  record_id bigint NOT NULL,
  code      ${text} NOT NULL,
  author    text NOT NULL,
  at        text NOT NULL,
  PRIMARY KEY (record_id, code)
);

CREATE TABLE hidden_finding (
  code   ${text} PRIMARY KEY,
  author text NOT NULL,
  at     text NOT NULL
);

CREATE TABLE distinct_pair (
  low_id  bigint NOT NULL,
  high_id bigint NOT NULL,
  author  text NOT NULL,
  at      text NOT NULL,
  PRIMARY KEY (low_id, high_id),
  CHECK (low_id < high_id)
);
CREATE INDEX distinct_pair_by_high ON distinct_pair (high_id);

CREATE TABLE merged_record (
  record_id bigint PRIMARY KEY,
  into_id   bigint NOT NULL,
  batch_id  bigint NOT NULL REFERENCES batch (id),
  at        text NOT NULL,
  CHECK (record_id <> into_id)
);
CREATE INDEX merged_record_by_target ON merged_record (into_id);

CREATE TABLE token_category (
  token_id    bigint NOT NULL,
  category_id bigint NOT NULL,
  PRIMARY KEY (token_id, category_id)
);

CREATE TABLE scheduled_publish (
  record_id bigint PRIMARY KEY,
  at        ${text} NOT NULL,
  author    text NOT NULL,
  role      text NOT NULL,
  asked_at  text NOT NULL,
  failure   text
);
CREATE INDEX scheduled_publish_by_time ON scheduled_publish (at) WHERE failure IS NULL;
${toldTables.map((table) => told(table, 'changes')).join('')}
${told('token_category', 'tokens')}
`

/** Version 7 of the schema, of both engines: a length of one minute is not odd any more (decision 53). */
export const plausibleMinutes = `
-- Bit 17: odd_duration.
UPDATE listing SET quality = quality & ~131072 WHERE duration = 60;
`
