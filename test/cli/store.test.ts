import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createCurator } from '../contract/curator.ts'
import { createService } from '../contract/service.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { createStore, runRostrum, toTalk } from './store-command.ts'

type Page = { readonly store: string; readonly next: number; readonly changes: readonly { readonly id: number }[] }

async function getPage({ url }: Server, query = ''): Promise<{ readonly status: number; readonly page: Page }> {
  const answer = await fetch(`${url}/api/v2/changes?page_size=1000${query}`)
  return { status: answer.status, page: JSON.parse(await answer.text()) }
}

async function write({ url, adminKey }: Server, id: number, summary: string): Promise<void> {
  const headers = { Authorization: `Token ${adminKey}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/api/v2/video/${id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ summary }),
  })
  expect(answer.status).toBe(200)
}

test('followers notice a restore, even if the same number of changes was made since', () =>
  withFolder(async (folder) => {
    const [db, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')]
    await createStore(db, ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map(toTalk))
    const first = await startServer({ db })
    expect(await runRostrum('backup', copy, '--db', db)).toMatchObject({ exitCode: 0 })
    for (const id of [1, 2, 3]) await write(first, id, 'lost')
    const { page: known } = await getPage(first)
    await first.stop()
    expect(await runRostrum('restore', copy, '--replace', '--db', db)).toMatchObject({ exitCode: 0 })
    const second = await startServer({ db })
    for (const id of [4, 5, 6, 7]) await write(second, id, 'kept')
    const { status, page } = await getPage(second, `&since=${known.next}&store=${known.store}`)
    expect([status, page.store]).toEqual([409, (await getPage(second)).page.store])
    await second.stop()
  }))

test(
  'each restore of a backup makes a store with another id',
  () =>
    withFolder(async (folder) => {
      const [db, copy, other] = [join(folder, 'a.db'), join(folder, 'copy.db'), join(folder, 'b.db')]
      await createStore(db, [toTalk('One')])
      const ids = new Set<string>()
      const note = async (path: string) => {
        const server = await startServer({ db: path })
        ids.add((await getPage(server)).page.store)
        await server.stop()
      }
      await note(db)
      await note(db)
      expect(ids.size).toBe(1)
      await runRostrum('backup', copy, '--db', db)
      for (const path of [db, db, other]) {
        expect(await runRostrum('restore', copy, '--replace', '--db', path)).toMatchObject({ exitCode: 0 })
        await note(path)
      }
      expect(ids.size).toBe(4)
      expect(await runRostrum('doctor', '--db', other)).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  60_000,
)

test('a store from a dump has another id', () =>
  withFolder(async (folder) => {
    const [db, dump, other] = [join(folder, 'a.db'), join(folder, 'a.dump'), join(folder, 'b.db')]
    await createStore(db, [toTalk('One')])
    await runRostrum('export', '--format', 'dump', '--out', dump, '--db', db)
    await runRostrum('import', dump, '--db', other)
    const servers = [await startServer({ db }), await startServer({ db: other })]
    const [one, two] = await Promise.all(servers.map((server) => getPage(server)))
    expect([one?.page.next, one?.page.store === two?.page.store]).toEqual([two?.page.next, false])
    await Promise.all(servers.map((server) => server.stop()))
  }))

test('"store new-id" prints only the id, and ends the sessions of a running server', () =>
  withFolder(async (folder) => {
    const db = join(folder, 'a.db')
    await createStore(db, [toTalk('One')])
    const server = await startServer({ db })
    const curator = createCurator(
      createService(
        () => server,
        () => server.adminKey,
      ),
    )
    await curator.signIn(server.adminKey)
    const made = await runRostrum('store', 'new-id', '--db', db)
    expect(made.exitCode).toBe(0)
    expect(made.stdout).toMatch(/^[0-9a-f]{16}\n$/)
    await until('the sessions have ended', async () => !(await curator.isIn()))
    expect((await getPage(server)).page.store).toBe(made.stdout.trim())
    await server.stop()
  }))

test.each([
  [['store'], 64],
  [['store', 'id'], 64],
  [['store', 'new-id', 'x'], 64],
  [['store', 'new-id', '--db', '/nowhere.db'], 66],
  [['store', '--help'], 0],
])('rostrum %j ends with %d', async (args, code) => {
  expect((await runRostrum(...args)).exitCode).toBe(code)
})
