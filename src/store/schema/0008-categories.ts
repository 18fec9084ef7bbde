/**
 * Categories have versions, and may be listed while they have no live records. The past of existing ones is unknown, so
 * their first version is the current state. An Idempotency-Key can belong to a category instead of a record.
 */
export const sql = `
ALTER TABLE category ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;   -- 1: shown to everybody even while it is empty

CREATE TABLE category_version (
  category_id INTEGER NOT NULL REFERENCES category (id),
  number      INTEGER NOT NULL,
  at          TEXT NOT NULL,
  author      TEXT NOT NULL,
  reason      TEXT,
  changed     TEXT NOT NULL,                      -- JSON array of field names
  body        TEXT NOT NULL,                      -- JSON object of the fields; ETags are made of these bytes
  PRIMARY KEY (category_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO category_version (category_id, number, at, author, changed, body)
SELECT id, 1, added, 'upgrade', '["title","description","url","start_date","whiteboard"]',
  json_object('title', title, 'description', description, 'url', url, 'start_date', start_date, 'whiteboard', whiteboard)
FROM category;

CREATE TABLE next_idempotency (
  author      TEXT NOT NULL,
  key         TEXT NOT NULL,
  request     BLOB NOT NULL,                      -- SHA-256 of the wish
  record_id   INTEGER,                            -- what it made: this record,
  category_id INTEGER REFERENCES category (id),   -- or this category
  at          TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT, WITHOUT ROWID;
INSERT INTO next_idempotency (author, key, request, record_id, at)
SELECT author, key, request, record_id, at FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE next_idempotency RENAME TO idempotency;
CREATE INDEX idempotency_by_time ON idempotency (at);
`
