import type { Command, Mark, Refusal, Role } from '../record/command.ts'
import type { WritableName } from '../record/fields.ts'
import type { ListQuery } from '../record/query.ts'
import type { Timestamp } from '../record/timestamp.ts'

/** A record as it lies in the store: the bytes we serve, and what is needed to serve them. */
export interface StoredRecord {
  readonly id: number
  readonly version: number
  readonly mark: Mark
  readonly state: number
  readonly updated: Timestamp
  readonly body: Uint8Array
}

export type Failure = 'full' | 'busy' | 'down' | 'unknown' | 'bug'

export type Outcome =
  | { readonly is: 'stored'; readonly stored: StoredRecord; readonly changed: readonly WritableName[] }
  | { readonly is: 'unchanged'; readonly stored: StoredRecord }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** `unknown`: the write may or may not have happened. The others: it has not. */
  | { readonly is: 'failed'; readonly failure: Failure }

export interface ListPage {
  readonly page: number
  readonly count: number
  readonly bodies: readonly Uint8Array[]
}

export interface Token {
  readonly id: number
  readonly name: string
  readonly role: Role
}

/**
 * Where records live. Promises:
 * - `execute` answers `stored` only after the change is on disk with its version; it survives kill -9 and power loss.
 * - Once `execute` has answered, every read on every thread sees that change or a later one.
 * - A refused or failed command leaves no trace: no version, no category.
 * - Changes of other processes are seen within 200 ms.
 */
export interface Store {
  read(id: number): StoredRecord | null
  list(query: ListQuery): ListPage
  execute(command: Command): Promise<Outcome>
  /** The token with this SHA-256, unless revoked. */
  findToken(hash: Uint8Array): Token | null
  /** Remembers that a token was used; written with the next group, lost at most on a crash. */
  noteTokenUse(id: number): void
  /** Changes whenever tokens may have changed. */
  tokensCounter(): number
  /** Whether writes can be taken now. */
  isReady(): boolean
  /** Lets go of this thread's connection; nothing may be asked afterwards. */
  close(): void
}
