import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchState } from '../../change-log.ts'
import type { BatchPart } from '../names/name-change.ts'

/** The rename of a category, which changes all its records in one batch. */
export interface CategoryRename {
  readonly categoryId: number
  readonly from: string
  readonly to: string
}

/** An Idempotency-Key with the hash of its request. */
export interface BatchKey {
  readonly key: string
  /** SHA-256, in hex. */
  readonly request: string
}

export interface NewBatch {
  readonly kind: BatchKind
  readonly at: Timestamp
  readonly author: string
  readonly reason: string | null
  readonly undoes: number | null
  readonly rename: CategoryRename | null
  /** What it does besides changing fields of records. */
  readonly parts?: readonly BatchPart[]
  /** `running`: this writer processes it. */
  readonly state: BatchState
  readonly total: number
  readonly key: BatchKey | null
}

/** Progress of a batch. */
export interface BatchProgress {
  readonly done: number
  readonly changed: number
  readonly unchanged: number
  readonly lastId: number
}

export interface BatchNote {
  readonly id: number
  readonly kind: 'left' | 'refused'
  readonly why: string
  readonly fields: readonly string[]
}
