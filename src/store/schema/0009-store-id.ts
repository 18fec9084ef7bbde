/** Identifies the store. Followers of the change feed compare it, because a restored copy reuses sequence numbers. */
export const sql = `
CREATE TABLE store (
  id TEXT NOT NULL                                -- random; another one when a backup is put in its place
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(8))));
`
