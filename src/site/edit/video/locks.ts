import type { Caller } from '../../../http/caller.ts'
import { hasRole } from '../../../record/command.ts'
import type { VideoRecord } from '../../../record/record.ts'
import { live } from '../../../record/state.ts'

/** Changed by the buttons of the form, never by a control. */
export const lockedFields: readonly string[] = ['state']

/** Why this person cannot change the talk; null if they can. The store judges, this is for the page. */
export function findLock({ role }: Caller, { state }: VideoRecord): 'reader' | 'live' | null {
  if (!hasRole(role, 'editor')) return 'reader'
  return state === live && !hasRole(role, 'publisher') ? 'live' : null
}
