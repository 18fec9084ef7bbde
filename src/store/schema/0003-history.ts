/**
 * Each version stores its kind of change in a column before its bytes, so that the change feed never reads those; each
 * batch stores what it undid or renamed. Existing rows are filled in from the versions.
 */
export const sql = `
CREATE TABLE next_version (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  at        TEXT NOT NULL,
  kind      TEXT NOT NULL,                        -- created, updated, withdrawn
  state     INTEGER NOT NULL,                     -- of the record in this version
  author    TEXT NOT NULL,
  batch     INTEGER REFERENCES batch (id),
  reason    TEXT,
  changed   TEXT NOT NULL,                        -- JSON array of field names
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  UNIQUE (record_id, number)
) STRICT;

INSERT INTO next_version
SELECT seq, record_id, number, at,
  CASE
    WHEN number = 1 OR (before = 2 AND state = 1) THEN 'created'
    WHEN before = 1 AND state = 2 THEN 'withdrawn'
    ELSE 'updated'
  END,
  state, author, batch, reason, changed, checksum, body
FROM (
  SELECT *, CAST(body AS TEXT) ->> 'state' AS state,
    (SELECT CAST(earlier.body AS TEXT) ->> 'state' FROM version AS earlier
     WHERE earlier.record_id = version.record_id AND earlier.number = version.number - 1) AS before
  FROM version
)
ORDER BY seq;

DROP TABLE version;
ALTER TABLE next_version RENAME TO version;

-- What everybody may know of.
CREATE INDEX version_public ON version (seq) WHERE state = 1 OR kind = 'withdrawn';
CREATE INDEX version_by_batch ON version (batch, record_id, number) WHERE batch IS NOT NULL;

ALTER TABLE batch ADD COLUMN reason TEXT;
ALTER TABLE batch ADD COLUMN undoes INTEGER REFERENCES batch (id);
ALTER TABLE batch ADD COLUMN category_id INTEGER REFERENCES category (id);
ALTER TABLE batch ADD COLUMN old_title TEXT;
ALTER TABLE batch ADD COLUMN new_title TEXT;
UPDATE batch SET (old_title, new_title) = (
  SELECT CAST(earlier.body AS TEXT) ->> 'category', CAST(version.body AS TEXT) ->> 'category'
  FROM version JOIN version AS earlier ON earlier.record_id = version.record_id AND earlier.number = version.number - 1
  WHERE version.batch = batch.id LIMIT 1
) WHERE kind = 'rename category';
UPDATE batch SET category_id = (SELECT id FROM category WHERE title = new_title) WHERE new_title IS NOT NULL;
CREATE INDEX batch_by_undone ON batch (undoes) WHERE undoes IS NOT NULL;
`
