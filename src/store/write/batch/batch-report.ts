import type { BulkCommand, CategoryCommand, UndoCommand } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { BatchKind, BatchReport, BatchState } from '../../change-log.ts'
import { type BatchPart, toOthers } from '../names/name-change.ts'
import type { BatchNote, BatchProgress } from './new-batch.ts'

const maxNamed = 1_000

export interface ReportedBatch {
  readonly id: number | null
  readonly at: Timestamp
  readonly command: Pick<UndoCommand | CategoryCommand | BulkCommand, 'author' | 'reason'>
  readonly kind: BatchKind
  readonly state: BatchState
  readonly undoes: number | null
  readonly total: number
  readonly progress: Omit<BatchProgress, 'lastId'>
  readonly notes: readonly BatchNote[]
  readonly parts?: readonly BatchPart[]
}

/** The report of a batch that has no row, or whose row is not committed. `max`: how many notes of each kind it has. */
export function toReport(batch: ReportedBatch, max = maxNamed): BatchReport {
  const { id, at, command, kind, state, undoes, total, notes, parts = [] } = batch
  const { done, changed, unchanged } = batch.progress
  const refused = notes.filter((note) => note.kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  const left = notes.filter((note) => note.kind === 'left').map(({ id, fields, why }) => ({ id, fields, why }))
  return {
    id,
    at,
    by: command.author.name,
    reason: command.reason ?? null,
    kind,
    state,
    total: Math.max(total, done),
    done,
    changed,
    unchanged,
    refused: refused.slice(0, max),
    refused_count: refused.length,
    // Notes of kind `left` have no other reasons.
    left: left.slice(0, max) as BatchReport['left'],
    left_count: left.length,
    others: toOthers(parts).slice(0, max),
    records: changed,
    undoes,
    undone_by: null,
  }
}
