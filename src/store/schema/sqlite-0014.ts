/** 0014. Sessions of curators (ADR 57). */
export const sessions = `
CREATE TABLE session (
  hash       BLOB PRIMARY KEY,                    -- SHA-256 of the cookie; the cookie itself is nowhere
  token_hash BLOB NOT NULL,                       -- of the key that opened it
  name       TEXT NOT NULL,                       -- of that key
  created    TEXT NOT NULL,
  last_used  TEXT NOT NULL,
  agent      TEXT NOT NULL                        -- User-Agent of the browser
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_name ON session (name);
`
