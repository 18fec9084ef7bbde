import { describe, expect, test } from 'bun:test'
import { createFreshStore } from '../harness/fresh-store.ts'
import { program } from '../harness/program.ts'
import { type Server, startServer } from '../harness/server.ts'
import { openGoodStream, readChanges, streamPath } from './event-stream.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })
const path = '/api/v2/changes'
const other = '0123456789abcdef'

async function ask(query: string, as: Role = 'none') {
  const call = { method: 'GET', path: `${path}${query}`, as }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return { status: answer.status, body: parseFields(answer) }
}

async function readStore({ url }: Pick<Server, 'url'> = service.server()): Promise<string> {
  const { store }: { store: string } = JSON.parse(await (await fetch(`${url}${path}`)).text())
  expect(store).toMatch(/^[0-9a-z-]{16,64}$/)
  return store
}

async function renewId({ db }: Pick<Server, 'db'>): Promise<string> {
  const child = Bun.spawn([program, 'store', 'new-id', '--db', db], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, err }).toMatchObject({ code: 0 })
  return out.trim()
}

const findLast = async () => (await readChanges(service.server(), 0, service.server().adminKey)).at(-1)?.seq ?? 0

describe('A page of changes', () => {
  test('carries the id of the store, the same for everybody', async () => {
    const store = await readStore()
    await service.create()
    expect((await ask('')).body.store).toBe(store)
    expect((await ask('?since=0', 'reader')).body.store).toBe(store)
  })

  test('asked for with this id is answered, with or without it in since', async () => {
    const store = await readStore()
    const last = await findLast()
    for (const query of [`?store=${store}`, `?since=${last}&store=${store}`, `?since=${store}.${last}`, '?store=']) {
      expect([query, (await ask(query)).status]).toEqual([query, 200])
    }
  })

  test('asked for with the id of another store is 409, though the number is known here', async () => {
    await service.create()
    const store = await readStore()
    for (const query of [`?since=1&store=${other}`, `?since=0&store=${other}`, `?since=${other}.1`, '?store=x']) {
      const { status, body } = await ask(query)
      expect([query, status, body.type]).toEqual([query, 409, 'urn:rostrum:problem:other_store'])
      expect(body.store).toBe(store)
    }
    // Numbers beyond the last one do not hide it.
    expect((await ask(`?since=999999&store=${other}`)).status).toBe(409)
  })

  test('asked for with something else is refused by name', async () => {
    for (const since of ['x', `${other}.`, `${other}.x`, '.5', `a b.5`]) {
      const { status, body } = await ask(`?since=${encodeURIComponent(since)}`)
      expect([since, status, Object.keys(body.errors as Fields)]).toEqual([since, 400, ['since']])
    }
  })
})

describe('A stream of changes', () => {
  test('has ids that name the store, by which it goes on behind them', async () => {
    const store = await readStore()
    const before = await findLast()
    const [one, two] = [await service.create(), await service.create()]
    const stream = await openGoodStream(service.server(), { lastEventId: `${store}.${before}` })
    await stream.waitForChanges(2)
    expect(stream.text()).toContain(`id: ${store}.${before + 1}\ndata: {"seq":${before + 1},"id":${one.id},`)
    stream.close()
    const later = await openGoodStream(service.server(), { lastEventId: `${store}.${before + 1}` })
    expect((await later.waitForChanges(1)).map(({ id }) => id)).toEqual([Number(two.id)])
    later.close()
  })

  test('asked for behind an event of another store begins with a reset, and goes on from now', async () => {
    const store = await readStore()
    await service.create()
    const last = await findLast()
    for (const options of [
      { lastEventId: `${other}.1` },
      { since: `${other}.999999` },
      { since: `1&store=${other}` },
    ]) {
      const stream = await openGoodStream(service.server(), options)
      await stream.waitForText('event: reset\n')
      const data = JSON.stringify({ store, next: last })
      expect(stream.text()).toContain(`event: reset\nid: ${store}.${last}\ndata: ${data}\n\n`)
      expect(stream.text().match(/^data: /gm)).toHaveLength(1)
      stream.close()
    }
    const stream = await openGoodStream(service.server(), { lastEventId: `${other}.1` })
    await stream.waitForText('event: reset\n')
    const { id } = await service.create()
    await stream.waitForText(`"id":${id},`)
    expect(stream.text().match(/^event: reset$/gm)).toHaveLength(1)
    stream.close()
  })

  test('still takes plain numbers, and HEAD', async () => {
    const { id } = await service.create()
    const last = await findLast()
    const stream = await openGoodStream(service.server(), { lastEventId: last - 1 })
    expect((await stream.waitForChanges(1)).map((change) => change.id)).toEqual([Number(id)])
    stream.close()
    const headers = { 'Last-Event-ID': `${other}.1` }
    expect((await service.call({ method: 'HEAD', path: streamPath, headers })).status).toBe(200)
  })
})

describe('The id of a store', () => {
  test('is the same after a stop and a start', async () => {
    const { db, remove } = await createFreshStore()
    const found: string[] = []
    for (let start = 0; start < 2; start++) {
      const server = await startServer({ db })
      found.push(await readStore(server))
      await server.stop()
    }
    await remove()
    expect(new Set(found).size).toBe(1)
  })

  test('is another one after "store new-id", which those who follow are told while it is served', async () => {
    const before = await readStore()
    const { id } = await service.create()
    const streams = await Promise.all([1, 2, 3, 4].map(() => openGoodStream(service.server())))
    const made = await renewId(service.server())
    expect(made).not.toBe(before)
    for (const stream of streams) {
      await stream.waitForText(`event: reset\nid: ${made}.${await findLast()}\ndata: {"store":"${made}"`)
    }
    await service.patch(id, { summary: 'after' })
    for (const stream of streams) {
      await stream.waitForText(new RegExp(`id: ${made}\\.\\d+\\ndata: .*"id":${id},`))
      expect(stream.text().match(/^event: reset$/gm)).toHaveLength(1)
      stream.close()
    }
    expect(await readStore()).toBe(made)
    expect((await ask(`?since=1&store=${before}`)).status).toBe(409)
  })
})
