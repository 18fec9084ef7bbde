import type { Config } from '../config.ts'
import type { Engine } from '../store/engine.ts'
import type { StoreMemory } from './port/messages.ts'

/** What the threads share: counters, and nothing else. */
export interface SharedBuffers extends StoreMemory {
  readonly metrics: SharedArrayBuffer
  readonly wrongTokens: SharedArrayBuffer
  readonly writes: SharedArrayBuffer
}

/** A thread of the store that HTTP threads send requests to. */
export type StoreThread = 'writer' | { readonly query: number }

/** Everything an HTTP thread needs to begin. Keys come as hashes only. */
export interface HttpPlan {
  readonly thread: number
  readonly config: Omit<Config, 'adminToken'>
  readonly engine: Engine['kind']
  readonly adminKeyHash: Uint8Array | null
  readonly port: number
  readonly reusePort: boolean
  readonly version: string
  /** The age of the process when this was sent: each thread's clock starts with the thread. */
  readonly uptimeMs: number
  readonly shared: SharedBuffers
}

/** Main -> HTTP thread. */
export type HttpOrder =
  | { readonly is: 'start'; readonly plan: HttpPlan }
  | { readonly is: 'store'; readonly from: StoreThread; readonly port: MessagePort }
  | { readonly is: 'store-gone'; readonly from: StoreThread }
  /** Answered by `pong`, at once unless the thread is busy. */
  | { readonly is: 'ping' }
  | { readonly is: 'stop' }

/** HTTP thread -> main. */
export type HttpNotice =
  | { readonly is: 'ready' | 'pong' | 'stopped' }
  | { readonly is: 'failed'; readonly problem: string }
