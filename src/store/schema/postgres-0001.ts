import { changesChannel } from '../postgres/notifications.ts'

/**
 * 0001. The tables of the SQLite migrations 0001 to 0005 in PostgreSQL's SQL. Text is compared byte by byte, so that
 * both engines sort alike. The transaction that holds the row of `store` assigns ids, as the single writer does on
 * SQLite, so there are no gaps.
 */
const text = 'text COLLATE "C"'
const byDay = 'recorded DESC NULLS LAST, title_key, id'

const toNumbered = (table: string) => `
CREATE FUNCTION next_${table}() RETURNS bigint LANGUAGE sql AS 'SELECT coalesce(max(id), 0) + 1 FROM ${table}';
ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT next_${table}();`

/** Speakers and tags, with a trigram index of their names for substring search. */
const toNames = (table: string) => `
CREATE TABLE ${table} (id bigint PRIMARY KEY, name ${text} NOT NULL UNIQUE, slug ${text} NOT NULL UNIQUE, key ${text} NOT NULL);
${toNumbered(table)}
CREATE INDEX ${table}_by_key ON ${table} (key);
CREATE TABLE record_${table} (
  record_id   bigint NOT NULL,
  place       bigint NOT NULL,
  ${table}_id bigint NOT NULL,
  PRIMARY KEY (record_id, place)
);
CREATE INDEX record_${table}_by_${table} ON record_${table} (${table}_id, record_id);
CREATE TABLE ${table}_piece (
  rowid  bigint PRIMARY KEY,
  key    ${text} NOT NULL,
  pieces text[] GENERATED ALWAYS AS (to_pieces(key)) STORED
);
CREATE INDEX ${table}_piece_by_piece ON ${table}_piece USING gin (pieces);`

/** Text beyond this length is not searchable, because an index entry must stay below a megabyte. */
const maxSearched = 240_000
const toWords = (columns: readonly string[]) =>
  `array_to_tsvector(array_remove(string_to_array(left(${columns.join(` || ' ' || `)}, ${maxSearched}), ' '), ''))`

/** The number of tokens: one more than spaces, and none in empty text. */
const toSize = (columns: readonly string[]) =>
  columns
    .map((each) => `CASE WHEN ${each} = '' THEN 0 ELSE length(${each}) - length(replace(${each}, ' ', '')) + 1 END`)
    .join(' + ')

export const store = `
CREATE TABLE store (
  schema bigint NOT NULL
);

CREATE FUNCTION to_pieces(word text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  'SELECT coalesce(array_agg(DISTINCT substr(word, at, 3)), ARRAY[]::text[]) FROM generate_series(1, length(word) - 2) AS at';

CREATE TABLE category (
  id          bigint PRIMARY KEY,
  title       ${text} NOT NULL UNIQUE,
  slug        ${text} NOT NULL UNIQUE,
  description text NOT NULL DEFAULT '',
  url         text NOT NULL DEFAULT '',
  start_date  text,
  whiteboard  text NOT NULL DEFAULT '',
  added       text NOT NULL
);
${toNumbered('category')}

CREATE TABLE record (
  id      bigint PRIMARY KEY,
  version bigint NOT NULL,
  mark    text NOT NULL,
  state   bigint NOT NULL,
  slug    ${text} NOT NULL UNIQUE,
  updated text NOT NULL,
  body    bytea NOT NULL
);

CREATE TABLE batch (
  id          bigint PRIMARY KEY,
  kind        text NOT NULL,
  at          text NOT NULL,
  author      text NOT NULL,
  records     bigint NOT NULL,
  reason      text,
  undoes      bigint REFERENCES batch (id),
  category_id bigint REFERENCES category (id),
  old_title   text,
  new_title   text
);
${toNumbered('batch')}
CREATE INDEX batch_by_undone ON batch (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE version (
  seq       bigint PRIMARY KEY,
  record_id bigint NOT NULL,
  number    bigint NOT NULL,
  at        text NOT NULL,
  kind      text NOT NULL,
  state     bigint NOT NULL,
  author    text NOT NULL,
  batch     bigint REFERENCES batch (id),
  reason    text,
  changed   text NOT NULL,
  checksum  bytea NOT NULL,
  body      bytea NOT NULL,
  UNIQUE (record_id, number)
);
CREATE INDEX version_public ON version (seq) WHERE state = 1 OR kind = 'withdrawn';
CREATE INDEX version_by_batch ON version (batch, record_id, number) WHERE batch IS NOT NULL;

CREATE TABLE tombstone (
  record_id  bigint PRIMARY KEY,
  at         text NOT NULL,
  seq        bigint NOT NULL UNIQUE,
  version    bigint NOT NULL,
  was_public bigint NOT NULL
);

CREATE TABLE erased_origin (
  digest bytea PRIMARY KEY,
  at     text NOT NULL
);

CREATE TABLE token (
  id        bigint PRIMARY KEY,
  name      ${text} NOT NULL,
  role      text NOT NULL,
  hash      bytea NOT NULL UNIQUE,
  created   text NOT NULL,
  last_used text,
  revoked   text
);
${toNumbered('token')}
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL;

CREATE TABLE idempotency (
  author    ${text} NOT NULL,
  key       ${text} NOT NULL,
  request   bytea NOT NULL,
  record_id bigint NOT NULL,
  at        ${text} NOT NULL,
  PRIMARY KEY (author, key)
);
CREATE INDEX idempotency_by_time ON idempotency (at);

CREATE TABLE origin (
  record_id bigint PRIMARY KEY,
  source    ${text} NOT NULL,
  path      ${text} NOT NULL,
  imported  text NOT NULL
);
-- Paths may be longer than an index takes.
CREATE UNIQUE INDEX origin_once ON origin (md5(source), md5(path));
CREATE INDEX origin_by_path ON origin USING hash (path);

CREATE TABLE extras (
  record_id bigint PRIMARY KEY,
  body      bytea NOT NULL,
  basis     bytea NOT NULL
);

CREATE TABLE category_origin (
  source      ${text} NOT NULL,
  path        ${text} NOT NULL,
  category_id bigint NOT NULL REFERENCES category (id),
  body        bytea NOT NULL,
  basis       bytea NOT NULL,
  PRIMARY KEY (source, path)
);

CREATE TABLE listing (
  id          bigint PRIMARY KEY,
  state       bigint NOT NULL,
  category_id bigint NOT NULL REFERENCES category (id),
  language    ${text} NOT NULL,
  recorded    ${text},
  title_key   ${text} NOT NULL,
  added       ${text} NOT NULL,
  updated     ${text} NOT NULL,
  duration    bigint,
  source_url  ${text} NOT NULL,
  media       bigint NOT NULL
);
CREATE INDEX listing_by_recorded ON listing (${byDay});
CREATE INDEX listing_by_added ON listing (added, id);
CREATE INDEX listing_by_updated ON listing (updated, id);
CREATE INDEX listing_by_title ON listing (title_key, id);
CREATE INDEX listing_by_duration ON listing (duration, id);
CREATE INDEX listing_by_category ON listing (category_id, state, ${byDay});
CREATE INDEX listing_by_language ON listing (language, state, ${byDay});
CREATE INDEX listing_by_state ON listing (state, ${byDay}) INCLUDE (category_id, language, duration, media);
CREATE INDEX listing_by_source ON listing USING hash (source_url) WHERE source_url <> '';
${toNames('speaker')}
${toNames('tag')}

CREATE TABLE search (
  rowid       bigint PRIMARY KEY,
  title       ${text} NOT NULL,
  speakers    ${text} NOT NULL,
  tags        ${text} NOT NULL,
  category    ${text} NOT NULL,
  summary     ${text} NOT NULL,
  description ${text} NOT NULL,
  size        bigint GENERATED ALWAYS AS (${toSize(['title', 'speakers', 'tags', 'category', 'summary', 'description'])}) STORED,
  words       tsvector GENERATED ALWAYS AS (${toWords(['title', 'speakers', 'tags', 'category', 'summary', 'description'])}) STORED,
  names       tsvector GENERATED ALWAYS AS (${toWords(['title', 'speakers'])}) STORED
);
CREATE INDEX search_by_word ON search USING gin (words);
CREATE INDEX search_by_name ON search USING gin (names);

-- Every node hears what was changed, in the order of commits, whoever changed it.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('${changesChannel}', NEW.record_id || ' ' || NEW.seq);
  RETURN NULL;
END $$;
CREATE TRIGGER version_told AFTER INSERT ON version FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE TRIGGER tombstone_told AFTER INSERT ON tombstone FOR EACH ROW EXECUTE FUNCTION tell_change();

CREATE FUNCTION tell_other() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('${changesChannel}', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER token_told AFTER INSERT OR DELETE OR UPDATE OF revoked ON token
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('tokens');
CREATE TRIGGER category_told AFTER INSERT OR UPDATE OR DELETE ON category
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER batch_told AFTER UPDATE ON batch
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
`
