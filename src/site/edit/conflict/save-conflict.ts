import { toStatus } from '../../../http/problem/problem-codes.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { parseReason } from '../../../record/command.ts'
import type { FieldErrors } from '../../../record/record.ts'
import { respondEditPage } from '../respond-edit.ts'
import { respondUnknownBase } from '../video/answer-form.ts'
import { findMove, withState } from '../video/editor-actions.ts'
import { findPlace } from '../video/list-place.ts'
import { editedFields } from '../video/locks.ts'
import { listOthersChanges } from '../video/others-changes.ts'
import { Refusal } from '../video/refusal.tsx'
import { type Sent, sendChanges } from '../video/send-changes.ts'
import { respondSaved, type Submission } from '../video/submission.ts'
import { findVersion, type TalkVersion } from '../video/talk-version.ts'
import { type ConflictPage, renderConflictPage } from './conflict-page.tsx'
import { parseConflict } from './parse-conflict.ts'

/** Others changed the same fields: the three sides of each, to choose from. */
export async function respondConflict(
  submission: Submission,
  { base, theirs, yours }: Extract<Sent, { is: 'conflict' }>,
): Promise<TextAnswer> {
  return respondPage(submission, 409, { base, theirs, yours })
}

/** The form of the conflict page. It can conflict again: then the sides are those of the newer conflict. */
export async function saveConflict(submission: Submission, current: TalkVersion): Promise<TextAnswer> {
  const { form, id, needs, call } = submission
  const base = await findVersion(needs.store, id, form.get('base'))
  const theirs = await findVersion(needs.store, id, form.get('etag'))
  if (base === null || theirs === null) return respondUnknownBase(submission, current)
  const parsed = parseConflict(form, { base: base.record, theirs: theirs.record, table: editedFields })
  const reason = parseReason(submission.reason)
  const again = { base, theirs, yours: parsed.chosen.yours, chosen: parsed.chosen }
  if (!parsed.ok || !reason.ok) {
    const errors: FieldErrors = new Map([
      ...(parsed.ok ? [] : parsed.errors),
      ...(reason.ok ? [] : [['reason', reason.problems] as const]),
    ])
    return respondPage(submission, 422, { ...again, errors })
  }
  const changes = withState(parsed.changes, submission.action, theirs.record)
  const sent = await sendChanges(needs, call, { base: theirs, changes, reason: reason.value })
  switch (sent.is) {
    case 'conflict':
      return respondConflict(submission, sent)
    case 'refused':
      return respondPage(submission, toStatus(sent.problem), { ...again, notices: Refusal(sent.problem) })
    default:
      return respondSaved(submission, sent, { base: theirs, shown: base })
  }
}

type Shown = Omit<ConflictPage, 'site' | 'caller' | 'place' | 'reason' | 'action' | 'move' | 'by'>

async function respondPage(submission: Submission, status: number, shown: Shown): Promise<TextAnswer> {
  const { call, needs, site, caller, reason, action, form } = submission
  const between = { id: shown.base.id, after: shown.base.version, before: shown.theirs.version + 1 }
  const authors = new Set((await listOthersChanges(needs.store, between)).map(({ by }) => by))
  const [by = null, ...others] = authors
  const html = renderConflictPage({
    ...{ site, caller, reason, action },
    place: await findPlace(call, needs, caller, shown.theirs.record),
    ...shown,
    move: findMove(action, form.get('move'), shown.theirs.record),
    by: others.length > 0 ? null : by,
  })
  return { ...respondEditPage(call, html), status }
}
