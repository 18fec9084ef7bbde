import type { Database } from '../database.ts'

export async function readStoreId(db: Database): Promise<string> {
  const row = await db.query<{ id: string }, []>('SELECT id FROM store').get()
  if (row === null) throw new Error('the store has no id')
  return row.id
}

/** Ends all sessions (decision 68). The process that serves the file notices within 200 ms. */
export async function writeStoreId(db: Database, id: string): Promise<void> {
  await db.transaction('write', async () => {
    // `restore` does not upgrade older schemas.
    const hasSessions = (await db.query(`SELECT 1 FROM sqlite_schema WHERE name = 'session'`).get()) !== null
    if (hasSessions) await db.script('DELETE FROM session')
    await db.script('DELETE FROM store')
    db.query<null, [string]>('INSERT INTO store (id) VALUES (?)').send(id)
  })
}
