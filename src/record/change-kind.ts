import type { VideoRecord } from './record.ts'

/** What a version was for those who read live records only; a draft's own changes count as the same for the others. */
export type ChangeKind = 'created' | 'updated' | 'withdrawn'

type State = VideoRecord['state']

/** `before` is null for a new record. One that becomes public again counts as created. */
export function toChangeKind(before: State | null, after: State): ChangeKind {
  if (before === null || (before === 2 && after === 1)) return 'created'
  return before === 1 && after === 2 ? 'withdrawn' : 'updated'
}
