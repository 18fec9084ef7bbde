const text = 'text COLLATE "C"'

/** 0002. Several origins per record: SQLite migration 0007. */
export const origins = `
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

/** 0003. Versions of categories: SQLite migration 0008. */
export const categories = `
ALTER TABLE category ADD COLUMN listed bigint NOT NULL DEFAULT 0;

CREATE TABLE category_version (
  category_id bigint NOT NULL REFERENCES category (id),
  number      bigint NOT NULL,
  at          text NOT NULL,
  author      text NOT NULL,
  reason      text,
  changed     text NOT NULL,
  body        text NOT NULL,
  PRIMARY KEY (category_id, number)
);

INSERT INTO category_version (category_id, number, at, author, changed, body)
SELECT id, 1, added, 'upgrade', '["title","description","url","start_date","whiteboard"]',
  json_build_object(
    'title', title, 'description', description, 'url', url, 'start_date', start_date, 'whiteboard', whiteboard
  )::text
FROM category;

ALTER TABLE idempotency ALTER COLUMN record_id DROP NOT NULL;
ALTER TABLE idempotency ADD COLUMN category_id bigint REFERENCES category (id);
`

/**
 * 0004. Identifies the store (SQLite migration 0009), with the system and timeline on which it got its id. On another
 * one the store was restored by PostgreSQL's own tools, or a standby was promoted: its id then counts as a different
 * one.
 */
export const storeId = `
ALTER TABLE store ADD COLUMN id text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 16);
ALTER TABLE store ADD COLUMN id_place text NOT NULL
  DEFAULT (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
`

/** 0005. Progress of batches: SQLite migration 0010. */
export const batches = `
ALTER TABLE batch ADD COLUMN state text NOT NULL DEFAULT 'done';
ALTER TABLE batch ADD COLUMN total bigint NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN done bigint NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN unchanged bigint NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN last_id bigint NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN runner text;
ALTER TABLE batch ADD COLUMN request_key ${text};
ALTER TABLE batch ADD COLUMN request text;
UPDATE batch SET total = records, done = records;
CREATE INDEX batch_running ON batch (id) WHERE state = 'running';
CREATE INDEX batch_by_key ON batch (author, request_key) WHERE request_key IS NOT NULL;

CREATE TABLE batch_note (
  batch     bigint NOT NULL REFERENCES batch (id),
  record_id bigint NOT NULL,
  kind      ${text} NOT NULL,
  why       ${text} NOT NULL,
  fields    text NOT NULL,
  PRIMARY KEY (batch, kind, record_id, why)
);
CREATE INDEX batch_note_by_record ON batch_note (record_id);
`
