import type { Problem } from '../../../http/problem/problem-codes.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { respondEditPage } from '../respond-edit.ts'
import { findMove } from '../video/editor-actions.ts'
import { findPlace } from '../video/list-place.ts'
import { listOthersChanges } from '../video/others-changes.ts'
import { Refusal } from '../video/refusal.tsx'
import type { Submission } from '../video/submission.ts'
import { type ConflictPage, renderConflictPage } from './conflict-page.tsx'

export interface ShownConflict extends Pick<ConflictPage, 'base' | 'theirs' | 'yours' | 'chosen' | 'errors'> {
  /** Why the choice was not saved. */
  readonly problem?: Problem
}

/** Others changed the same fields: the three sides of each, to choose from. */
export async function respondConflict(
  submission: Submission,
  status: number,
  { problem, ...shown }: ShownConflict,
): Promise<TextAnswer> {
  const { call, needs, site, caller, reason, action, form } = submission
  const between = { id: shown.base.id, after: shown.base.version, before: shown.theirs.version + 1 }
  const authors = new Set((await listOthersChanges(needs.store, between)).map(({ by }) => by))
  const [by = null, ...others] = authors
  const html = renderConflictPage({
    ...{ site, caller, reason, action },
    place: await findPlace(call, needs, caller, shown.theirs.record),
    ...shown,
    ...(problem === undefined ? {} : { notices: Refusal(problem) }),
    move: findMove(action, form.get('move'), shown.theirs.record),
    by: others.length > 0 ? null : by,
  })
  return { ...respondEditPage(call, html), status }
}
