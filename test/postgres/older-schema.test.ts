import { expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { postgresMigrations } from '../../src/store/schema/migrations.ts'
import { runRostrum } from '../archive/command.ts'
import { startServer } from '../harness/server.ts'
import { useCluster } from './databases.ts'

const { createAddress } = useCluster()
const at = '2024-05-01T00:00:00.000'

/** A database as the first Rostrum that knew PostgreSQL made it, with one category. */
async function createOldDatabase(address: string): Promise<void> {
  const db = openPostgres(address)
  await db.script(`BEGIN; ${postgresMigrations[0]}; COMMIT`)
  await db.script('INSERT INTO store (schema) VALUES (1)')
  await db.script(
    `INSERT INTO category (id, title, slug, added, description) VALUES (1, 'Höhe "2"', 'hohe-2', '${at}', 'a\\b<c>')`,
  )
  await db.close()
}

test('a database of the first schema is brought up to date: its categories get a version, and it gets an id', async () => {
  const address = await createAddress()
  await createOldDatabase(address)
  const server = await startServer({ db: address })
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const category = `${server.url}/api/v2/category/hohe-2`
  const first = await fetch(`${category}/history/1`, { headers })
  expect(await first.json()).toMatchObject({
    ...{ version: 1, at, by: 'upgrade', reason: null },
    category: { title: 'Höhe "2"', slug: 'hohe-2', description: 'a\\b<c>', url: '', start_date: null, whiteboard: '' },
  })
  const etag = (await fetch(category, { headers })).headers.get('ETag') ?? ''
  const init = { method: 'PATCH', headers: { ...headers, 'If-Match': etag }, body: JSON.stringify({ url: '' }) }
  expect((await fetch(category, init)).status).toBe(200)
  const changes = await fetch(`${server.url}/api/v2/changes`)
  expect(await changes.json()).toMatchObject({ changes: [], next: 0, store: expect.stringMatching(/^[0-9a-f]{16}$/) })
  await server.stop()
  expect(await runRostrum('doctor', '--db', address)).toMatchObject({ exitCode: 0, stdout: '' })
}, 60_000)
