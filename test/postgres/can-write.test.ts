import { expect, test } from 'bun:test'
import { closeWhenDone } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { canWrite, createWriter } from '../../src/store/postgres/writer.ts'
import { useDatabases } from './databases.ts'

const { createAddress } = useDatabases()
const author = { name: 'ann', role: 'admin' } as const

test('a look whether writes succeed leaves the writer able to write, even while another node holds the store', async () => {
  const address = await createAddress()
  await closeWhenDone(openPostgres(address), async (db) => expect(await migratePostgres(db)).toBeNull())
  const [holder, db] = [openPostgres(address), openPostgres(address)]
  try {
    const writer = createWriter({ db, now: Date.now, onError: () => undefined })
    await holder.begin('BEGIN; SELECT 1 FROM store FOR UPDATE')
    expect(await canWrite(db)).toBe(true)
    expect(db.isInTransaction).toBe(false)
    await holder.rollback()
    expect(await canWrite(db)).toBe(true)
    const command = { kind: 'create', author, changes: { title: 'One', category: 'C' } } as const
    expect(await writer.run([command], new Set())).toMatchObject([{ is: 'stored' }])
  } finally {
    await holder.close()
    await db.close()
  }
}, 180_000)
