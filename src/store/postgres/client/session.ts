import { toErrorCode } from '../../../error-code.ts'
import { nameHost, PostgresFailure, refusedConnection, toFailureReport } from '../failure.ts'
import { createTimeline, type NodeMemory } from '../primary/timeline.ts'
import type { PostgresClient } from './client.ts'
import { createReconnectingClient } from './reconnecting-client.ts'

export interface BoundStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Runs without preparing, for texts that are not repeated. */
  readonly isOnce?: boolean
}

/** Begins a transaction; `text` is one or more statements. */
interface Begin {
  readonly begin: 'read' | 'write'
  readonly text: string
}

/** A statement that is sent ahead of a step in the same round trip. */
export type Ahead = string | BoundStatement | Begin

export type SessionStep =
  | (BoundStatement & { readonly is: 'rows' })
  /** One or more statements without values. */
  | { readonly is: 'script'; readonly text: string }
  | { readonly is: 'begin'; readonly begin: Begin }
  | { readonly is: 'commit' | 'rollback' | 'rollback to savepoint' }
  /** Sends only the statements ahead of it. */
  | { readonly is: 'flush' }

export interface Rows {
  readonly rows: readonly object[]
  readonly count: number
}

/**
 * `cut`: the connection was lost within a transaction, and no caller has got the error yet. Until then no statement may
 * run, because it would run outside the transaction.
 */
type SessionState = 'idle' | 'reading' | 'writing' | 'cut'

/** One connection and its open transaction. Runs one step at a time. */
export interface Session {
  state(): SessionState
  /** Sends everything in one round trip, and waits for all results. Rejects with a `PostgresFailure`. */
  run(ahead: readonly Ahead[], step: SessionStep): Promise<Rows>
  /** Ends a read transaction without waiting. */
  leave(): void
  end(): Promise<void>
  /** The host that is used, for messages. */
  hostName(): string
  /** Closes a connection that does not respond. */
  abandon(): void
}

/**
 * The routine that warns that a commit was not confirmed by a replica, so that it may not survive a failover. The name
 * of the routine is not translated, unlike the text; without a name, any warning during a commit counts.
 */
const unconfirmedRoutine = 'SyncRepWaitForLSN'

/** SQLSTATEs of a stale prepared statement, and 25P02 for the statements pipelined behind it. */
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

  /** Reports the loss once; the next statement is outside any transaction. */
  function failCut(): never {
    state = 'idle'
    throw new PostgresFailure('CONNECTION_CLOSED', nameHost('the connection was lost', connection.hostName()), true)
  }

  function refuseDoubt(): void {
    const doubt = connection.doubt()
    if (doubt !== null) throw new PostgresFailure('UNCONFIRMED', doubt, false)
  }

  async function sendAll(ahead: readonly Ahead[], step: SessionStep): Promise<Rows> {
    const begin = step.is === 'begin' ? step.begin : ahead.find(isBegin)
    if (state === 'cut' && begin === undefined) failCut()
    isUnconfirmed = false
    isCommitting = step.is === 'commit'
    const client = await connection.connect()
    // `connect` cuts the transaction if another server has become the primary.
    if (isCut() && begin === undefined) failCut()
    if (begin?.begin === 'write') refuseDoubt()
    if (begin !== undefined) state = begin.begin === 'read' ? 'reading' : 'writing'
    const answer = await send(client, ahead, step)
    const isEnd = step.is === 'commit' || step.is === 'rollback'
    // Within a write transaction, no result leaves the writer before the COMMIT.
    const isPart = state === 'writing' && !isEnd
    if (!isPart && !(await connection.isCurrent(client)))
      throw refusedConnection('MOVED_ON', `another server than ${connection.hostName()} is the primary now`)
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
        // read_only_sql_transaction: such a session may not write outside a transaction either.
        if (toErrorCode(error) === '25006') refuseDoubt()
        const { code, message, isLost } = toFailureReport(error, connection.hostName())
        // postgres.js resends a stale statement by itself, and then mixes up the results of pipelined ones.
        const isMixedUp = ahead.length > 0 && staleStates.includes(code)
        const hasEnded = isLost || isMixedUp || step.is === 'commit' || step.is === 'rollback'
        // Closing the connection rolls the transaction back.
        if (isMixedUp || step.is === 'rollback' || (step.is === 'commit' && ahead.length > 0)) connection.cut()
        if (hasEnded) state = 'idle'
        throw new PostgresFailure(code, message, isLost || isMixedUp)
      }
    },
    /** If the connection is lost, the server rolls back by itself. */
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
    hostName: connection.hostName,
    abandon() {
      connection.cut()
      void connection.end()
    },
  }
}

const isBegin = (ahead: Ahead): ahead is Begin => typeof ahead === 'object' && 'begin' in ahead

/**
 * The server runs statements in order, and after a failed one the rest of the transaction fails. COMMIT and ROLLBACK
 * are sent only after all others have succeeded: if the client resent a stale statement, it would run after the end of
 * the transaction, and its effect would stay.
 */
async function send(client: PostgresClient, ahead: readonly Ahead[], step: SessionStep): Promise<Rows> {
  const sent = ahead.map((each) => toAheadQuery(client, each).execute())
  const isEnd = step.is === 'commit' || step.is === 'rollback' || step.is === 'rollback to savepoint'
  if (isEnd) await Promise.all(sent)
  const [answer] = await Promise.all([sendStep(client, step), ...sent])
  return answer
}

async function sendStep(client: PostgresClient, step: SessionStep): Promise<Rows> {
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
    case 'begin': {
      // One list of rows per statement; each statement but SELECT has none.
      const results: readonly object[] = await client.unsafe(toScript(step)).simple()
      return { rows: results.flat(), count: 0 }
    }
    default:
      await client.unsafe(toScript(step)).simple()
      return noRows
  }
}

function toScript(step: Exclude<SessionStep, { readonly is: 'rows' } | { readonly is: 'flush' }>): string {
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

/** Savepoints are not nested. */
export const savepoint = 'part'

function toAheadQuery(client: PostgresClient, ahead: Ahead) {
  if (typeof ahead === 'string') return client.unsafe(ahead).simple()
  return isBegin(ahead) ? client.unsafe(ahead.text).simple() : toQuery(client, ahead)
}

/** Values are strings, numbers, bytes and null. */
function toQuery(client: PostgresClient, { text, values, isOnce = false }: BoundStatement) {
  // `simple` is missing in the client's types. By default a statement without values would be planned again each time.
  const options = { prepare: !isOnce, simple: false }
  // The values that `Database` allows are those that the client accepts.
  return client.unsafe(text, values.map(toParameter) as never[], options)
}

function toParameter(value: unknown): unknown {
  // PostgreSQL rejects NUL. No stored text has control characters, so another one matches nothing either.
  if (typeof value === 'string' && value.includes('\u0000')) return value.replaceAll('\u0000', '\u0001')
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value
}
