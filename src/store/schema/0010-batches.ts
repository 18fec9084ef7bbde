/**
 * A batch stores its progress, its worker and the records it skipped. Existing batches are complete. The idempotency key
 * of the request that started a batch is kept for a day.
 */
export const sql = `
ALTER TABLE batch ADD COLUMN state TEXT NOT NULL DEFAULT 'done';    -- running, done, stopped
ALTER TABLE batch ADD COLUMN total INTEGER NOT NULL DEFAULT 0;      -- records to look at
ALTER TABLE batch ADD COLUMN done INTEGER NOT NULL DEFAULT 0;       -- records looked at; those changed are "records"
ALTER TABLE batch ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch ADD COLUMN last_id INTEGER NOT NULL DEFAULT 0;    -- the record looked at last
ALTER TABLE batch ADD COLUMN runner TEXT;                           -- the writer that works on it
ALTER TABLE batch ADD COLUMN request_key TEXT;                      -- Idempotency-Key
ALTER TABLE batch ADD COLUMN request TEXT;                          -- SHA-256 of the request, in hex
UPDATE batch SET total = records, done = records;
CREATE INDEX batch_running ON batch (id) WHERE state = 'running';
CREATE INDEX batch_by_key ON batch (author, request_key) WHERE request_key IS NOT NULL;

CREATE TABLE batch_note (
  batch     INTEGER NOT NULL REFERENCES batch (id),
  record_id INTEGER NOT NULL,
  kind      TEXT NOT NULL,                        -- left, refused; erased: a member that is gone
  why       TEXT NOT NULL,
  fields    TEXT NOT NULL,                        -- JSON array of field names
  PRIMARY KEY (batch, kind, record_id, why)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_note_by_record ON batch_note (record_id);
`
