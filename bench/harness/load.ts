/** The load of one run. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Over all connections; null: each connection sends its next request as soon as it has a response. */
  readonly perSecond: number | null
  readonly work: Work
  /** Runs this load at a lower priority than a measured one: in production, clients do not share the server's cores. */
  readonly givesWay?: boolean
}

type Work = RepeatedRequest | Rotation | Spread | Writes | Mix

export interface Ask {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
}

/** The same request repeatedly, with responses of the same size. */
export interface RepeatedRequest extends Ask {
  readonly kind: 'repeat'
  readonly status: number
  /** Head and body. */
  readonly answerBytes: number
}

/** GETs of many URLs in a cycle. */
export interface Rotation {
  readonly kind: 'rotate'
  readonly targets: readonly string[]
  readonly headers?: Ask['headers']
}

/** GETs of records whose ids are in a file, one per line. */
export interface Spread {
  readonly kind: 'spread'
  readonly idsFile: string
}

/** Changes of whiteboards, each to a new text, cycling through a range of records. */
export interface Writes {
  /** A `put` sends the whole record, with no other field changed. */
  readonly kind: 'patch' | 'put'
  readonly token: string
  readonly firstId: number
  readonly records: number
}

/** Writes, mixed with a percentage of GETs of the same records. */
export interface Mix {
  readonly kind: 'mix'
  readonly readPercent: number
  /** With the writer's token, so that drafts are visible too. */
  readonly readsAsWriter?: boolean
  readonly writes: Writes
}

/** The result of one run. */
export interface Sample {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The first failure and the number of failures; null if there were none. */
  readonly problem: string | null
}

/** The head of a request as sent. */
export function toHead(port: number, { method, target, headers }: Ask): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
}
