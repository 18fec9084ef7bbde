// Loaded into a thread before its own program: hangs when it is told to, in our own code or within SQLite, or throws.

import { Database } from 'bun:sqlite'

declare const self: Worker

/** Far longer than any test takes. */
const endlessSql =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e12) SELECT count(*) FROM n'

self.addEventListener('message', ({ data }: MessageEvent<{ readonly hang?: 'code' | 'sqlite' | 'throw' }>) => {
  if (data.hang === 'code') for (;;);
  if (data.hang === 'sqlite') new Database(':memory:').query(endlessSql).get()
  if (data.hang === 'throw') new Database(':memory:').run('SELECT missing')
})
