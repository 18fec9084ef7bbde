import { expect, test } from 'bun:test'
import { startServer } from '../harness/server.ts'
import { ask, connect } from './connection.ts'
import { createRecordClient, parseRecord, toWritten } from './record-client.ts'

const rounds = 100

test('of two writes at once with the same If-Match exactly one succeeds', async () => {
  const server = await startServer({ args: ['--threads', '2'] })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    let current = toWritten(await client.create({ title: 'Contended' }))
    for (let round = 1; round <= rounds; round++) {
      const { won, lost } = await race(server.port, server.adminKey, current.id, current.etag, round)
      expect([won.status, lost.status]).toEqual([200, 412])
      expect((await client.read(current.id)).body).toBe(won.body)
      expect(toWritten(won).etag).not.toBe(current.etag)
      current = toWritten(won)
    }
    expect(parseRecord(current.body).title).toBe('Contended')
  } finally {
    await server.stop()
  }
}, 180_000)

/** Two PUTs on two connections of their own, both open beforehand so that the requests leave in the same moment. */
async function race(port: number, key: string, id: number, etag: string, round: number) {
  const connections = await Promise.all([connect(port), connect(port)])
  const answers = await Promise.all(
    connections.map((connection, side) => {
      const fields = { title: 'Contended', summary: `round ${round}, side ${side}` }
      return createRecordClient(connection.send, key).put(id, fields, { 'If-Match': etag })
    }),
  )
  for (const connection of connections) connection.close()
  const [won, lost] = answers.sort((a, b) => a.status - b.status)
  if (won === undefined || lost === undefined) throw new Error('two requests have two answers')
  return { won, lost }
}
