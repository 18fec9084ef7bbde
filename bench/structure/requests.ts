import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { submitForm } from '../../test/edit/submit-form.ts'
import { AnswerReader } from '../harness/answer.ts'
import { type Children, end } from '../harness/children.ts'
import { toHead } from '../harness/load.ts'
import { readPort } from '../harness/ports.ts'
import type { InstrumentedCopy } from './instrument.ts'

/** The files of ours that run in one request of a kind. */
export interface RequestPath {
  readonly name: string
  readonly files: readonly string[]
}

/** The files that ran, by thread. */
type Hits = ReadonlyMap<number, ReadonlySet<string>>

/** A file belongs to the path when it ran in every one of these; a timer that fired meanwhile runs in some. */
const repeats = 8
/** Work after a response, such as index updates, has ended by then; it counts for no request. */
const settleMs = 200
const restMs = 1_000
/** Longer than every interval of an idle thread. */
const idleMs = 2_500
const streamTries = 40
const adminToken = 'structure-admin-token-of-32-characters'
const words = ['caching', 'code', 'team', 'search', 'history', 'workshop', 'lightning', 'talks', 'coffee', 'ghosts']

/** Starts the copy, warms it up and follows one request of each kind through its files. */
export async function followRequests(copy: InstrumentedCopy, children: Children): Promise<readonly RequestPath[]> {
  const server = await start(copy, children)
  const line = await connect(server.port)
  const item = (id: number) => () => line.ask('GET', `/api/v2/video/${id}`)
  const search = (word = '') => line.ask('GET', `/api/v2/video?q=${word}`)
  let written = 0
  const patch = () => line.ask('PATCH', '/api/v2/video/1', `{"whiteboard":"${written++}"}`)
  // Uses other records and words than below: loads lazy modules and prepares statements.
  for (const id of [1, 2, 1, 2]) await item(id)()
  for (const word of words.slice(-2)) await search(word)
  const follow = createFollow(copy, await watch(copy, () => Bun.sleep(idleMs)))
  // Reads come first: after a write, the writer has follow-up work on its file.
  const reads = [
    { name: 'GET record, hot', files: await follow(item(2)) },
    { name: 'GET record, cold', files: await follow((turn) => item(10 + turn)()) },
    { name: 'list with q', files: await follow((turn) => search(words[turn])) },
    { name: 'list with q, asked again', files: await follow(() => search(words[0])) },
    { name: 'page of a search', files: await follow((turn) => line.ask('GET', `/search?q=${words[turn]}`)) },
  ]
  for (let i = 0; i < 3; i++) await patch()
  const forms = await openForms(server.port, repeats + 1, '/edit/video/3')
  await line.ask('PATCH', '/api/v2/video/3', '{"title":"Theirs"}')
  await forms.save(repeats)
  const writes = [
    { name: 'save with a conflict', files: await follow(forms.save) },
    { name: 'PATCH', files: await follow(patch) },
    { name: 'one event of the live feed', files: await followEvent(copy, server.port, patch) },
  ]
  line.end()
  await server.stop()
  return [...reads, ...writes, { name: 'import of a folder, new store', files: await followImport(copy) }]
}

/** A thread that does no more than it does while idle is not part of the path. */
function createFollow(copy: InstrumentedCopy, idle: Hits) {
  const isActive = ([thread, files]: readonly [number, ReadonlySet<string>]) =>
    !files.isSubsetOf(idle.get(thread) ?? new Set())
  return async (act: (turn: number) => Promise<unknown>): Promise<readonly string[]> =>
    intersect(await repeat(async (turn) => unite(new Map([...(await watch(copy, () => act(turn)))].filter(isActive)))))
}

/** Discards the first turn, by which earlier work is done and its timers have fired. */
async function repeat<T>(run: (turn: number) => Promise<ReadonlySet<T>>): Promise<readonly ReadonlySet<T>[]> {
  await Bun.sleep(restMs)
  const runs: ReadonlySet<T>[] = []
  for (let turn = 0; turn < repeats; turn++) runs.push(await run(turn))
  return runs.slice(1)
}

async function watch(copy: InstrumentedCopy, act: () => Promise<unknown>): Promise<Hits> {
  copy.reset()
  await act()
  const hits = copy.readHits()
  await Bun.sleep(settleMs)
  return hits
}

/**
 * The stream is held by another HTTP thread than the one that answers PATCHes. What runs for each PATCH, on threads that
 * are idle when nobody listens, is the path of the event.
 */
async function followEvent(copy: InstrumentedCopy, port: number, patch: () => Promise<unknown>) {
  const writing = intersect(await repeat(async () => new Set((await watch(copy, patch)).keys())))
  const stream = await openStream(copy, port, writing)
  const runs = await repeat(async () => {
    const events = stream.countEvents()
    const hits = await watch(copy, async () => {
      await patch()
      while (stream.countEvents() === events) await Bun.sleep(1)
    })
    return unite(new Map([...hits].filter(([thread]) => !writing.includes(thread))))
  })
  stream.end()
  return intersect(runs)
}

/** Opens a stream on a thread other than these; a plain GET on the same connection shows which thread has it. */
async function openStream(copy: InstrumentedCopy, port: number, taken: readonly number[]) {
  for (let tries = 0; tries < streamTries; tries++) {
    let text = ''
    const data = (_socket: Bun.Socket, chunk: Buffer) => {
      text += chunk.toString()
    }
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data } })
    const get = (target: string) => socket.write(toHead(port, { method: 'GET', target, headers: {} }))
    const hits = await watch(copy, async () => void get('/api/v2/video/2'))
    const fullest = [...hits].sort(([, a], [, b]) => b.size - a.size)[0]
    if (fullest !== undefined && !taken.includes(fullest[0])) {
      get('/api/v2/changes/stream')
      await Bun.sleep(restMs)
      return { countEvents: () => text.split('id: ').length, end: () => void socket.end() }
    }
    socket.end()
  }
  throw new Error('every stream was opened on the thread that writes')
}

async function followImport({ root, reset, readHits }: InstrumentedCopy): Promise<readonly string[]> {
  const videos = join(root, 'talks/event/videos')
  mkdirSync(videos, { recursive: true })
  writeFileSync(join(root, 'talks/event/category.json'), JSON.stringify({ title: 'An event' }))
  const talk = {
    title: 'A talk',
    speakers: ['Ada'],
    tags: ['text'],
    language: 'eng',
    recorded: '2020-02-03',
    videos: [],
  }
  writeFileSync(join(videos, 'talk.json'), JSON.stringify(talk))
  reset()
  const command = ['sh', join(root, 'bin/rostrum'), 'import', join(root, 'talks'), '--db', join(root, 'import.db')]
  const { success, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`the import failed: ${stderr}`)
  return [...unite(readHits())].sort()
}

async function start({ root }: InstrumentedCopy, children: Children) {
  const options = ['--host', '127.0.0.1', '--port', '0', '--db', join(root, 'serve.db'), '--threads', '2', '--sample']
  const env = { ...process.env, ROSTRUM_ADMIN_TOKEN: adminToken }
  const command = ['sh', join(root, 'bin/rostrum'), 'serve', ...options]
  const child = children.keep(Bun.spawn(command, { env, stdout: 'pipe', stderr: Bun.file(join(root, 'server.txt')) }))
  const port = await readPort(child.stdout)
  if (port === null) throw new Error(`the copy did not start: ${await Bun.file(join(root, 'server.txt')).text()}`)
  return { port, stop: () => end(child) }
}

/** One keep-alive connection, so that all requests reach the same thread. */
async function connect(port: number) {
  const reader = new AnswerReader()
  let method = ''
  let done = Promise.withResolvers<void>()
  const data = (_socket: Bun.Socket, chunk: Buffer) => {
    const answer = reader.read(chunk, method)
    if (answer?.status === 200) done.resolve()
    else if (answer !== null) done.reject(new Error(`${method}: ${answer.head} ${answer.body}`))
  }
  const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data } })
  return {
    ask(asked: string, target: string, body = ''): Promise<void> {
      method = asked
      done = Promise.withResolvers()
      const json = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
      const headers = body === '' ? {} : { Authorization: `Token ${adminToken}`, ...json }
      socket.write(toHead(port, { method, target, headers }) + body)
      return done.promise
    },
    end: () => void socket.end(),
  }
}

/** The form of the editor, opened `count` times; each `save` sends one of them with a new title. */
async function openForms(port: number, count: number, path: string) {
  const origin = `http://127.0.0.1:${port}`
  const key = new FormData()
  key.append('key', adminToken)
  const signedIn = await fetch(`${origin}/edit/sign-in`, {
    ...{ method: 'POST', headers: { Origin: origin }, body: key, redirect: 'manual' },
  })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const headers = { Origin: origin, Cookie: cookies.join('; '), Accept: 'text/html' }
  const page = await (await fetch(`${origin}${path}`, { headers })).text()
  const form = /<form[^>]*data-kept-as[\s\S]*?<\/form>/.exec(page)?.[0]
  if (form === undefined) throw new Error(`no form at ${path}: ${page.slice(0, 500)}`)
  const fields = Array.from({ length: count }, (_, i) => submitForm(form, new Map([['field.title', `Ours ${i}`]])))
  return {
    async save(turn: number): Promise<void> {
      const body = fields[turn] ?? new FormData()
      body.append('do', 'save')
      const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body })
      if (answer.status !== 409) throw new Error(`${answer.status} instead of a conflict: ${await answer.text()}`)
      await answer.text()
    },
  }
}

function unite(hits: Hits): ReadonlySet<string> {
  return new Set([...hits.values()].flatMap((files) => [...files]))
}

function intersect<T>(runs: readonly ReadonlySet<T>[]): readonly T[] {
  return [...(runs[0] ?? [])].filter((file) => runs.every((run) => run.has(file))).sort()
}
