import { expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { canWrite } from '../../src/store/postgres/write-probe.ts'
import { createWriter } from '../../src/store/postgres/writer.ts'
import { useCluster, withRows } from './databases.ts'

const { createAddress } = useCluster()
const author = { name: 'ann', role: 'admin' } as const

test('a look whether writes succeed leaves the writer able to write, even while another node holds the store', async () => {
  const address = await createAddress()
  withRows(address, (db) => expect(migratePostgres(db)).toBeNull())
  const [holder, db] = [openPostgres(address), openPostgres(address)]
  try {
    const writer = createWriter({ db, now: Date.now, onError: () => undefined })
    holder.run('BEGIN IMMEDIATE')
    expect(canWrite(db)).toBe(true)
    expect(db.inTransaction).toBe(false)
    holder.run('ROLLBACK')
    expect(canWrite(db)).toBe(true)
    const command = { kind: 'create', author, changes: { title: 'One', category: 'C' } } as const
    expect(writer.run([command], new Set())).toMatchObject([{ is: 'stored' }])
  } finally {
    holder.close()
    db.close()
  }
}, 60_000)
