/** An erasure is a change that followers hear of, with a number among those of the versions. Nothing was erased before. */
export const sql = `
DROP TABLE tombstone;

-- Ids that were erased for good: no content, never used again.
CREATE TABLE tombstone (
  record_id  INTEGER PRIMARY KEY,
  at         TEXT NOT NULL,
  seq        INTEGER NOT NULL UNIQUE,             -- in the same order as those of versions, and never one of theirs
  version    INTEGER NOT NULL,                    -- the number that its next version would have had
  was_public INTEGER NOT NULL                     -- whether everybody may know of it, having seen it before
) STRICT;
`
