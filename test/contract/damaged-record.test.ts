import { expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/connection.ts'
import { openBeside } from '../../src/store/sqlite/connection.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts'
import { clusterUrl, createFreshStore } from '../harness/fresh-store.ts'
import { program } from '../harness/program.ts'
import { type Server, startServer } from '../harness/server.ts'

// Runner: long PostgreSQL

const send = (server: Server, method: string, path: string, body?: object) =>
  fetch(`${server.url}/api/v2/video${path}`, {
    method,
    headers: { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** Changes a letter of stored bytes, as a rotten bit would: behind the program's back. */
async function rot(path: string, table: string, condition: string): Promise<void> {
  const db = clusterUrl === null ? createSqliteDatabase(openBeside(path)) : openPostgres(path)
  const text = clusterUrl === null ? 'CAST(body AS TEXT)' : `convert_from(body, 'UTF8')`
  const spoilt = `replace(${text}, 'Whole', 'Whola')`
  const bytes = clusterUrl === null ? `CAST(${spoilt} AS BLOB)` : `convert_to(${spoilt}, 'UTF8')`
  await db.script(`UPDATE ${table} SET body = ${bytes} WHERE ${condition}`)
  await db.close()
}

async function serveFor(db: string, use: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer({ db })
  await use(server).finally(() => server.stop())
}

test('a record whose stored bytes were changed is not served, and doctor --rebuild restores it', async () => {
  const store = await createFreshStore()
  try {
    await serveFor(store.db, async (server) => {
      for (const title of ['Whole', 'Other']) {
        expect((await send(server, 'POST', '', { title, category: 'Damage', state: 1 })).status).toBe(201)
      }
      expect((await send(server, 'PATCH', '/2', { title: 'Whole too' })).status).toBe(200)
      expect((await send(server, 'PATCH', '/2', { title: 'Another' })).status).toBe(200)
    })
    await rot(store.db, 'record', 'id = 1')
    await rot(store.db, 'version', 'record_id = 2 AND number = 2')
    await serveFor(store.db, async (server) => {
      const read = await send(server, 'GET', '/1')
      expect(read.status).toBe(500)
      expect(await read.text()).not.toContain('Whola')
      // Also without a token, which goes another way.
      expect((await fetch(`${server.url}/api/v2/video/1`)).status).toBe(500)
      expect((await send(server, 'PATCH', '/1', { summary: 'x' })).status).toBe(500)
      const statuses = await Promise.all(
        ['/2', '/2/history/2'].map(async (path) => (await send(server, 'GET', path)).status),
      )
      expect(statuses).toEqual([200, 500])
      expect((await send(server, 'POST', '/2/history/2/restore')).status).toBe(500)
      expect(server.stdout() + server.stderr()).toContain('record 1 does not match its checksum')
    })
    const { stdout } = Bun.spawnSync([program, 'doctor', '--rebuild', '--db', store.db])
    expect(stdout.toString()).toContain('record 2: version 2 does not match its checksum')
    expect(stdout.toString()).not.toContain('record 1')
    await serveFor(store.db, async (server) => {
      const read = await send(server, 'GET', '/1')
      expect([read.status, await read.json()]).toMatchObject([200, { title: 'Whole' }])
    })
  } finally {
    await store.remove()
  }
})
