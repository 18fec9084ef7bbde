import { connect } from 'node:net'
import { openEngine } from '../../src/store/open.ts'
import { nextSeqSql } from '../../src/store/write/version-rows.ts'
import type { Server } from '../harness/server.ts'
import { fail } from './service.ts'

export const streamPath = '/api/v2/changes/stream'

export type Change = {
  readonly seq: number
  readonly id: number
  readonly version: number
  readonly at: string
  readonly kind: string
}

/** What token holders are told besides; undefined for others. */
export type AuditedChange = Change & {
  readonly by?: string | null
  readonly reason?: string | null
  readonly fields?: readonly string[]
}

export type StreamOptions = {
  readonly since?: number | string
  readonly lastEventId?: number | string
  readonly key?: string
  /** Where it comes from, as a trusted proxy says. */
  readonly address?: string
  /** More parameters. */
  readonly query?: string
}

/** How a stream came to its end: by the server's word, or by a connection that was cut. */
type Ending = 'ended' | 'cut'

/** A reader of the live feed, on a connection of its own: which thread serves it is up to the kernel. */
export type EventStream = {
  readonly status: number
  readonly headers: Headers
  /** All that has come. */
  text(): string
  changes(): readonly AuditedChange[]
  /** Waits until so many changes are here, and fails with what is here after the time. */
  waitForChanges(count: number, timeoutMs?: number): Promise<readonly AuditedChange[]>
  waitForText(part: string | RegExp, timeoutMs?: number): Promise<void>
  /** How it ended, or null if it did not within the time. */
  waitForEnd(timeoutMs: number): Promise<Ending | null>
  close(): void
}

const defaultWaitMs = 5_000

export async function openStream(server: Pick<Server, 'url'>, options: StreamOptions = {}): Promise<EventStream> {
  const { since, lastEventId, key, address, query = '' } = options
  const headers: Record<string, string> = { Accept: 'text/event-stream' }
  if (lastEventId !== undefined) headers['Last-Event-ID'] = String(lastEventId)
  if (key !== undefined) headers.Authorization = `Token ${key}`
  if (address !== undefined) headers['X-Forwarded-For'] = address
  const leaving = new AbortController()
  const url = `${server.url}${streamPath}?${since === undefined ? '' : `since=${since}&`}${query}`
  const response = await fetch(url, { headers, keepalive: false, signal: leaving.signal })
  return follow(response, () => leaving.abort())
}

/** One that must be let in; its first bytes have come. */
export async function openGoodStream(server: Pick<Server, 'url'>, options: StreamOptions = {}): Promise<EventStream> {
  const stream = await openStream(server, options)
  await stream.waitForText('\n\n')
  return stream.status === 200 ? stream : fail(`${stream.status}: ${stream.text()}`)
}

function follow(response: Response, close: () => void): EventStream {
  let text = ''
  let ending: Ending | null = null
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  read().then(
    () => {
      ending = 'ended'
    },
    () => {
      ending = 'cut'
    },
  )
  const waitForText = async (part: string | RegExp, timeoutMs = defaultWaitMs) => {
    if (!(await waitFor(() => text.search(part) >= 0, timeoutMs))) fail(`No ${part} in ${JSON.stringify(text)}`)
  }
  const waitForChanges = async (count: number, timeoutMs = defaultWaitMs) => {
    await waitFor(() => text.split('\n\n').length > count && parseChanges(text).length >= count, timeoutMs)
    const changes = parseChanges(text)
    return changes.length >= count ? changes : fail(`${changes.length} changes, not ${count}: ${text.slice(-500)}`)
  }
  const waitForEnd = async (timeoutMs: number) => {
    await waitFor(() => ending !== null, timeoutMs)
    return ending
  }
  const { status, headers } = response
  const changes = () => parseChanges(text)
  return { status, headers, text: () => text, changes, waitForChanges, waitForText, waitForEnd, close }
}

/** Whether it came true within the time. */
export async function waitFor(isTrue: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (await isTrue()) return true
    await Bun.sleep(10)
  }
  return isTrue()
}

export async function countStreams(server: Pick<Server, 'url'>): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^rostrum_streams (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN)
}

/** What the pages say from a change on, which is what a stream must say. */
export async function readChanges(server: Pick<Server, 'url'>, since: number, key?: string): Promise<AuditedChange[]> {
  const found: AuditedChange[] = []
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Token ${key}` }
  for (let at = since; ; ) {
    const answer = await fetch(`${server.url}/api/v2/changes?since=${at}&page_size=1000`, { headers })
    const { changes, next }: { changes: AuditedChange[]; next: number } = JSON.parse(await answer.text())
    if (changes.length === 0) return found
    found.push(...changes)
    at = next
  }
}

/** A reader that is gone again, perhaps before its first byte. */
export async function comeAndGo({ port }: Pick<Server, 'port'>, afterMs: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  await new Promise<void>((resolve) => socket.write(`GET ${streamPath} HTTP/1.1\r\nHost: x\r\n\r\n`, () => resolve()))
  if (afterMs > 0) await Bun.sleep(afterMs)
  socket.destroy()
}

/** Another version of a record that has one, as another process writes it into the store. */
export async function writeFromOutside({ db }: Pick<Server, 'db'>, id: number): Promise<void> {
  const database = (await openEngine(db)).open('write')
  await database.transaction('write', async () => {
    const columns = 'author, changed, checksum, body, at, state'
    const last = `SELECT ${nextSeqSql}, record_id, number + 1, 'updated', ${columns} FROM version WHERE record_id = $id`
    await database.query(`INSERT INTO version (seq, record_id, number, kind, ${columns}) ${last}`).run({ id })
    // The first version's mark, and so the second's, has one digit before the dash.
    const mark = '(version + 1) || substr(mark, 2)'
    await database.query(`UPDATE record SET version = version + 1, mark = ${mark} WHERE id = $id`).run({ id })
  })
  await database.close()
}

const eventPattern = /^id: [0-9a-z-]+\.(\d+)\ndata: (\{[^\n]*\})$/

/** Whole events alone; the rest of the last one is still to come. */
function parseChanges(text: string): readonly AuditedChange[] {
  const blocks = text.split('\n\n').slice(0, -1)
  const events = blocks.filter((block) => block !== ':' && !/^(?:retry|event): /.test(block))
  return events.map((event) => {
    const [, id, data = ''] = eventPattern.exec(event) ?? fail(`Not an event: ${JSON.stringify(event)}`)
    const change: AuditedChange = JSON.parse(data)
    return String(change.seq) === id ? change : fail(`The event's id differs: ${event}`)
  })
}
