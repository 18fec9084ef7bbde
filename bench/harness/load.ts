/** What is asked of a server during one run. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Over all connections; null: each connection asks again as soon as it has its answer. */
  readonly perSecond: number | null
  readonly work: Work
  /** Whoever puts this load on gives way to those who measure another: clients do not share a server's cores in life. */
  readonly givesWay?: boolean
}

export type Work = RepeatedRequest | Rotation | Spread | Writes | Mix

export interface Ask {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
}

/** The same request over and over, each answer of the same size. */
export interface RepeatedRequest extends Ask {
  readonly kind: 'repeat'
  readonly status: number
  /** Head and body. */
  readonly answerBytes: number
}

/** GETs of many addresses, one after the other, round and round. */
export interface Rotation {
  readonly kind: 'rotate'
  readonly targets: readonly string[]
  readonly headers?: Ask['headers']
}

/** GETs of records, whose ids stand in a file, one a line. */
export interface Spread {
  readonly kind: 'spread'
  readonly idsFile: string
}

/** Changes of whiteboards, each to a new text, going round a range of records. */
export interface Writes {
  /** A `put` sends the whole record, with no other field changed. */
  readonly kind: 'patch' | 'put'
  readonly token: string
  readonly firstId: number
  readonly records: number
}

/** GETs of the records that are written, so many of a hundred, and writes. */
export interface Mix {
  readonly kind: 'mix'
  readonly readPercent: number
  /** With the writer's token, who sees drafts too. */
  readonly readsAsWriter?: boolean
  readonly writes: Writes
}

/** What came of one run. */
export interface Sample {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The first thing that went wrong, and how many did; null when all went well. */
  readonly problem: string | null
}

/** A request's head as it goes over the wire. */
export function toHead(port: number, { method, target, headers }: Ask): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
}
