import type { Database } from '../database.ts'

export function readStoreId(db: Database): string {
  const row = db.query<{ id: string }, []>('SELECT id FROM store').get()
  if (row === null) throw new Error('the store has no id')
  return row.id
}

/** The process that serves the file notices within 200 ms. */
export function writeStoreId(db: Database, id: string): void {
  const write = db.transaction(() => {
    db.run('DELETE FROM store')
    db.query<null, [string]>('INSERT INTO store (id) VALUES (?)').run(id)
  })
  write.immediate()
}
