/** Which store it is: followers of the changes compare it, since an older copy counts its changes anew. */
export const sql = `
CREATE TABLE store (
  id TEXT NOT NULL                                -- random; another one when a backup is put in its place
) STRICT;
INSERT INTO store (id) VALUES (lower(hex(randomblob(8))));
`
