import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, readCounter, toWritten } from './record-client.ts'

const maxReadMs = 500

test('while another process holds the write lock, reads go on and a write answers 503; then writes work again', async () => {
  const server = await startServer()
  const other = new Database(server.db, { strict: true })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const { id } = toWritten(await client.create({ title: 'Locked', whiteboard: '0' }))
    other.run('BEGIN IMMEDIATE')
    const refusal = client.patch(id, { whiteboard: '1' })
    for (let count = 0; count < 20; count++) {
      const asked = performance.now()
      expect(readCounter(await client.read(id))).toBe(0)
      expect(performance.now() - asked).toBeLessThan(maxReadMs)
      await Bun.sleep(20)
    }
    const refused = await refusal
    expect({ status: refused.status, body: refused.body }).toMatchObject({ status: 503 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('content-type')).toStartWith('application/problem+json')
    other.run('ROLLBACK')
    toWritten(await client.patch(id, { whiteboard: '2' }))
    expect(readCounter(await client.read(id))).toBe(2)
  } finally {
    other.close()
    await server.stop()
  }
}, 180_000)
