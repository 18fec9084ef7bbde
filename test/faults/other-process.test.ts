import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { createToken, startServer } from '../harness/server.ts'
import { type Answer, ask } from './connection.ts'
import { createRecordClient, parseRecord, toWritten } from './record-client.ts'

// As many fresh connections as make sure that every thread serves some, and fewer than the 20 wrong tokens a minute
// after which an address is asked to wait.
const connectionCount = 16

const noticeRecordMs = 200
const noticeTokenMs = 1_000

test('bytes that another process writes into the file are served within 200 ms', async () => {
  const server = await startServer({ args: ['--threads', '2'] })
  const database = new Database(server.db, { strict: true })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const written = toWritten(await client.create({ title: 'Before' }))
    for (let round = 1; round <= 5; round++) {
      // Three times, so that the record is in every thread's cache.
      for (let warm = 0; warm < 3; warm++) await askOnManyConnections(server.port, written.id)
      const body = written.body.replace('"title":"Before"', `"title":"Written from outside ${round}"`)
      const mark = `${round + 1}-${new Bun.CryptoHasher('sha256').update(body).digest('hex').slice(0, 8)}`
      writeFromOutside(database, written.id, body, mark)
      await Bun.sleep(noticeRecordMs)
      const answers = await askOnManyConnections(server.port, written.id)
      expect(answers.filter((answer) => answer.status !== 200 || answer.body !== body)).toEqual([])
      expect(answers.filter((answer) => answer.headers.get('etag') !== `"${mark}.html"`)).toEqual([])
    }
  } finally {
    database.close()
    await server.stop()
  }
}, 180_000)

test('a token made or revoked by another process is known on every thread within a second', async () => {
  const server = await startServer({ args: ['--threads', '2'] })
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const draft = toWritten(await client.create({ title: 'Draft', state: 2 }))
    const key = await createToken(server, 'guest', 'reader')
    for (let warm = 0; warm < 3; warm++) {
      const answers = await askOnManyConnections(server.port, draft.id, key)
      expect(answers.map((answer) => answer.status)).toEqual(Array(connectionCount).fill(200))
    }
    await revoke(server.db, 'guest')
    await Bun.sleep(noticeTokenMs)
    const answers = await askOnManyConnections(server.port, draft.id, key)
    expect(answers.map((answer) => answer.status)).toEqual(Array(connectionCount).fill(401))
    expect(parseRecord((await client.read(draft.id)).body).title).toBe('Draft')
  } finally {
    await server.stop()
  }
}, 180_000)

async function askOnManyConnections(port: number, id: number, key?: string): Promise<readonly Answer[]> {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Token ${key}` }
  return await Promise.all(
    Array.from({ length: connectionCount }, () => ask(port, 'GET', `/api/v2/video/${id}`, headers)),
  )
}

function writeFromOutside(database: Database, id: number, body: string, mark: string): void {
  database.run('PRAGMA busy_timeout = 2000')
  database.transaction(() => {
    const bytes = new TextEncoder().encode(body)
    const sql = 'UPDATE record SET version = version + 1, mark = $mark, body = $bytes WHERE id = $id'
    database.query(sql).run({ bytes, mark, id })
  })()
}

async function revoke(db: string, name: string): Promise<void> {
  const command = [`${import.meta.dir}/../../bin/rostrum`, 'token', 'revoke', '--db', db, '--name', name]
  const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = await new Response(child.stderr).text()
  expect({ exitCode: await child.exited, said }).toMatchObject({ exitCode: 0 })
}
