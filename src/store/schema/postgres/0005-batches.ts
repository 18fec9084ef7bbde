const text = 'text COLLATE "C"'

/** As schema/0010-batches.ts, in PostgreSQL's SQL. */
export const sql = `
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
