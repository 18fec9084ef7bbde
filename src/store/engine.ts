import type { Database } from './database.ts'
import type { Explain } from './explain-failure.ts'
import type { CheckListener, StoreProblem } from './maintain/check/problem.ts'
import type { FindMatches } from './write/batch/selection-rows.ts'

/**
 * A store at one address: everything that differs between a file and a PostgreSQL database for a command. `openEngine`
 * chooses the kind; commands do not depend on it.
 */
export interface Engine {
  /** `serve` starts different threads for each. */
  readonly kind: 'sqlite' | 'postgres'
  /** The real path of the file, behind all links; or the address of the database, with its password. */
  readonly path: string
  /** The path or address for messages, without a password. */
  readonly shown: string
  /** The tools that back up and restore such a store; null if `rostrum backup` and `rostrum restore` do. */
  readonly backupTools: { readonly backup: string; readonly restore: string } | null
  /** Whether a mistyped address would create a new store. A PostgreSQL database has to exist first. */
  readonly mayBeMistyped: boolean
  readonly explain: Explain

  /** Whether there is anything at the address. */
  exists(): Promise<boolean>
  /** Throws if this is not a Rostrum store, or one of a newer schema (decision 4). Changes nothing. */
  inspect(): Promise<Inspected>
  /** Creates a new store. If another process creates one meanwhile, that one stays. */
  create(): Promise<void>
  /**
   * For `serve` and `upgrade`: creates a new store, or upgrades an older one unless another process has it (decision
   * 66). The lock excludes a second server of a file (decision 30). `keepsCopy`: of a file, before it is upgraded.
   */
  prepare(keepsCopy: boolean): Promise<Prepared>
  /** Risks that an operator should know before the store is served. */
  findRisks(): Promise<readonly StoreRisk[]>
  /** Excludes servers, or throws if one is running. A PostgreSQL database may have any number of them. */
  lock(): StoreLock
  open(purpose: Purpose): Database

  /** For selections of records by filters. */
  createFindMatches(db: Database): FindMatches

  /** The schema that this program needs. */
  readonly schema: number
  readStoreId(db: Database): Promise<string>
  /** Also ends all sessions. */
  writeStoreId(db: Database, id: string): Promise<void>
  /** Whether another tool has restored the store. Then it gets a new id, and all sessions end (decision 68). */
  noticeRestore(): Promise<boolean>
  /** Deletes all derived data except names. */
  clearDerived(db: Database): Promise<void>
  /** Runs `work`, which fills an empty store within the open transaction. */
  loadInBulk<T>(db: Database, work: () => Promise<T>, onIndexes: () => void): Promise<T>
  /** Everything that is wrong with the store, in one snapshot; works while the server is running. */
  check(listener: CheckListener): AsyncIterable<StoreProblem>
  /**
   * Overwrites the remains of erased records (decision 11); false if a reader of the write-ahead log prevents it. Null if the
   * database does it by itself, later.
   */
  readonly wipeErased: (() => Promise<boolean>) | null
}

export interface Inspected {
  readonly isNew: boolean
  /** How many migrations the store has; 0 for a new one. */
  readonly schema: number
}

export interface Prepared {
  readonly lock: StoreLock
  /** Null if there was nothing to upgrade. */
  readonly upgraded: Upgraded | null
}

export interface Upgraded {
  readonly from: number
  readonly to: number
  readonly ms: number
  /** The file that has the store as it was before; null if none was kept. */
  readonly copy: string | null
}

/** A store that works, but unsafely or slowly. */
export interface StoreRisk {
  readonly event: 'unsafe database' | 'slow database'
  readonly why: string
}

interface StoreLock {
  release(): void
}

/** `read` never changes the store, not even its schema. `import` and `move` write many rows per transaction. */
export type Purpose = 'read' | 'write' | 'import' | 'move'

/** A new id for a store whose changes followers must not mistake for those of another (decision 37). */
export function createStoreId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** The store id in event ids, before the dot. */
export const storeIdPattern = /^[0-9a-z-]{16,64}$/
