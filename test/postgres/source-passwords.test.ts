import { Database as File } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFrom, importInto, runRostrum, toCounts } from '../archive/command.ts'
import { startOldServer, toOldRecords } from '../archive/old-server.ts'
import { withFolder } from '../faults/scratch.ts'
import { readRows, useDatabases } from './databases.ts'

const { createAddress } = useDatabases()

test('a dump of an older version is cleaned as it comes in, and other places of records come with it', () =>
  withFolder(async (folder) => {
    const [db, dump, again, second] = ['a.db', 'a.dump', 'b.db', 'b.dump'].map((name) => join(folder, name))
    if (!db || !dump || !again || !second) throw new Error('four paths')
    const server = startOldServer(toOldRecords(3), 10)
    await importInto(db, server.url)
    await importInto(db, server.url, '--source', 'the second source')
    server.stop()
    await exportFrom(db, 'dump', dump)
    const text = readFileSync(dump, 'utf8').replaceAll(server.url, server.url.replace('://', '://ann:s3cret@'))
    expect(text).toContain('s3cret')
    await Bun.write(dump, text)
    expect(await runRostrum('import', dump, '--db', again)).toMatchObject({ exitCode: 0 })
    await exportFrom(again, 'dump', second)
    expect(readFileSync(second, 'utf8').includes('s3cret')).toBe(false)
    const aliases = 'SELECT source, path, record_id AS id, version FROM origin_alias ORDER BY 2'
    const wanted = [1, 2, 3].map((id) => ({ source: 'the second source', path: `id ${id}`, id, version: 1 }))
    expect([await readRows(db, aliases), await readRows(again, aliases)]).toEqual([wanted, wanted])
    const origins = 'SELECT source, path, version FROM origin ORDER BY 2'
    expect(await readRows(again, origins)).toEqual(await readRows(db, origins))
    const address = await createAddress()
    expect(await runRostrum('migrate-store', again, address)).toMatchObject({ exitCode: 0 })
    expect([await readRows(address, aliases), await readRows(address, origins)]).toEqual([
      wanted,
      await readRows(db, origins),
    ])
    for (const store of [again, address])
      expect(await runRostrum('doctor', '--db', store)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('purge', '2', '--yes', '--db', again)).toMatchObject({ exitCode: 0 })
    expect((await readRows(again, aliases)).length).toBe(2)
  }))

test('what was erased from a source with a password in its name stays away, and its digest is renewed', () =>
  withFolder(async (folder) => {
    const db = join(folder, 'a.db')
    const records = toOldRecords(2).map((record) => ({ ...record, source_url: '' }))
    const server = startOldServer(records, 10)
    const given = server.url.replace('://', '://ann:s3cret@')
    await importInto(db, given)
    await runRostrum('purge', '1', '--yes', '--db', db)
    const toDigest = (source: string) =>
      new Bun.CryptoHasher('sha256').update(JSON.stringify(['origin', source, 'id 1'])).digest()
    const file = new File(db, { strict: true })
    // As an older version left it.
    file.query('UPDATE erased_origin SET digest = ?').run(toDigest(given))
    file.close()
    for (const source of [given, server.url]) {
      const { exitCode, report } = await importInto(db, source)
      expect([exitCode, toCounts(report), report.erased.length]).toEqual([0, [0, 0, 1, 0], 1])
    }
    server.stop()
    const digests = await readRows(db, 'SELECT digest FROM erased_origin')
    expect(digests).toEqual([{ digest: toDigest(server.url).toString('base64') }])
  }))
