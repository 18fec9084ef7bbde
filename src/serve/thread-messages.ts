import type { Config } from '../config.ts'

/** What the threads share: counters, and nothing else. */
export interface SharedBuffers {
  readonly versions: SharedArrayBuffer
  readonly primary: SharedArrayBuffer
  readonly metrics: SharedArrayBuffer
  readonly wrongTokens: SharedArrayBuffer
  readonly writes: SharedArrayBuffer
}

/** The store's own threads that are asked: one that writes, one that lists and searches. */
export type StoreThreadName = 'writer' | 'query'

/** Everything an HTTP thread needs to begin. Keys come as hashes only. */
export interface HttpPlan {
  readonly thread: number
  readonly config: Omit<Config, 'adminToken'>
  readonly adminKeyHash: Uint8Array | null
  readonly port: number
  readonly reusePort: boolean
  readonly version: string
  /** How old the process was when this was sent: threads' own clocks begin with each thread. */
  readonly uptimeMs: number
  readonly shared: SharedBuffers
}

/** Main -> HTTP thread. */
export type HttpOrder =
  | { readonly is: 'start'; readonly plan: HttpPlan }
  | { readonly is: 'store'; readonly name: StoreThreadName; readonly port: MessagePort }
  | { readonly is: 'store-gone'; readonly name: StoreThreadName }
  /** Answered by `pong`, at once unless the thread is busy. */
  | { readonly is: 'ping' }
  | { readonly is: 'stop' }

/** HTTP thread -> main. */
export type HttpNotice =
  | { readonly is: 'ready' | 'pong' | 'stopped' }
  | { readonly is: 'failed'; readonly problem: string }
