import { type Client, createClient } from './client.ts'
import { type FailureReport, toFailureReport } from './failure.ts'
import { raiseFlag } from './flag.ts'

declare const self: Worker

/** What a waiting thread asks for. */
export type IoAsk =
  | { readonly is: 'rows'; readonly text: string; readonly values: readonly unknown[] }
  /** One or more statements without parameters. */
  | { readonly is: 'script'; readonly text: string }
  | { readonly is: 'end' }

export type IoAnswer =
  | { readonly is: 'rows'; readonly rows: readonly object[]; readonly count: number }
  | { readonly is: 'failed'; readonly failure: FailureReport }

export interface IoStart {
  readonly address: string
  readonly port: MessagePort
  /** Set to 1 when an answer lies in the port. */
  readonly flag: SharedArrayBuffer
}

self.onmessage = ({ data: { address, port, flag } }: MessageEvent<IoStart>) => {
  const done = new Int32Array(flag)
  const run = createRunner(address)
  port.onmessage = async ({ data: ask }: { data: IoAsk }) => {
    port.postMessage(await run(ask))
    raiseFlag(done)
    if (ask.is === 'end') port.close()
  }
}

/** The server went on without waiting for its replicas: whether the commit outlives it is not known. */
const commitRemark = /^canceling.* wait for synchronous replication/

function createRunner(address: string): (ask: IoAsk) => Promise<IoAnswer> {
  /** The connection was lost in the middle of a transaction: nothing more may run as if it were still part of it. */
  let isCut = false
  let isOpen = false
  let isDoubtful = false
  const client = createClient(address, {
    connections: 1,
    onClose() {
      isCut = isOpen
    },
    onNotice(notice) {
      isDoubtful ||= commitRemark.test(notice.message ?? '')
    },
  })

  async function run(ask: IoAsk): Promise<IoAnswer> {
    if (ask.is === 'end') {
      await client.end({ timeout: 1 })
      return { is: 'rows', rows: [], count: 0 }
    }
    const word = /^\s*(\w+)/.exec(ask.text)?.[1]?.toUpperCase() ?? ''
    if (word === 'BEGIN') isCut = false
    if (isCut) return fail({ code: 'CONNECTION_CLOSED', message: 'the connection was lost', isLost: true })
    isDoubtful = false
    try {
      isOpen ||= word === 'BEGIN'
      const answer = await send(client, ask)
      if (word === 'COMMIT' || (word === 'ROLLBACK' && !/\bTO\b/i.test(ask.text))) isOpen = false
      return isDoubtful ? fail({ code: 'DOUBTFUL', message: 'no replica has confirmed', isLost: true }) : answer
    } catch (error) {
      const failure = toFailureReport(error)
      if (failure.isLost || word === 'COMMIT') isOpen = false
      return fail(failure)
    }
  }

  return run
}

async function send(client: Client, ask: Exclude<IoAsk, { is: 'end' }>): Promise<IoAnswer> {
  if (ask.is === 'script') {
    await client.unsafe(ask.text).simple()
    return { is: 'rows', rows: [], count: 0 }
  }
  // Values are what bun:sqlite takes: texts, numbers, bytes and null.
  const values = ask.values.map(toParameter) as never[]
  const result = await client.unsafe(ask.text, values, { prepare: true })
  return { is: 'rows', rows: [...result], count: result.count ?? 0 }
}

function toParameter(value: unknown): unknown {
  // PostgreSQL takes no NUL. No text of ours has any control character, so another one finds just as little.
  if (typeof value === 'string' && value.includes('\u0000')) return value.replaceAll('\u0000', '\u0001')
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value
}

const fail = (failure: FailureReport): IoAnswer => ({ is: 'failed', failure })
