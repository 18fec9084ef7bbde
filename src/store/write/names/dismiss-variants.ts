import type { DismissCommand, Refusal } from '../../../record/command.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import { createDismissedTest } from '../../../record/variants/dismissal.ts'
import type { Outcome } from '../../store.ts'
import { findEarlier, refuse, rememberNoBatch, toBatchKey } from '../batch/plan.ts'
import type { RecordRows } from '../record-rows.ts'

/** Hides a group of names from the variants, or shows it again (decision 54). */
export async function dismissVariants(rows: RecordRows, command: DismissCommand, at: Timestamp): Promise<Outcome> {
  const { of, ids, isDismissed, author, isDryRun = false } = command
  const dismissal = { ids, isDismissed }
  const key = toBatchKey(command, ['dismiss variants', of, ids, isDismissed])
  const earlier = key === null ? null : await findEarlier(rows, author.name, key, at)
  if (earlier === 'no batch') return { is: 'dismissal', dismissal, isMade: false }
  if (earlier !== null) return refuse({ code: 'key_reused' })
  const unknown = await findUnknown(rows, command)
  if (unknown !== null) return refuse(unknown)
  const isMade = !isDryRun && (isDismissed ? await dismiss(rows, command, at) : await showAgain(rows, command))
  rememberNoBatch(rows, author.name, key, at)
  return { is: 'dismissal', dismissal, isMade }
}

async function findUnknown(rows: RecordRows, { of, ids }: DismissCommand): Promise<Refusal | null> {
  for (const id of ids) {
    if ((await rows.names[of].find(id)) !== null) continue
    return { code: 'bad_fields', errors: new Map([['ids', [`There is no ${of} with the id ${id}.`]]]) }
  }
  return null
}

/** Whether there was anything to do. */
async function dismiss(rows: RecordRows, { of, ids, author }: DismissCommand, at: Timestamp): Promise<boolean> {
  if (createDismissedTest(await rows.dismissals.list(of))(ids)) return false
  rows.dismissals.insert(of, ids, author.name, at)
  return true
}

/** Removes every dismissal that hides these names: the group may have been larger then. */
async function showAgain(rows: RecordRows, { of, ids }: DismissCommand): Promise<boolean> {
  const hiding = (await rows.dismissals.list(of)).filter((dismissed) => createDismissedTest([dismissed])(ids))
  for (const dismissed of hiding) rows.dismissals.remove(of, dismissed)
  return hiding.length > 0
}
