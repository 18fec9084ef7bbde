import { changesChannel } from '../postgres/notifications.ts'

/**
 * Version 1 of the schema: the tables of sqlite.ts in PostgreSQL's SQL. Their columns are described there. Text is
 * compared byte by byte, so that both engines sort alike.
 */
const text = 'text COLLATE "C"'

/**
 * The transaction that holds the row of `store` assigns ids, as the single writer does on SQLite, so there are no gaps.
 * Ids of deleted names and categories are never used again.
 */
const numbered = (table: string) => `
CREATE FUNCTION next_${table}() RETURNS bigint LANGUAGE sql AS 'SELECT coalesce(max(id), 0) + 1 FROM ${table}';
ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT next_${table}();`

const numberedOnce = (table: string) => `
CREATE FUNCTION next_${table}() RETURNS bigint LANGUAGE sql AS
  'SELECT greatest((SELECT max(id) FROM ${table}), (SELECT max(id) FROM retired_name WHERE kind = ''${table}''), 0) + 1';
ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT next_${table}();`

const main = `
-- The id of the store, and the system and timeline on which it got that id. In another place the store was restored by
-- PostgreSQL's own tools, or a standby was promoted: its id then counts as a different one (postgres/store-id.ts).
CREATE TABLE store (
  schema_number bigint NOT NULL,
  id            text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 16),
  id_place      text NOT NULL
);

CREATE TABLE retired_name (
  kind   ${text} NOT NULL,
  id     bigint NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX retired_name_by_digest ON retired_name (kind, digest);

CREATE TABLE category (
  id          bigint PRIMARY KEY,
  title       ${text} NOT NULL UNIQUE,
  slug        ${text} NOT NULL UNIQUE,
  description text NOT NULL DEFAULT '',
  url         text NOT NULL DEFAULT '',
  start_date  text,
  whiteboard  text NOT NULL DEFAULT '',
  added       text NOT NULL,
  listed      bigint NOT NULL DEFAULT 0,
  merged_into bigint
);
CREATE INDEX category_by_target ON category (merged_into) WHERE merged_into IS NOT NULL;
${numberedOnce('category')}

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
  reason      text,
  undoes      bigint REFERENCES batch (id),
  category_id bigint REFERENCES category (id),
  old_title   text,
  new_title   text,
  names       text,
  state       text NOT NULL DEFAULT 'done',
  total       bigint NOT NULL DEFAULT 0,
  done        bigint NOT NULL DEFAULT 0,
  records     bigint NOT NULL,
  unchanged   bigint NOT NULL DEFAULT 0,
  last_id     bigint NOT NULL DEFAULT 0, -- not used: nothing writes it
  runner      text,
  request_key ${text},
  request     text
);
CREATE INDEX batch_by_undone ON batch (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX batch_running ON batch (id) WHERE state = 'running';
CREATE INDEX batch_by_key ON batch (author, request_key) WHERE request_key IS NOT NULL;
${numbered('batch')}

CREATE TABLE batch_note (
  batch     bigint NOT NULL REFERENCES batch (id),
  record_id bigint NOT NULL,
  kind      ${text} NOT NULL,
  why       ${text} NOT NULL,
  fields    text NOT NULL,
  PRIMARY KEY (batch, kind, record_id, why)
);
CREATE INDEX batch_note_by_record ON batch_note (record_id);

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
CREATE INDEX version_live ON version (record_id, seq) WHERE state = 1 AND kind = 'created';
CREATE INDEX version_by_batch ON version (batch, record_id, number) WHERE batch IS NOT NULL;
CREATE INDEX version_by_author ON version (author, seq, at, record_id);

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
  expires   text,
  replaced  text,
  revoked   text
);
CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL AND replaced IS NULL;
${numbered('token')}

CREATE TABLE session (
  hash       bytea PRIMARY KEY,
  token_hash bytea NOT NULL,
  name       ${text} NOT NULL,
  created    ${text} NOT NULL,
  last_used  ${text} NOT NULL,
  agent      text NOT NULL
);
CREATE INDEX session_by_name ON session (name);

CREATE TABLE idempotency (
  author      ${text} NOT NULL,
  key         ${text} NOT NULL,
  request     bytea NOT NULL,
  record_id   bigint,
  category_id bigint REFERENCES category (id),
  at          ${text} NOT NULL,
  PRIMARY KEY (author, key)
);
CREATE INDEX idempotency_by_time ON idempotency (at);

-- Paths may be longer than an index takes.
CREATE TABLE origin (
  record_id bigint PRIMARY KEY,
  source    ${text} NOT NULL,
  path      ${text} NOT NULL,
  imported  text NOT NULL,
  version   bigint
);
CREATE UNIQUE INDEX origin_once ON origin (md5(source), md5(path));
CREATE INDEX origin_by_path ON origin USING hash (path);

CREATE TABLE origin_alias (
  source    ${text} NOT NULL,
  path      ${text} NOT NULL,
  record_id bigint NOT NULL,
  imported  text,
  version   bigint
);
CREATE UNIQUE INDEX origin_alias_once ON origin_alias (md5(source), md5(path));
CREATE INDEX origin_alias_by_path ON origin_alias USING hash (path);
CREATE INDEX origin_alias_by_record ON origin_alias (record_id);

CREATE TABLE extras (
  record_id bigint PRIMARY KEY,
  body      bytea NOT NULL,
  basis     bytea NOT NULL,
  alias     ${text}
);
CREATE INDEX extras_by_alias ON extras (alias, record_id) WHERE alias IS NOT NULL;

CREATE TABLE category_origin (
  source      ${text} NOT NULL,
  path        ${text} NOT NULL,
  category_id bigint NOT NULL REFERENCES category (id),
  body        bytea NOT NULL,
  basis       bytea NOT NULL,
  PRIMARY KEY (source, path)
);

CREATE TABLE dismissed_variant (
  kind   ${text} NOT NULL,
  ids    ${text} NOT NULL,
  at     text NOT NULL,
  author text NOT NULL,
  PRIMARY KEY (kind, ids)
);
`

const pieces = `
-- The trigrams of a word.
CREATE FUNCTION to_pieces(word text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  'SELECT coalesce(array_agg(DISTINCT substr(word, at, 3)), ARRAY[]::text[]) FROM generate_series(1, length(word) - 2) AS at';
`

/** Speakers and tags, with a trigram index of their names for substring search. */
const names = (table: 'speaker' | 'tag') => `
CREATE TABLE ${table} (
  id          bigint PRIMARY KEY,
  name        ${text} NOT NULL UNIQUE,
  slug        ${text} NOT NULL UNIQUE,
  key         ${text} NOT NULL,
  merged_into bigint
);
CREATE INDEX ${table}_by_key ON ${table} (key);
CREATE INDEX ${table}_by_target ON ${table} (merged_into) WHERE merged_into IS NOT NULL;
${numberedOnce(table)}
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
CREATE INDEX ${table}_piece_by_piece ON ${table}_piece USING gin (pieces);
`

const byDay = 'recorded DESC NULLS LAST, title_key, id'

const listing = `
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
  media       bigint NOT NULL,
  quality     bigint NOT NULL DEFAULT 0,
  host        ${text} NOT NULL DEFAULT '',
  author      ${text} NOT NULL DEFAULT ''
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
`

/** Text beyond this length is not searchable, because an index entry must stay below a megabyte. */
const maxSearched = 240_000
const searched = ['title', 'speakers', 'tags', 'category', 'summary', 'description']
const words = `string_to_array(left(${searched.join(` || ' ' || `)}, ${maxSearched}), ' ')`

const search = `
-- Tokens of our own, separated by spaces (record/text/search-text.ts).
CREATE TABLE search (
  rowid       bigint PRIMARY KEY,
  title       ${text} NOT NULL,
  speakers    ${text} NOT NULL,
  tags        ${text} NOT NULL,
  category    ${text} NOT NULL,
  summary     ${text} NOT NULL,
  description ${text} NOT NULL,
  words       tsvector GENERATED ALWAYS AS (array_to_tsvector(array_remove(${words}, ''))) STORED
);
CREATE INDEX search_by_word ON search USING gin (words);
`

/** Notifies every node of every change, in the order of commits. */
const notifications = `
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
CREATE TRIGGER token_told AFTER INSERT OR DELETE OR UPDATE OF revoked, expires, replaced ON token
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('tokens');
-- When one begins or ends, not when it is used.
CREATE TRIGGER session_told AFTER INSERT OR DELETE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('sessions');
CREATE TRIGGER category_told AFTER INSERT OR UPDATE OR DELETE ON category
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER batch_told AFTER UPDATE ON batch
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER speaker_told AFTER UPDATE ON speaker FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER tag_told AFTER UPDATE ON tag FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
CREATE TRIGGER dismissed_variant_told AFTER INSERT OR DELETE ON dismissed_variant
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('changes');
`

export const postgresSchema = [main, pieces, names('speaker'), names('tag'), listing, search, notifications].join('')
