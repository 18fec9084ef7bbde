import { expect, test } from 'bun:test'
import { isLong } from '../harness/runs.ts'
import { startServer } from '../harness/server.ts'
import { ask, type Connection, connect } from './connection.ts'
import { createRecordClient, readCounter, toWritten } from './record-client.ts'

const clientCount = 16
const recordCount = 3
const durationMs = isLong ? 5_000 : 2_000
const requestsPerConnection = 40

/** A record that everybody reads and writes, one writer at a time, so that its counter only grows. */
type Hot = { readonly id: number; acknowledged: number; isBeingWritten: boolean }

type Tally = { reads: number; writes: number; readonly stale: string[] }

test('no read is older than a write acknowledged before it was asked, on any connection', async () => {
  const server = await startServer({ args: ['--threads', '2'] })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const records: Hot[] = []
    for (let number = 0; number < recordCount; number++) {
      const { id } = toWritten(await client.create({ title: `Hot ${number}`, whiteboard: '0' }))
      records.push({ id, acknowledged: 0, isBeingWritten: false })
    }
    const tally: Tally = { reads: 0, writes: 0, stale: [] }
    const until = performance.now() + durationMs
    await Promise.all(
      Array.from({ length: clientCount }, () => work(server.port, server.adminKey, records, tally, until)),
    )
    expect(tally.stale).toEqual([])
    expect(tally.reads).toBeGreaterThan(durationMs / 50)
    expect(tally.writes).toBeGreaterThan(durationMs / 500)
  } finally {
    await server.stop()
  }
}, 180_000)

/** Reads and writes at random, with a new connection now and then, so that every thread serves every client. */
async function work(port: number, key: string, records: readonly Hot[], tally: Tally, until: number): Promise<void> {
  let connection: Connection | undefined
  for (let count = 0; performance.now() < until; count++) {
    if (connection === undefined || count % requestsPerConnection === 0) {
      connection?.close()
      connection = await connect(port)
    }
    const record = records[Math.floor(Math.random() * records.length)]
    if (record === undefined) throw new Error('there are no records')
    if (!record.isBeingWritten && Math.random() < 0.2) await write(connection, key, record, tally)
    else await read(connection, record, tally)
  }
  connection?.close()
}

async function write(connection: Connection, key: string, record: Hot, tally: Tally): Promise<void> {
  record.isBeingWritten = true
  const number = record.acknowledged + 1
  toWritten(await createRecordClient(connection.send, key).patch(record.id, { whiteboard: String(number) }))
  record.acknowledged = number
  record.isBeingWritten = false
  tally.writes++
}

async function read(connection: Connection, record: Hot, tally: Tally): Promise<void> {
  const known = record.acknowledged
  const seen = readCounter(await connection.send('GET', `/api/v2/video/${record.id}`))
  if (seen < known) tally.stale.push(`record ${record.id}: ${seen} after ${known} was acknowledged`)
  tally.reads++
}
