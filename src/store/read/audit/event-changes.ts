import type { PublicChange } from '../../change-log.ts'
import type { Database } from '../../database.ts'
import type { SlowReads } from '../../store.ts'

/**
 * A change that everybody may know of, of a record that is live now. What changed the whiteboard alone shows no viewer
 * anything new. The newest changes are among the records that changed last, so only their versions are read.
 * SQLite plans anew at every run if it sees a limit.
 */
const sql = `
  SELECT version.record_id AS id, version.number AS version, version.at, version.kind FROM (
    SELECT id FROM listing WHERE category_id = ? AND state = 1 ORDER BY updated DESC, id DESC LIMIT ? + 0
  ) AS latest CROSS JOIN version
  WHERE version.record_id = latest.id AND version.state = 1 AND version.changed <> '["whiteboard"]'
  ORDER BY version.seq DESC LIMIT ? + 0`

/** The last changes of the live records of an event (decision 61). */
export function createEventChanges(db: Database): Pick<SlowReads, 'listEventChanges'> {
  const findCategory = db.query<{ id: number }, [string]>('SELECT id FROM category WHERE slug = ?')
  const list = db.query<PublicChange, [number, number, number]>(sql)
  return {
    listEventChanges: ({ category, limit }) =>
      db.transaction('read', async () => {
        const id = (await findCategory.get(category))?.id
        return id === undefined ? [] : await list.all(id, limit, limit)
      }),
  }
}
