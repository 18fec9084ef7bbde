/** As schema/0008-categories.ts, in PostgreSQL's SQL. */
export const sql = `
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
