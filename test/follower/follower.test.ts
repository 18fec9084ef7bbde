import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'

// Runner: long PostgreSQL

const program = join(import.meta.dir, 'follower.ts')
const recordCount = 100
const writerCount = 3
const kills = 50
/** From the start of the program: some die before they have asked for anything. */
const maxLifeMs = 300
const catchUpMs = 10_000
const folder = createFolder()
let server: Server

beforeAll(async () => {
  server = await startServer()
  for (let count = 0; count < recordCount; count++) await write('POST', '', { ...toFields(count), state: 1 })
}, 180_000)

afterAll(async () => {
  await server.kill9()
  removeFolder(folder)
})

test('a follower that is killed fifty times ends with a copy of every live record, byte for byte', async () => {
  const writers = Array.from({ length: writerCount }, (_, index) => startWriter(index + 1))
  const followers = [createFollower('pages', 11), createFollower('stream', 12)]
  await Promise.all(followers.map((follower) => follower.dieOften()))
  const places = followers.map((follower) => follower.readCopy().place)
  const counts = await Promise.all(writers.map((writer) => writer.stop()))
  expect(Math.min(...counts)).toBeGreaterThan(50)
  const [last, wanted] = [await findLast(), await readSource()]
  // They got on while they were killed, and did not do all of it in the end.
  for (const place of places) expect(place).toBeGreaterThan(last / 2)
  for (const follower of followers) {
    await follower.catchUp(last)
    const wrong = diff(follower.readCopy().bodies, wanted)
    expect([follower.mode, wrong]).toEqual([follower.mode, []])
  }
}, 180_000)

function createFollower(mode: 'pages' | 'stream', seed: number) {
  const file = join(folder, `${mode}.db`)
  const random = createRandom(seed)
  const start = () =>
    Bun.spawn([process.execPath, program, server.url, file, mode], { stdio: ['ignore', 'ignore', 'ignore'] })

  async function dieOften(): Promise<void> {
    for (let count = 0; count < kills; count++) {
      const child = start()
      await Bun.sleep(random() * maxLifeMs)
      child.kill('SIGKILL')
      await child.exited
    }
  }

  async function catchUp(last: number): Promise<void> {
    const child = start()
    const deadline = Date.now() + catchUpMs
    while (readCopy().place < last && Date.now() < deadline) await Bun.sleep(50)
    child.kill('SIGKILL')
    await child.exited
    expect([mode, readCopy().place]).toEqual([mode, last])
  }

  function readCopy() {
    const bodies = new Map<number, string>()
    if (!existsSync(file)) return { place: 0, bodies }
    // It has to be put in order first where its writer was killed in the middle.
    const db = new Database(file, { strict: true })
    db.run('PRAGMA busy_timeout = 2000')
    const { seq: place } = db.query<{ seq: number }, []>('SELECT seq FROM place').get() ?? { seq: 0 }
    for (const { id, body } of db.query<{ id: number; body: Uint8Array }, []>('SELECT id, body FROM record').all()) {
      bodies.set(id, Buffer.from(body).toString('latin1'))
    }
    db.close()
    return { place, bodies }
  }

  return { mode, dieOften, catchUp, readCopy }
}

/** Creates, edits, publishes and withdraws at random until it is stopped, and then tells how often. */
function startWriter(seed: number) {
  const random = createRandom(seed)
  let isOver = false
  let newest = recordCount
  const step = async (count: number) => {
    const dice = random()
    const id = 1 + Math.floor(random() * newest)
    if (dice < 0.05) {
      newest = await write('POST', '', { ...toFields(count), state: random() < 0.5 ? 1 : 2 })
    } else if (dice < 0.65) await write('PATCH', `/${id}`, { summary: `Version ${seed}.${count} <ü>` })
    else await write('PATCH', `/${id}`, { state: dice < 0.85 ? 1 : 2 })
  }
  const work = async () => {
    let count = 0
    for (; !isOver && count < 20_000; count++) {
      await step(count)
      await Bun.sleep(random() * 30)
    }
    return count
  }
  const done = work()
  const stop = () => {
    isOver = true
    return done
  }
  return { stop }
}

const toFields = (number: number) => ({ category: 'Followed', title: `Talk ${number}`, tags: ['größer', `n${number}`] })

/** Gives the id. */
async function write(method: string, path: string, fields: object): Promise<number> {
  const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify(fields)
  const answer = await fetch(`${server.url}/api/v2/video${path}`, { method, headers, body })
  const { id }: { id: number } = JSON.parse(await answer.text())
  expect([200, 201]).toContain(answer.status)
  return id
}

async function findLast(): Promise<number> {
  for (let since = 0; ; ) {
    const answer = await fetch(`${server.url}/api/v2/changes?since=${since}&page_size=1000`)
    const { next }: { next: number } = JSON.parse(await answer.text())
    if (next === since) return next
    since = next
  }
}

/** Every record that is live, asked for one by one. */
async function readSource(): Promise<ReadonlyMap<number, string>> {
  const newest = await write('POST', '', { ...toFields(0), state: 2 })
  const found = new Map<number, string>()
  for (let id = 1; id <= newest; id++) {
    const answer = await fetch(`${server.url}/api/v2/video/${id}?format=json`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status === 200) found.set(id, bytes.toString('latin1'))
    else expect([id, answer.status]).toEqual([id, 404])
  }
  return found
}

/** The ids of which one side has something else than the other. */
function diff(copy: ReadonlyMap<number, string>, source: ReadonlyMap<number, string>): readonly number[] {
  const ids = new Set([...copy.keys(), ...source.keys()])
  return [...ids].filter((id) => copy.get(id) !== source.get(id))
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
