import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { ask, type Connection, connect } from './connection.ts'
import { checkFile } from './file-check.ts'
import { createRecordClient, parseRecord, toWritten, type Written } from './record-client.ts'
import { withFolder } from './scratch.ts'

const recordCount = 500
const clientCount = 4
const rounds = 5

test('a category renamed amid reads and writes takes all its records along, each once', async () => {
  await withFolder(async (folder) => {
    const server = await startServer({ db: `${folder}/records.db` })
    try {
      const made = await createRecords(server)
      const written = await renameAmidTraffic(server, made)
      await server.stop()
      checkFile(server.db, [...made, ...written])
      checkBatch(server.db, made)
    } finally {
      await server.kill9()
    }
  })
}, 180_000)

test('a rename that kill -9 cuts short has happened to all records or to none, five times on one file', async () => {
  await withFolder(async (folder) => {
    const db = `${folder}/records.db`
    const first = await startServer({ db })
    const made = await createRecords(first)
    await first.kill9()
    const acknowledged: string[] = []
    for (let round = 0; round < rounds; round++) await cutRound(db, round, acknowledged)
    checkFile(db, made)
    expect(acknowledged.length).toBeGreaterThan(0)
  })
}, 180_000)

async function createRecords(server: Server): Promise<readonly Written[]> {
  const made: Written[] = []
  const fill = async () => {
    const connection = await connect(server.port)
    const client = createRecordClient(connection.send, server.adminKey)
    for (let number = 0; number < recordCount / clientCount; number++) {
      const state = number % 5 === 0 ? 2 : 1
      made.push(toWritten(await client.create({ title: `Renamed ${number}`, state, whiteboard: '0' })))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: clientCount }, fill))
  return made
}

async function renameAmidTraffic(server: Server, made: readonly Written[]): Promise<readonly Written[]> {
  const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
  const traffic: Traffic = { isOver: false, answers: [], reads: 0, odd: [] }
  const clients = Array.from({ length: clientCount }, () => work(server, made, traffic))
  await until('clients read and write', () => traffic.reads > 25 && traffic.answers.length > 25)
  const answer = await rename(server, 'After')
  const seen = await Promise.all(made.map(({ id }) => client.read(id)))
  await until('they go on', () => traffic.reads > 50 && traffic.answers.length > 50)
  traffic.isOver = true
  await Promise.all(clients)
  const { title, slug } = parseRecord(answer.body)
  expect([answer.status, title, slug]).toEqual([200, 'After', 'faults'])
  // Once the rename was answered, nobody reads the old name.
  expect(new Set(seen.map(({ body }) => parseRecord(body).category))).toEqual(new Set(['After']))
  expect(traffic.odd).toEqual([])
  expect([traffic.reads > 50, traffic.answers.length > 50]).toEqual([true, true])
  return traffic.answers
}

function rename(server: Server, title: string, connection?: Connection) {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const send = connection?.send ?? ((...request) => ask(server.port, ...request))
  return send('PATCH', '/api/v2/category/faults', headers, JSON.stringify({ title }))
}

type Traffic = { isOver: boolean; readonly answers: Written[]; reads: number; readonly odd: string[] }

/** Reads and changes the records at random. */
async function work(server: Server, made: readonly Written[], traffic: Traffic): Promise<void> {
  const connection = await connect(server.port)
  const client = createRecordClient(connection.send, server.adminKey)
  for (let count = 0; !traffic.isOver && count < 20_000; count++) {
    const { id } = made[Math.floor(Math.random() * made.length)] ?? { id: 1 }
    const isWrite = Math.random() < 0.5
    const answer = await (isWrite ? client.patch(id, { whiteboard: `${count}` }) : client.read(id))
    if (answer.status !== 200) traffic.odd.push(`${answer.status} ${answer.body}`)
    else if (isWrite) traffic.answers.push(toWritten(answer))
    else traffic.reads++
  }
  connection.close()
}

type BatchRow = { readonly id: number; readonly kind: string; readonly author: string; readonly records: number }
type VersionRow = { readonly record_id: number; readonly changed: string; readonly body: Uint8Array }

/** One batch, in which each record has one version that changes its category and nothing else. */
function checkBatch(path: string, made: readonly Written[]): void {
  const database = new Database(path, { readonly: true, strict: true })
  const batches = database.query<BatchRow, []>('SELECT id, kind, author, records FROM batch').all()
  expect(batches.map(({ records }) => records)).toEqual([recordCount])
  const versions = database
    .query<VersionRow, [number]>('SELECT record_id, changed, body FROM version WHERE batch = ?')
    .all(batches[0]?.id ?? 0)
  const ids = versions.map((version) => version.record_id)
  expect(ids.sort((one, other) => one - other)).toEqual(made.map(({ id }) => id).sort((one, other) => one - other))
  expect(new Set(versions.map(({ changed }) => changed))).toEqual(new Set(['["category"]']))
  const categories = versions.map(({ body }) => parseRecord(Buffer.from(body).toString()).category)
  expect(new Set(categories)).toEqual(new Set(['After']))
  database.close()
}

/** Renames again and again until the server is killed; then every record has the name of the last rename that happened. */
/** However slow the machine, the last round lets at least one rename come to its end. */
async function waitBeforeKill(round: number, acknowledged: readonly string[]): Promise<void> {
  await Bun.sleep(60 + round * 35)
  if (round < rounds - 1) return
  for (let waited = 0; acknowledged.length === 0 && waited < 400; waited++) await Bun.sleep(50)
}

async function cutRound(db: string, round: number, acknowledged: string[]): Promise<void> {
  const server = await startServer({ db })
  const connection = await connect(server.port)
  const kill = waitBeforeKill(round, acknowledged).then(() => server.kill9())
  let asked = ''
  try {
    for (let number = 0; number < 1_000; number++) {
      asked = `Round ${round}, rename ${number}`
      const answer = await rename(server, asked, connection)
      expect(answer.status).toBe(200)
      acknowledged.push(asked)
    }
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('before the whole answer'))) throw error
  }
  await kill
  const before = acknowledged.at(-1) ?? 'Faults'
  const [category, ...others] = readCategories(db)
  expect(others).toEqual([])
  expect([before, asked]).toContain(category ?? '')
  if (category === asked && before !== asked) acknowledged.push(asked)
}

/** The different names in the records, in the category's own row, and in the lists. */
function readCategories(path: string): readonly string[] {
  const database = new Database(path, { strict: true })
  const bodies = database.query<{ body: Uint8Array }, []>('SELECT body FROM record').all()
  const row = database.query<{ title: string }, []>("SELECT title FROM category WHERE slug = 'faults'").get()
  const torn = database
    .query<{ torn: number }, []>(
      'SELECT count(*) AS torn FROM batch WHERE records <> (SELECT count(*) FROM version WHERE version.batch = batch.id)',
    )
    .get()
  database.close()
  expect([bodies.length, torn?.torn]).toEqual([recordCount, 0])
  const names = bodies.map(({ body }) => String(parseRecord(Buffer.from(body).toString()).category))
  return [...new Set([...names, row?.title ?? 'no row'])]
}
