import type { Database } from './database.ts'
import type { Explain } from './explain-failure.ts'
import type { CheckListener, Finding } from './maintain/check/finding.ts'

/**
 * A store at one address: everything in which a file and a PostgreSQL database differ for a command. `openEngine` chooses
 * the kind; commands never ask for it.
 */
export interface Engine {
  /** `serve` has other thread programs for each. */
  readonly kind: 'sqlite' | 'postgres'
  /** The real path of the file, behind all links; or the address of the database, with its password. */
  readonly path: string
  /** The path or address for messages, without a password. */
  readonly shown: string
  /** What backs up and restores such a store; null where `rostrum backup` and `rostrum restore` do. */
  readonly backupTools: { readonly backup: string; readonly restore: string } | null
  /** Whether a mistyped address would name another, new store. Somebody has to create a PostgreSQL database first. */
  readonly mayBeMistyped: boolean
  readonly explain: Explain

  /** Whether there is anything at the address. */
  exists(): Promise<boolean>
  /** Refuses what is not a store of ours, and changes nothing. */
  inspect(): Promise<Inspected>
  /** Creates a new store, or upgrades an older one. */
  prepare(isNew: boolean): Promise<void>
  /** The same for a process that serves the store, with the lock that keeps a second one away. */
  prepareForServing(): Promise<StoreLock>
  /** Keeps processes that serve the store away, or fails if there is one. Any number may serve a PostgreSQL database. */
  lock(): StoreLock
  open(purpose: Purpose): Database

  readonly schema: { readonly known: number; read(db: Database): Promise<number> }
  readStoreId(db: Database): Promise<string>
  writeStoreId(db: Database, id: string): Promise<void>
  /** Removes what is derived from records, except names. */
  clearDerived(db: Database): Promise<void>
  /** Runs `work`, which fills an empty store within the open transaction. */
  loadInBulk<T>(db: Database, work: () => Promise<T>, onIndexes: () => void): Promise<T>
  /** Everything that is wrong with the store, at one moment; it may be served meanwhile. */
  check(listener: CheckListener): AsyncIterable<Finding>
  /**
   * Overwrites what erased records leave behind; false where a reader of the log prevents it. Null where the database
   * does it in its own time.
   */
  readonly wipeErased: (() => Promise<boolean>) | null
}

export interface Inspected {
  readonly isNew: boolean
}

export interface StoreLock {
  release(): void
}

/** `read` never changes the store, not even its schema. `import` and `move` write a lot at once. */
export type Purpose = 'read' | 'write' | 'import' | 'move'
