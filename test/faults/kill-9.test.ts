import { expect, test } from 'bun:test'
import { runs } from '../harness/runs.ts'
import { startServer } from '../harness/server.ts'
import { ask, connect } from './connection.ts'
import { checkFile } from './file-check.ts'
import { createRecordClient, readCounter, toWritten, type Written } from './record-client.ts'
import { withFolder } from './scratch.ts'

const rounds = runs(15)
const writerCount = 8

/** What one writer knows for certain, and what it merely asked for. */
type Writer = {
  readonly id: number
  sent: number
  acknowledged: number
  readonly answers: Written[]
  readonly unchecked: Written[]
  readonly surprises: string[]
}

test(`every acknowledged write survives kill -9, ${rounds} times on one file`, async () => {
  await withFolder(async (folder) => {
    const db = `${folder}/records.db`
    const writers = await createWriters(db)
    for (let round = 0; round < rounds; round++) await storm(db, writers)
    await checkWriters(db, writers)
    checkFile(
      db,
      writers.flatMap((writer) => writer.answers),
    )
  })
}, 180_000)

async function createWriters(db: string): Promise<readonly Writer[]> {
  const server = await startServer({ db })
  const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
  const writers: Writer[] = []
  for (let number = 0; number < writerCount; number++) {
    const written = toWritten(await client.create({ title: `Storm ${number}`, whiteboard: '0' }))
    writers.push({ id: written.id, sent: 0, acknowledged: 0, answers: [written], unchecked: [], surprises: [] })
  }
  await server.kill9()
  return writers
}

/** Starts the server, checks what earlier rounds were promised, and kills it in the middle of the writing. */
async function storm(db: string, writers: readonly Writer[]): Promise<void> {
  const server = await startServer({ db })
  await checkPromises(server.port, server.adminKey, writers)
  const countAnswers = () => writers.reduce((sum, writer) => sum + writer.answers.length, 0)
  const before = countAnswers()
  const writing = writers.map((writer) => writeUntilCut(server.port, server.adminKey, writer))
  // On a busy machine the first answer may take longer than the storm that follows it.
  for (let tries = 0; countAnswers() === before && tries < 2_000; tries++) await Bun.sleep(10)
  await Bun.sleep(Math.random() * 450)
  await server.kill9()
  await Promise.all(writing)
  expect(writers.flatMap((writer) => writer.surprises)).toEqual([])
  expect(countAnswers()).toBeGreaterThan(before)
}

async function checkWriters(db: string, writers: readonly Writer[]): Promise<void> {
  const server = await startServer({ db })
  await checkPromises(server.port, server.adminKey, writers)
  await server.kill9()
}

async function checkPromises(port: number, key: string, writers: readonly Writer[]): Promise<void> {
  const connection = await connect(port)
  const client = createRecordClient(connection.send, key)
  for (const writer of writers) {
    const counter = readCounter(await client.read(writer.id))
    expect(counter).toBeGreaterThanOrEqual(writer.acknowledged)
    expect(counter).toBeLessThanOrEqual(writer.sent)
    for (const created of writer.unchecked.splice(0)) {
      const { status, body } = await client.read(created.id)
      expect({ status, body }).toEqual({ status: 200, body: created.body })
    }
  }
  connection.close()
}

/** Writes as fast as the answers come, four changes to a new record, until the connection is cut. */
async function writeUntilCut(port: number, key: string, writer: Writer): Promise<void> {
  const connection = await connect(port)
  const client = createRecordClient(connection.send, key)
  try {
    for (let count = 1; count < 100_000; count++) {
      const isNew = count % 5 === 0
      const number = isNew ? writer.sent : ++writer.sent
      const answer = await (isNew
        ? client.create({ title: `Created ${writer.id} ${writer.answers.length}` })
        : client.patch(writer.id, { whiteboard: String(number), summary: 'x'.repeat(number % 2000) }))
      if (answer.status > 201) writer.surprises.push(`${answer.status} ${answer.body}`)
      else noteAnswer(writer, toWritten(answer), isNew, number)
    }
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('before the whole answer'))) throw error
  }
}

function noteAnswer(writer: Writer, written: Written, isNew: boolean, number: number): void {
  writer.answers.push(written)
  if (isNew) writer.unchecked.push(written)
  else writer.acknowledged = number
}
