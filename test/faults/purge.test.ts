import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import { runRostrum } from '../cli/store-command.ts'
import { startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'
import { withFolder } from './scratch.ts'

const secret = 'Zxqvsecret'
const noticeMs = 200
const connectionCount = 16

test('a served record is gone on every thread within 200 ms, and from the files, while others go on', () =>
  withFolder(async (folder) => {
    const server = await startServer({ db: `${folder}/records.db` })
    try {
      const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
      for (let number = 1; number <= 20; number++) toWritten(await client.create({ title: `${secret} ${number}` }))
      const read = (id: number) => Promise.all(Array.from({ length: connectionCount }, () => client.read(id)))
      // Three times, so that the record is in every thread's cache.
      for (let warm = 0; warm < 3; warm++) await read(7)
      for (let number = 1; number <= 20; number++)
        if (number !== 7) toWritten(await client.patch(number, { title: 'x' }))
      const purge = runRostrum('purge', '7', '--yes', '--db', server.db)
      let isRunning = true
      void purge.finally(() => {
        isRunning = false
      })
      for (let write = 0; isRunning && write < 5_000; write++)
        toWritten(await client.patch(1, { whiteboard: `${write}` }))
      expect(await purge).toMatchObject({ exitCode: 0 })
      await Bun.sleep(noticeMs)
      const answers = await read(7)
      expect(answers.map(({ status }) => status)).toEqual(Array(connectionCount).fill(410))
      expect(findFiles(folder, `${secret} 7`)).toEqual([])
      expect(await runRostrum('doctor', '--db', server.db)).toMatchObject({ exitCode: 0, stdout: '' })
    } finally {
      await server.stop()
    }
  }))

test('while a reader keeps the log open, purge says so; the same command wipes the log afterwards', () =>
  withFolder(async (folder) => {
    const server = await startServer({ db: `${folder}/records.db` })
    const reader = openForReading(server.db)
    try {
      const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
      toWritten(await client.create({ title: secret }))
      reader.run('BEGIN')
      reader.query('SELECT count(*) FROM record').get()
      const held = await runRostrum('purge', '1', '--yes', '--db', server.db)
      expect(held.exitCode).toBe(69)
      expect(held.stderr).toMatch(/Erased record 1, but.*rostrum purge 1/)
      expect((await client.read(1)).status).toBe(410)
      reader.run('ROLLBACK')
      expect(await runRostrum('purge', '1', '--db', server.db)).toMatchObject({ exitCode: 0 })
      expect(findFiles(folder, secret)).toEqual([])
    } finally {
      reader.close()
      await server.stop()
    }
  }))

function findFiles(folder: string, text: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(`${folder}/${name}`).includes(text))
}
