/**
 * Version 6 of the schema: the index of transcripts (decision 93). All of it is derived from the transcripts, which are
 * companions; an older store has none.
 */
export const sqliteTranscripts = `
-- Transcripts that have changed since they were indexed, however they were written. The writer indexes them in parts,
-- between two groups of commands.
CREATE TABLE moment_due (
  record_id INTEGER NOT NULL,
  name      TEXT NOT NULL,                        -- of the companion
  dropped   TEXT,                                 -- the last token of which the former entry was dropped
  written   TEXT,                                 -- the last token that was written; NULL before the first
  PRIMARY KEY (record_id, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER transcript_due AFTER INSERT ON companion WHEN NEW.name LIKE 'transcripts/%' BEGIN
  INSERT INTO moment_due (record_id, name) VALUES (NEW.record_id, NEW.name)
    ON CONFLICT DO UPDATE SET dropped = NULL, written = NULL;
END;

-- The indexed transcripts. A changed one gets a new number.
CREATE TABLE moment_transcript (
  number    INTEGER PRIMARY KEY,                  -- 256 make a block
  record_id INTEGER NOT NULL,
  name      TEXT NOT NULL,
  version   INTEGER NOT NULL,                     -- of the companion
  slices    BLOB NOT NULL                         -- how many tokens each slice of time has
) STRICT;
CREATE INDEX moment_transcript_by_record ON moment_transcript (record_id, name);

-- Where each token is said: one row for each block of transcripts that have it.
CREATE TABLE moment_posting (
  block INTEGER NOT NULL,
  token TEXT NOT NULL,
  body  BLOB NOT NULL,                            -- see moment/postings.ts
  PRIMARY KEY (block, token)
) STRICT, WITHOUT ROWID;
`

const text = 'text COLLATE "C"'

/** Described above. */
export const postgresTranscripts = `
CREATE TABLE moment_due (
  record_id bigint NOT NULL,
  name      ${text} NOT NULL,
  dropped   ${text},
  written   ${text},
  PRIMARY KEY (record_id, name)
);
CREATE OR REPLACE FUNCTION make_moment_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO moment_due (record_id, name) VALUES (NEW.record_id, NEW.name)
    ON CONFLICT (record_id, name) DO UPDATE SET dropped = NULL, written = NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER transcript_due AFTER INSERT ON companion
  FOR EACH ROW WHEN (NEW.name LIKE 'transcripts/%') EXECUTE FUNCTION make_moment_due();
-- Results of searches change when a transcript is indexed.
CREATE TRIGGER moment_due_told AFTER DELETE ON moment_due FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');

CREATE TABLE moment_transcript (
  number    bigint PRIMARY KEY,
  record_id bigint NOT NULL,
  name      ${text} NOT NULL,
  version   bigint NOT NULL,
  slices    bytea NOT NULL
);
CREATE INDEX moment_transcript_by_record ON moment_transcript (record_id, name);

CREATE TABLE moment_posting (
  block bigint NOT NULL,
  token ${text} NOT NULL,
  body  bytea NOT NULL,
  PRIMARY KEY (block, token)
);
-- The bytes are dense already.
ALTER TABLE moment_posting ALTER COLUMN body SET STORAGE EXTERNAL;
`
