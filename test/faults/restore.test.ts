import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { runRostrum } from '../cli/store-command.ts'
import { startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, parseRecord, toWritten } from './record-client.ts'
import { withFolder } from './scratch.ts'
import { startOnSmallDisk } from './small-disk.ts'

test('a store that is being served is never replaced; once it is stopped, the backup is served with its tags', () =>
  withFolder(async (folder) => {
    const db = `${folder}/records.db`
    const file = `${folder}/backup.db`
    const first = await startServer({ db })
    const client = createRecordClient((...request) => ask(first.port, ...request), first.adminKey)
    const written = toWritten(await client.create({ title: 'Then' }))
    expect(await runRostrum('backup', file, '--db', db)).toMatchObject({ exitCode: 0 })
    const later = toWritten(await client.patch(written.id, { title: 'Now' }))
    const refused = await runRostrum('restore', file, '--replace', '--db', db)
    expect(refused.exitCode).toBe(69)
    expect(refused.stderr).toMatch(/being served.*Stop/)
    expect(parseRecord((await client.read(written.id)).body).title).toBe('Now')
    await first.kill9()
    expect(await runRostrum('restore', file, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
    const second = await startServer({ db })
    try {
      const again = createRecordClient((...request) => ask(second.port, ...request), second.adminKey)
      const answer = await again.read(written.id)
      expect(answer.body).toBe(written.body)
      expect(answer.headers.get('etag')).not.toBe(later.etag)
    } finally {
      await second.stop()
    }
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([])
  }))

test('on a full disk a restore is refused with advice, and the store that is there stays', () =>
  withFolder(async (folder) => {
    const first = [
      'printf %s \'{"title":"a","category":"b"}\' >"$folder/a.ndjson"; "$launcher" import "$folder/a.ndjson" --db "$disk/records.db" >/dev/null 2>&1',
      '"$launcher" backup "$disk/copy.db" --db "$disk/records.db" 2>/dev/null',
      'dd if=/dev/zero of="$disk/ballast" bs=4k 2>/dev/null',
      '"$launcher" restore "$disk/copy.db" --replace --db "$disk/records.db" 2>"$folder/said"; echo $? >"$folder/code"',
      'ls "$disk" >"$folder/left"; rm "$disk/ballast"',
    ].join('; ')
    const { server } = await startOnSmallDisk(folder, first)
    try {
      expect(readFileSync(`${folder}/code`, 'utf8')).toBe('73\n')
      expect(readFileSync(`${folder}/said`, 'utf8')).toMatch(/records\.db.*(full|room)/)
      expect(readFileSync(`${folder}/left`, 'utf8')).not.toMatch(/before-restore|\.new/)
    } finally {
      await server.stop()
    }
  }))
