import { PostgresFailure, toFailureReport, toRefusal } from '../failure.ts'
import { createTimeline, type NodeMemory } from '../primary/timeline.ts'
import type { PostgresClient } from './client.ts'
import { createReconnectingClient } from './reconnecting-client.ts'

export interface BoundStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** A text that does not come again is not prepared. */
  readonly isOnce?: boolean
}

/** Begins a transaction; `text` is one or more statements. */
export interface Begin {
  readonly begin: 'read' | 'write'
  readonly text: string
}

/** A statement that is sent ahead of another one: without values, with values, or the beginning of a transaction. */
export type Ahead = string | BoundStatement | Begin

export type Step =
  | (BoundStatement & { readonly is: 'rows' })
  /** One or more statements without values. */
  | { readonly is: 'script'; readonly text: string }
  | { readonly is: 'begin'; readonly begin: Begin }
  | { readonly is: 'commit' | 'rollback' | 'rollback to savepoint' }
  /** Nothing but what goes ahead of it. */
  | { readonly is: 'flush' }

export interface Rows {
  readonly rows: readonly object[]
  readonly count: number
}

/**
 * `cut`: the connection was lost in the middle of a transaction, and nobody has been told yet. Until then no statement may
 * run as if it were still part of it.
 */
export type SessionState = 'idle' | 'reading' | 'writing' | 'cut'

/** One connection to the server, and the transaction that is open on it. One step at a time. */
export interface Session {
  state(): SessionState
  /** Sends all of it in one go, and waits for all answers. Rejects with a `PostgresFailure`. */
  run(ahead: readonly Ahead[], step: Step): Promise<Rows>
  /** Ends a transaction that has only read, without waiting. */
  leave(): void
  end(): Promise<void>
  /** Gives up a connection that does not answer. */
  abandon(): void
}

/**
 * Where the server says that it goes on without its replicas: whether the commit outlives it is not known. The name of
 * the function is not translated, as the text is; without it, any warning in the middle of a commit counts.
 */
const unconfirmedRoutine = 'SyncRepWaitForLSN'

/** SQLSTATEs of a stale prepared statement, and 25P02 for the statements that are pipelined behind it. */
const staleStates = ['26000', '0A000', '42804', '25P02']

const noRows: Rows = { rows: [], count: 0 }

export function createSession(address: string, memory: NodeMemory): Session {
  let state: SessionState = 'idle'
  let isCommitting = false
  let isUnconfirmed = false
  const connection = createReconnectingClient(address, createTimeline(memory), {
    onClose() {
      if (state !== 'idle') state = 'cut'
    },
    onNotice(notice) {
      isUnconfirmed ||= notice.routine === unconfirmedRoutine || (isCommitting && notice.severity === 'WARNING')
    },
  })

  /** Reported once; the next statement is part of no transaction. */
  function failCut(): never {
    state = 'idle'
    throw new PostgresFailure('CONNECTION_CLOSED', 'the connection was lost', true)
  }

  async function sendAll(ahead: readonly Ahead[], step: Step): Promise<Rows> {
    const begin = step.is === 'begin' ? step.begin : ahead.find(isBegin)
    if (state === 'cut' && begin === undefined) failCut()
    isUnconfirmed = false
    isCommitting = step.is === 'commit'
    const client = await connection.connect()
    // To connect may have cut it, where another server has become the primary.
    if (isCut() && begin === undefined) failCut()
    if (begin !== undefined) state = begin.begin === 'read' ? 'reading' : 'writing'
    const answer = await send(client, ahead, step)
    const isEnd = step.is === 'commit' || step.is === 'rollback'
    // Within a transaction that writes, only its end is an answer to anybody.
    const isPart = state === 'writing' && !isEnd
    if (!isPart && !(await connection.isCurrent(client)))
      throw toRefusal('MOVED_ON', 'another server is the primary now')
    if (isEnd) state = 'idle'
    if (isUnconfirmed) throw new PostgresFailure('DOUBTFUL', 'no replica has confirmed', true)
    return answer
  }

  const isCut = () => state === 'cut'

  return {
    state: () => state,
    async run(ahead, step) {
      try {
        return await sendAll(ahead, step)
      } catch (error) {
        if (error instanceof PostgresFailure) throw error
        const { code, message, isLost } = toFailureReport(error)
        // postgres.js sends a stale statement again by itself, and loses count of answers when others are on their way.
        const isMixedUp = ahead.length > 0 && staleStates.includes(code)
        const hasEnded = isLost || isMixedUp || step.is === 'commit' || step.is === 'rollback'
        // What cannot be rolled back, or was not even asked to commit, ends with its connection.
        if (isMixedUp || step.is === 'rollback' || (step.is === 'commit' && ahead.length > 0)) connection.cut()
        if (hasEnded) state = 'idle'
        throw new PostgresFailure(code, message, isLost || isMixedUp)
      }
    },
    /** Where the connection is lost, so is the transaction. */
    leave() {
      state = 'idle'
      connection
        .connected()
        ?.unsafe('ROLLBACK')
        .simple()
        .execute()
        .catch(() => undefined)
    },
    end: connection.end,
    abandon() {
      connection.cut()
      void connection.end()
    },
  }
}

const isBegin = (ahead: Ahead): ahead is Begin => typeof ahead === 'object' && 'begin' in ahead

/**
 * The server answers in order. After a statement that fails, the rest of its transaction fails too. But what ends the
 * transaction, or a part of it, is sent when all others have succeeded: should the client send one of them again, it would
 * be behind that end, and stay.
 */
async function send(client: PostgresClient, ahead: readonly Ahead[], step: Step): Promise<Rows> {
  const sent = ahead.map((each) => toAheadQuery(client, each).execute())
  const isEnd = step.is === 'commit' || step.is === 'rollback' || step.is === 'rollback to savepoint'
  if (isEnd) await Promise.all(sent)
  const [answer] = await Promise.all([sendStep(client, step), ...sent])
  return answer
}

async function sendStep(client: PostgresClient, step: Step): Promise<Rows> {
  switch (step.is) {
    case 'rows': {
      const result = await toQuery(client, step)
      return { rows: [...result], count: result.count ?? 0 }
    }
    case 'commit': {
      const { command } = await client.unsafe(toScript(step)).simple()
      if (command !== 'COMMIT') throw new Error('PostgreSQL has not committed')
      return noRows
    }
    case 'flush':
      return noRows
    default:
      await client.unsafe(toScript(step)).simple()
      return noRows
  }
}

function toScript(step: Exclude<Step, { readonly is: 'rows' } | { readonly is: 'flush' }>): string {
  switch (step.is) {
    case 'begin':
      return step.begin.text
    case 'commit':
      return 'COMMIT'
    case 'rollback':
      return 'ROLLBACK'
    case 'rollback to savepoint':
      return `ROLLBACK TO ${savepoint}`
    case 'script':
      return step.text
  }
}

/** One at a time is enough. */
export const savepoint = 'part'

function toAheadQuery(client: PostgresClient, ahead: Ahead) {
  if (typeof ahead === 'string') return client.unsafe(ahead).simple()
  return isBegin(ahead) ? client.unsafe(ahead.text).simple() : toQuery(client, ahead)
}

/** Values are texts, numbers, bytes and null. */
function toQuery(client: PostgresClient, { text, values, isOnce = false }: BoundStatement) {
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
