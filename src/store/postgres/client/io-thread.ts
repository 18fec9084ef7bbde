import { type FailureReport, toFailureReport, toRefusal } from '../failure.ts'
import { createTimeline, type NodeMemory } from '../primary/timeline.ts'
import { raiseFlag } from './atomic-flag.ts'
import type { PostgresClient } from './client.ts'
import { createReconnectingClient } from './reconnecting-client.ts'

declare const self: Worker

/** What a waiting thread asks for. */
export type IoRequest =
  | (PreparedQuery & { readonly is: 'rows'; readonly before: Before })
  /** One or more statements without parameters. */
  | { readonly is: 'script'; readonly text: string; readonly before: Before }
  /** The end of a transaction that has only read: nobody waits for it. */
  | { readonly is: 'leave' }
  | { readonly is: 'end' }

type WaitedAsk = Exclude<IoRequest, { is: 'leave' }>

export interface PreparedQuery {
  readonly text: string
  readonly values: readonly unknown[]
  /** A text that does not come again is not worth keeping. */
  readonly isOnce?: boolean
}

/** A statement to be sent ahead, whose own answer nobody waits for: a script, or one with values. */
export type Ahead = string | PreparedQuery

type Before = readonly Ahead[]

export type IoReply =
  | { readonly is: 'rows'; readonly rows: readonly object[]; readonly count: number }
  | { readonly is: 'failed'; readonly failure: FailureReport }

export interface IoStart {
  readonly address: string
  readonly port: MessagePort
  /** Set to 1 when an answer lies in the port. */
  readonly flag: SharedArrayBuffer
  readonly memory: NodeMemory
}

self.onmessage = ({ data: { address, port, flag, memory } }: MessageEvent<IoStart>) => {
  const done = new Int32Array(flag)
  const { run, leave } = createRunner(address, memory)
  port.onmessage = async ({ data: ask }: { data: IoRequest }) => {
    if (ask.is === 'leave') return leave()
    port.postMessage(await run(ask))
    raiseFlag(done)
    if (ask.is === 'end') port.close()
  }
}

/**
 * Where the server says that it goes on without its replicas: whether the commit outlives it is not known. The name of
 * the function is not translated, as the text is; without it, any warning in the middle of a commit counts.
 */
const unconfirmedRoutine = 'SyncRepWaitForLSN'

/** What is told of a statement that the server has forgotten or sees with other eyes now, and of those that follow it. */
const staleStates = ['26000', '0A000', '42804', '25P02']

function createRunner(address: string, memory: NodeMemory) {
  /** The connection was lost in the middle of a transaction: nothing more may run as if it were still part of it. */
  let isCut = false
  let isOpen = false
  let isReading = false
  let isDoubtful = false
  let isCommitting = false
  const wire = createReconnectingClient(address, createTimeline(memory), {
    onClose() {
      isCut = isOpen
    },
    onNotice(notice) {
      isDoubtful ||= notice.routine === unconfirmedRoutine || (isCommitting && notice.severity === 'WARNING')
    },
  })

  /** Where the connection is lost, so is the transaction. */
  function leave(): void {
    isOpen = false
    isCut = false
    wire
      .connected()
      ?.unsafe('ROLLBACK')
      .simple()
      .execute()
      .catch(() => undefined)
  }

  async function run(ask: WaitedAsk): Promise<IoReply> {
    if (ask.is === 'end') {
      await wire.end()
      return { is: 'rows', rows: [], count: 0 }
    }
    const texts = [...ask.before.map(toText), ask.text]
    const words = texts.map(toFirstWord)
    const isCommit = words.at(-1) === 'COMMIT'
    const isBegin = words.includes('BEGIN')
    const isRollback = words.at(-1) === 'ROLLBACK' && !/\bTO\b/i.test(ask.text)
    if (isBegin) isCut = false
    if (isCut) return failCut()
    isDoubtful = false
    isCommitting = isCommit
    try {
      const client = await wire.connect()
      // To connect may have cut it, where another server has become the primary.
      if (isCut && !isBegin) return failCut()
      isCut = false
      isOpen ||= isBegin
      if (isBegin) isReading = texts.some((text) => text.includes('READ ONLY'))
      const answer = await send(client, ask)
      // Within a transaction that writes, only its end is an answer to anybody.
      const isPart = isOpen && !isReading && !isCommit && !isRollback
      if (!isPart && !(await wire.isCurrent(client))) throw toRefusal('MOVED_ON', 'another server is the primary now')
      if (isCommit || isRollback) isOpen = false
      return isDoubtful ? fail({ code: 'DOUBTFUL', message: 'no replica has confirmed', isLost: true }) : answer
    } catch (error) {
      const told = toFailureReport(error)
      // The client sends what is stale once more by itself, and loses count of answers when there is more on its way.
      const isMixedUp = ask.before.length > 0 && staleStates.includes(told.code)
      const failure = { ...told, isLost: told.isLost || isMixedUp }
      if (failure.isLost || isCommit) isOpen = false
      // What cannot be rolled back, or was not even asked to commit, ends with its connection.
      if (isMixedUp || isRollback || (isCommit && ask.before.length > 0)) wire.cut()
      if (failure.isLost) isCut = false
      return fail(failure)
    }
  }

  /** Told once, whoever asks knows that the transaction is no more; what comes next is a part of none. */
  function failCut(): IoReply {
    isOpen = false
    isCut = false
    return fail({ code: 'CONNECTION_CLOSED', message: 'the connection was lost', isLost: true })
  }

  return { run, leave }
}

const toText = (ahead: Ahead) => (typeof ahead === 'string' ? ahead : ahead.text)
const toFirstWord = (text: string) => /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? ''

/**
 * All in one go: the server answers them in order. After one that fails, the rest of its transaction fails too. But what
 * ends the transaction, or a part of it, goes when all others have come through: should the client send one of them again,
 * it would be behind that end, and stay.
 */
async function send(client: PostgresClient, ask: Exclude<WaitedAsk, { is: 'end' }>): Promise<IoReply> {
  const ahead = ask.before.map((each) =>
    (typeof each === 'string' ? client.unsafe(each).simple() : toQuery(client, each)).execute(),
  )
  if (/^(?:COMMIT|ROLLBACK)\b/.test(ask.text)) await Promise.all(ahead)
  const [answer] = await Promise.all([sendOne(client, ask), ...ahead])
  return answer
}

async function sendOne(client: PostgresClient, ask: Exclude<WaitedAsk, { is: 'end' }>): Promise<IoReply> {
  if (ask.is === 'script') {
    const { command } = await client.unsafe(ask.text).simple()
    if (ask.text === 'COMMIT' && command !== 'COMMIT') throw new Error('PostgreSQL has not committed')
    return { is: 'rows', rows: [], count: 0 }
  }
  const result = await toQuery(client, ask)
  return { is: 'rows', rows: [...result], count: result.count ?? 0 }
}

/** Values are what bun:sqlite takes: texts, numbers, bytes and null. */
function toQuery(client: PostgresClient, { text, values, isOnce = false }: PreparedQuery) {
  // Without `simple`, which the client's types do not know, one that has no values would be planned anew each time.
  const options = { prepare: !isOnce, simple: false }
  return client.unsafe(text, values.map(toParameter) as never[], options)
}

function toParameter(value: unknown): unknown {
  // PostgreSQL takes no NUL. No text of ours has any control character, so another one finds just as little.
  if (typeof value === 'string' && value.includes('\u0000')) return value.replaceAll('\u0000', '\u0001')
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value
}

const fail = (failure: FailureReport): IoReply => ({ is: 'failed', failure })
