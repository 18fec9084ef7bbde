/** 0001. A record is one row with the bytes that are served. Everything derived from them is in separate tables. */
export const records = `
CREATE TABLE category (
  id          INTEGER PRIMARY KEY,
  title       TEXT NOT NULL UNIQUE,
  slug        TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  url         TEXT NOT NULL DEFAULT '',
  start_date  TEXT,
  whiteboard  TEXT NOT NULL DEFAULT '',
  added       TEXT NOT NULL
) STRICT;

CREATE TABLE record (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice
  version INTEGER NOT NULL,
  mark    TEXT NOT NULL,                          -- version and a piece of its checksum: what ETags are made of
  state   INTEGER NOT NULL,
  slug    TEXT NOT NULL UNIQUE,
  updated TEXT NOT NULL,
  body    BLOB NOT NULL
) STRICT;

-- Append-only: history, audit, undo and the change feed are readings of this table.
CREATE TABLE version (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  at        TEXT NOT NULL,
  author    TEXT NOT NULL,
  batch     INTEGER REFERENCES batch (id),
  reason    TEXT,
  changed   TEXT NOT NULL,                        -- JSON array of field names
  checksum  BLOB NOT NULL,                        -- SHA-256 of body
  body      BLOB NOT NULL,
  UNIQUE (record_id, number)
) STRICT;

-- Many versions that belong together, such as a renamed category's.
CREATE TABLE batch (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind    TEXT NOT NULL,
  at      TEXT NOT NULL,
  author  TEXT NOT NULL,
  records INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  role      TEXT NOT NULL,
  hash      BLOB NOT NULL UNIQUE,                 -- SHA-256 of the key; the key itself is nowhere
  created   TEXT NOT NULL,
  last_used TEXT,
  revoked   TEXT
) STRICT;
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL;

-- What a client named with an Idempotency-Key, for a day.
CREATE TABLE idempotency (
  author    TEXT NOT NULL,
  key       TEXT NOT NULL,
  request   BLOB NOT NULL,                        -- SHA-256 of the wish
  record_id INTEGER NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (at);
`

/**
 * 0002. The columns that lists filter and sort by: one narrow row per record, derived from its bytes. Each index ends
 * with the columns of the filters, so that counting and scanning never read the rows. The index of a filter continues
 * with state and default order: most readers see live records only, and get them counted and sorted from the index
 * alone.
 */
const filterColumns = 'state, category_id, language, duration, media'
const byDay = 'recorded DESC, title_key, id'
const mediaBits = [1, 2, 4, 8, 16, 32]
const mediaIndexes = mediaBits.map(
  (bit) =>
    `CREATE INDEX listing_by_media_${bit} ON listing (state, ${byDay}, category_id, language, duration, media) WHERE media & ${bit};`,
)

/**
 * Statistics for the query planner (`sqlite_stat1`): the rows of an index, and how many share its first column, its
 * first two, and so on. Fixed instead of measured, so that every store has the same query plans: source before
 * category, category before duration, duration before language or media (most talks are in one language), state last.
 */
const statistics = {
  listing_by_recorded: '100000 14 1 1',
  listing_by_added: '100000 2 1',
  listing_by_updated: '100000 2 1',
  listing_by_title: '100000 2 1',
  listing_by_duration: '100000 20 1',
  listing_by_category: '100000 200 195 2 1 1',
  listing_by_language: '100000 30000 29000 10 1 1',
  listing_by_state: '100000 90000 13 1 1',
  listing_by_source: '90000 1',
  ...Object.fromEntries(mediaBits.map((bit) => [`listing_by_media_${bit}`, '40000 39000 6 1 1'])),
}
const statisticsRows = Object.entries(statistics).map(([index, stat]) => `('listing', '${index}', '${stat}')`)

export const listing = `
CREATE TABLE listing (
  id          INTEGER PRIMARY KEY,
  state       INTEGER NOT NULL,
  category_id INTEGER NOT NULL REFERENCES category (id),
  language    TEXT NOT NULL,
  recorded    TEXT,
  title_key   TEXT NOT NULL,                      -- folded
  added       TEXT NOT NULL,
  updated     TEXT NOT NULL,
  duration    INTEGER,
  source_url  TEXT NOT NULL,
  media       INTEGER NOT NULL                    -- bits: which media there are
) STRICT;
CREATE INDEX listing_by_recorded ON listing (${byDay}, ${filterColumns});
CREATE INDEX listing_by_added ON listing (added, id, ${filterColumns});
CREATE INDEX listing_by_updated ON listing (updated, id, ${filterColumns});
CREATE INDEX listing_by_title ON listing (title_key, id, ${filterColumns});
CREATE INDEX listing_by_duration ON listing (duration, id, state, category_id, language, media);
CREATE INDEX listing_by_category ON listing (category_id, state, ${byDay}, language, duration, media);
CREATE INDEX listing_by_language ON listing (language, state, ${byDay}, category_id, duration, media);
CREATE INDEX listing_by_state ON listing (state, ${byDay}, category_id, language, duration, media);
CREATE INDEX listing_by_source ON listing (source_url) WHERE source_url <> '';
${mediaIndexes.join('\n')}

CREATE TABLE speaker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE, key TEXT NOT NULL) STRICT;
CREATE INDEX speaker_by_key ON speaker (key, name);
CREATE TABLE record_speaker (
  record_id  INTEGER NOT NULL,
  place      INTEGER NOT NULL,
  speaker_id INTEGER NOT NULL,
  PRIMARY KEY (record_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_speaker_by_speaker ON record_speaker (speaker_id, record_id);
CREATE VIRTUAL TABLE speaker_piece USING fts5 (key, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);

CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE, key TEXT NOT NULL) STRICT;
CREATE INDEX tag_by_key ON tag (key, name);
CREATE TABLE record_tag (
  record_id INTEGER NOT NULL,
  place     INTEGER NOT NULL,
  tag_id    INTEGER NOT NULL,
  PRIMARY KEY (record_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_tag_by_tag ON record_tag (tag_id, record_id);
CREATE VIRTUAL TABLE tag_piece USING fts5 (key, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);

-- Clean tokens of our own (record/search-text.ts), so the tokenizer has nothing to decide.
CREATE VIRTUAL TABLE search USING fts5 (
  title, speakers, tags, category, summary, description,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);
INSERT INTO search (search, rank) VALUES ('rank', 'bm25(10.0, 8.0, 4.0, 3.0, 2.0, 1.0)');

ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${statisticsRows.join(', ')};
`

/**
 * 0003. Each version stores its kind of change in a column before its bytes, so that the change feed never reads those;
 * each batch stores what it undid or renamed. Existing rows are filled in from the versions.
 */
export const history = `
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
