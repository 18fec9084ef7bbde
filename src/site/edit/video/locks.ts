import type { Caller } from '../../../http/caller.ts'
import { hasRole } from '../../../record/command.ts'
import { fields } from '../../../record/fields.ts'
import type { VideoRecord } from '../../../record/record.ts'
import { live } from '../../../record/state.ts'

/** Changed by the buttons of the form, never by a control. */
export const lockedFields: readonly string[] = ['state']

/** The fields that the form has. */
export const editedFields = Object.fromEntries(Object.entries(fields).filter(([name]) => !lockedFields.includes(name)))

/** Why this person cannot change the talk; null if they can. The store judges, this is for the page. */
export function findLock({ role }: Caller, { state }: VideoRecord): 'reader' | 'live' | null {
  if (!hasRole(role, 'editor')) return 'reader'
  return state === live && !hasRole(role, 'publisher') ? 'live' : null
}
