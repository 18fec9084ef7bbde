const text = 'text COLLATE "C"'

/** 0009. Sessions of curators: SQLite migration 0014. Nodes are told when one begins or ends, not when it is used. */
export const sessions = `
CREATE TABLE session (
  hash       bytea PRIMARY KEY,
  token_hash bytea NOT NULL,
  name       ${text} NOT NULL,
  created    ${text} NOT NULL,
  last_used  ${text} NOT NULL,
  agent      text NOT NULL
);
CREATE INDEX session_by_name ON session (name);
CREATE TRIGGER session_told AFTER INSERT OR DELETE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION tell_other('sessions');
`
