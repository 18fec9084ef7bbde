/** An erasure is a change in the feed, numbered together with the versions. No store had erasures before. */
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
