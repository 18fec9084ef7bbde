import type { VideoRecord } from './record.ts'

type State = VideoRecord['state']

/** What decides whether an import makes a record live or a draft; 1 is live, 2 a draft. */
export interface ImportedState {
  readonly current: State
  /** The state in the source; undefined if the source has none. */
  readonly imported: State | undefined
  /** The source took the record down before, and has no state for it now. */
  readonly wasTakenDown: boolean
  /** The record is a draft only because the import that made it live was undone. */
  readonly wasUndone: boolean
  /** Another source took the record down. */
  readonly isTakenDownElsewhere: boolean
  /** The import creates drafts and publishes nothing. */
  readonly isDraftsOnly: boolean
}

/** The state an import asks for, null to leave it alone; and whether a takedown prevails over it (decision 29). */
export function decideImportedState(given: ImportedState): {
  readonly state: State | null
  readonly staysDraft: boolean
} {
  const wanted = given.imported ?? (given.wasUndone ? 1 : null)
  const state = wanted === 1 && given.current === 2 && given.isDraftsOnly ? null : wanted
  const staysDraft = given.wasTakenDown || (state === 1 && given.isTakenDownElsewhere)
  return { state: staysDraft ? null : state, staysDraft }
}
