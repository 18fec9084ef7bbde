import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { runRostrum } from '../cli/store-command.ts'
import { startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { checkFile } from './file-check.ts'
import { createRecordClient, toWritten, type Written } from './record-client.ts'
import { withFolder } from './scratch.ts'
import { adminKey, startOnSmallDisk } from './small-disk.ts'

test('a backup of a busy store has every write that was acknowledged before it, and no request fails', () =>
  withFolder(async (folder) => {
    const server = await startServer({ db: `${folder}/records.db` })
    try {
      const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
      const before: Written[] = []
      for (let number = 0; number < 50; number++) before.push(toWritten(await client.create({ title: `T ${number}` })))
      const backup = runRostrum('backup', `${folder}/copy.db`, '--db', server.db)
      let isRunning = true
      void backup.then(() => {
        isRunning = false
      })
      let written = 0
      for (; isRunning && written < 5_000; written++) {
        toWritten(await client.patch((written % 50) + 1, { whiteboard: `${written}` }))
        expect((await client.read((written % 50) + 1)).status).toBe(200)
      }
      const { exitCode, stderr } = await backup
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
      expect(written).toBeGreaterThan(0)
      checkFile(`${folder}/copy.db`, before)
    } finally {
      await server.stop()
    }
  }))

test('on a full disk a backup is refused with advice, and nothing of it is left', () =>
  withFolder(async (folder) => {
    const first = [
      'printf %s \'{"title":"a","category":"b"}\' >"$folder/a.ndjson"; "$launcher" import "$folder/a.ndjson" --db "$disk/records.db" >/dev/null 2>&1',
      'dd if=/dev/zero of="$disk/ballast" bs=4k 2>/dev/null',
      '"$launcher" backup "$disk/copy.db" --db "$disk/records.db" 2>"$folder/said"; echo $? >"$folder/code"',
      'ls "$disk" >"$folder/left"; rm "$disk/ballast"',
      '"$launcher" backup "$disk/copy.db" --db "$disk/records.db" 2>/dev/null; echo $? >>"$folder/code"',
    ].join('; ')
    const { server } = await startOnSmallDisk(folder, first)
    try {
      expect(readFileSync(`${folder}/code`, 'utf8')).toBe('73\n0\n')
      expect(readFileSync(`${folder}/said`, 'utf8')).toMatch(/records\.db: .*full/)
      expect(readFileSync(`${folder}/left`, 'utf8')).not.toContain('copy')
      const client = createRecordClient((...request) => ask(server.port, ...request), adminKey)
      toWritten(await client.create({ title: 'Room at last' }))
      expect(readdirSync(folder)).not.toContain('copy.db')
    } finally {
      await server.stop()
    }
  }))
