import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { importInto, runRostrum } from './command.ts'
import { alterStored } from './stored.ts'

const description = (text: string) => JSON.stringify({ title: 'Harbour', description: text })

test('what an import changes of a category is a version, and what people wrote stays', () =>
  withFolder(async (folder) => {
    const [db, talks] = [join(folder, 'a.db'), join(folder, 'talks')]
    mkdirSync(join(talks, 'harbour/videos'), { recursive: true })
    writeFileSync(join(talks, 'harbour/videos/a.json'), JSON.stringify({ title: 'A talk' }))
    const bringIn = async (text: string) => {
      writeFileSync(join(talks, 'harbour/category.json'), description(text))
      expect((await importInto(db, talks, '--reason', `says ${text}`)).exitCode).toBe(0)
    }
    for (const text of ['one', 'one', 'two']) await bringIn(text)
    const server = await startServer({ db })
    const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
    const address = `${server.url}/api/v2/category/harbour`
    const list = async () => (await (await fetch(`${address}/history`, { headers })).json()) as object
    const imported = [
      { version: 3, by: 'import', reason: 'says two', changed: ['description'] },
      { version: 2, by: 'import', reason: 'says one', changed: ['description'] },
      { version: 1, by: 'import', reason: 'says one' },
    ]
    expect(await list()).toMatchObject({ count: 3, results: imported })
    const body = JSON.stringify({ description: 'mine' })
    expect((await fetch(address, { method: 'PATCH', headers, body })).status).toBe(200)
    await bringIn('three')
    expect(await list()).toMatchObject({ count: 4, results: [{ version: 4, by: 'ROSTRUM_ADMIN_TOKEN' }, ...imported] })
    await server.stop()
  }))

test('a description from an older version that is longer than the API allows is not reported', () =>
  withFolder(async (folder) => {
    const [db, talks, dump] = [join(folder, 'a.db'), join(folder, 'talks'), join(folder, 'a.dump')]
    mkdirSync(join(talks, 'harbour/videos'), { recursive: true })
    writeFileSync(join(talks, 'harbour/videos/a.json'), JSON.stringify({ title: 'A talk' }))
    writeFileSync(join(talks, 'harbour/category.json'), description('short'))
    expect((await importInto(db, talks)).exitCode).toBe(0)
    const long = 'x'.repeat(100_001)
    alterStored(db, 'UPDATE category SET description = ?', long)
    alterStored(db, `UPDATE category_version SET body = replace(body, 'short', ?)`, long)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(await runRostrum('export', '--format', 'dump', '--out', dump, '--db', db)).toMatchObject({ exitCode: 0 })
    expect(await runRostrum('import', dump, '--db', join(folder, 'b.db'))).toMatchObject({ exitCode: 0 })
  }))
