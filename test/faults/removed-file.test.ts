import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { startServer } from '../harness/server.ts'
import { readReadiness } from './readiness.ts'
import { withFolder } from './scratch.ts'

test('while every write is 503 because the file is gone, no thread says that it is ready', async () => {
  await withFolder(async (folder) => {
    const server = await startServer({ db: `${folder}/records.db`, args: ['--threads', '2'] })
    try {
      for (const end of ['', '-wal', '-shm']) rmSync(`${folder}/records.db${end}`, { force: true })
      const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ category: 'Gone', title: 'Gone' })
      const write = () => fetch(`${server.url}/api/v2/video`, { method: 'POST', headers, body })
      const deadline = performance.now() + 5_000
      while ((await write()).status !== 503 && performance.now() < deadline) await Bun.sleep(20)
      expect((await write()).status).toBe(503)
      expect(await readReadiness(server.port, 40, 80)).toEqual([503])
    } finally {
      await server.kill9()
    }
  })
}, 180_000)
