import type { ChangeCommand, CreateCommand } from '../../record/command.ts'
import { type Decision, decide } from '../../record/decide.ts'
import { fromBody, toBody } from '../../record/json/body-bytes.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome, StoredRecord } from '../store.ts'
import type { RecordRows } from './record-rows.ts'

/** Changes one record, alone or as part of a batch. */
export async function change(
  rows: RecordRows,
  command: ChangeCommand,
  at: Timestamp,
  batch: number | null = null,
): Promise<Outcome> {
  const stored = await rows.read(command.id)
  if (stored === null)
    return { is: 'refused', refusal: { code: (await rows.isErased(command.id)) ? 'gone' : 'not_found' } }
  const { mergeBase } = command.precondition
  const changedSinceBase = mergeBase === undefined ? null : await rows.versions.listChangedSince(stored.id, mergeBase)
  const current = { record: fromBody(stored.body), versionTag: stored.versionTag, changedSinceBase }
  return write(rows, stored, decide(current, command, at), command, batch)
}

/** Stores an accepted change, unless it is a dry run. `before` is null for a new record. */
export async function write(
  rows: RecordRows,
  before: StoredRecord | null,
  decision: Decision,
  command: CreateCommand | ChangeCommand,
  batch: number | null,
): Promise<Outcome> {
  if (decision.is === 'refused') return decision
  if (decision.is === 'accepted') {
    const { record, changed } = decision
    if (command.isDryRun) return { is: 'dry run', body: toBody(record) }
    const { author, reason = null } = command
    return {
      is: 'stored',
      stored: await rows.store({ record, before, changed, author: author.name, reason, batch }),
      changed,
    }
  }
  if (before === null) throw new Error('only what exists can stay unchanged')
  return command.isDryRun ? { is: 'dry run', body: before.body } : { is: 'unchanged', stored: before }
}
