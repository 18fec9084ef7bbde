import type { Config } from '../config.ts'

/** What the threads share: counters, and nothing else. */
export interface SharedBuffers {
  readonly versions: SharedArrayBuffer
  readonly metrics: SharedArrayBuffer
  readonly wrongTokens: SharedArrayBuffer
  readonly writes: SharedArrayBuffer
}

/** Everything an HTTP thread needs to begin. Keys come as hashes only. */
export interface HttpPlan {
  readonly thread: number
  readonly config: Omit<Config, 'adminToken'>
  readonly adminKeyHash: Uint8Array | null
  readonly port: number
  readonly reusePort: boolean
  readonly version: string
  readonly startedMs: number
  readonly shared: SharedBuffers
}

/** Main -> HTTP thread. */
export type HttpOrder =
  | { readonly is: 'start'; readonly plan: HttpPlan; readonly writer: MessagePort }
  | { readonly is: 'writer'; readonly port: MessagePort }
  | { readonly is: 'writer-gone' }
  | { readonly is: 'stop' }

/** HTTP thread -> main. */
export type HttpNotice = { readonly is: 'ready' | 'stopped' } | { readonly is: 'failed'; readonly problem: string }
