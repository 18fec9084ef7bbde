import type { MergeNamesCommand } from '../../../record/command.ts'
import { isStale } from '../../../record/decide.ts'
import { toNameTag } from '../../../record/name.ts'
import { toMerged, toNoSuchName, toSameEntry } from '../../../record/name-refusals.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { Outcome } from '../../store.ts'
import { type BegunSlices, toRunning } from '../batch/batch-job.ts'
import { toBatchKey } from '../batch/batch-key.ts'
import type { RecordRows } from '../record-rows.ts'
import { createListRename } from './list-rename.ts'
import { findRepeated, refuse, runNameBatch, toDryRunReport } from './name-batch.ts'
import { type NameChange, toNameDigest } from './name-change.ts'
import type { NameEntry } from './name-entries.ts'

/** Makes a speaker or tag an alias of another, which all its records get instead (ADR 52). */
export async function mergeNames(
  rows: RecordRows,
  command: MergeNamesCommand,
  at: Timestamp,
): Promise<Outcome | BegunSlices> {
  const { of, nameId, into } = command
  const kind = `merge ${of}` as const
  const key = toBatchKey(command, ['merge', of, nameId, into, command.reason ?? null])
  const repeated = await findRepeated(rows, command, key, at)
  if (repeated !== null) return repeated
  const entries = rows.names[of]
  const [row, target] = [await entries.find(nameId), await entries.find(into)]
  if (row === null) return refuse(toNoSuchName(of))
  const stopped = await rows.batches.findStoppedNames(
    kind,
    ({ rows: [from, to] }) => from?.row === nameId && to?.row === into,
  )
  const isResumed = stopped !== null && row.mergedInto === into
  const current = isResumed ? row : await entries.findCurrent(row)
  if (current === null) return refuse(toNoSuchName(of))
  if (current.id !== row.id) return refuse(toMerged(of, row.id, current.id))
  if (isStale(command.precondition ?? {}, { versionTag: toNameTag(row), updated: '' })) return refuse({ code: 'stale' })
  const currentTarget = target === null ? null : await entries.findCurrent(target)
  if (target === null || currentTarget === null) return refuse(toNoTarget(of))
  if (currentTarget.id === row.id) return refuse(toSameEntry(of, row.id))
  if (currentTarget.id !== target.id) return refuse(toMerged(of, target.id, currentTarget.id))
  const names = toChange(of, row, target)
  const running = await rows.batches.findRunningNames(names)
  if (running !== null) return refuse(toRunning(running))
  const ids = await entries.listRecords(row.id)
  if (command.isDryRun) return { is: 'batch', batch: toDryRunReport(command, kind, ids.length, at), ids: [] }
  if (target.mergedInto !== null) entries.set(target.id, null)
  entries.set(row.id, target.id)
  const findChanges = createListRename(rows, { of, rowId: row.id, from: row.name, to: target.name })
  return runNameBatch(rows, command, { kind, names, key, stopped: isResumed ? stopped : null, ids, findChanges }, at)
}

function toChange(of: 'speaker' | 'tag', row: NameEntry, target: NameEntry): NameChange {
  return {
    kind: of,
    exchanged: null,
    rows: [
      { row: row.id, name: toNameDigest(row.name), from: row.mergedInto, to: target.id },
      { row: target.id, name: toNameDigest(target.name), from: target.mergedInto, to: null },
    ],
    filled: null,
  }
}

const toNoTarget = (of: string) => ({
  code: 'bad_fields' as const,
  errors: new Map([['into', [`There is no ${of} with this id.`]]]),
})
