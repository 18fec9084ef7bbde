import type { Database } from '../database.ts'

export async function readStoreId(db: Database): Promise<string> {
  const row = await db.query<{ id: string }, []>('SELECT id FROM store').get()
  if (row === null) throw new Error('the store has no id')
  return row.id
}

/** Ends all sessions (decision 68). The process that serves the file notices within 200 ms. */
export async function writeStoreId(db: Database, id: string): Promise<void> {
  await db.transaction('write', async () => {
    await db.script('DELETE FROM session; DELETE FROM store')
    db.query<null, [string]>('INSERT INTO store (id) VALUES (?)').send(id)
  })
}
