import { toStatus } from '../../../http/problem/problem-codes.ts'
import type { TextAnswer, Unrendered } from '../../../http/route.ts'
import { parseReason } from '../../../record/command.ts'
import type { FieldErrors } from '../../../record/record.ts'
import { withState } from '../video/editor-actions.ts'
import { editedFields } from '../video/locks.ts'
import { type SavePage, toUnknownBase } from '../video/save-page.ts'
import { type Sent, sendChanges } from '../video/send-changes.ts'
import { respondSaved, type SentSubmission } from '../video/submission.ts'
import { findVersion, type TalkVersion } from '../video/talk-version.ts'
import type { ShownConflict } from './answer-conflict.ts'
import { parseConflict } from './parse-conflict.ts'

export function toConflict({ base, theirs, yours }: Extract<Sent, { is: 'conflict' }>): Unrendered<SavePage> {
  return toPage(409, { base, theirs, yours })
}

/** The form of the conflict page. It can conflict again: then the sides are those of the newer conflict. */
export async function saveConflict(
  submission: SentSubmission,
  current: TalkVersion,
): Promise<TextAnswer | Unrendered<SavePage>> {
  const { form, id, needs, call } = submission
  const base = await findVersion(needs.store, id, form.get('base'))
  const theirs = await findVersion(needs.store, id, form.get('etag'))
  if (base === null || theirs === null) return toUnknownBase(submission, current)
  const parsed = parseConflict(form, { base: base.record, theirs: theirs.record, table: editedFields })
  const reason = parseReason(submission.reason)
  const again = { base, theirs, yours: parsed.chosen.yours, chosen: parsed.chosen }
  if (!parsed.ok || !reason.ok) {
    const errors: FieldErrors = new Map([
      ...(parsed.ok ? [] : parsed.errors),
      ...(reason.ok ? [] : [['reason', reason.problems] as const]),
    ])
    return toPage(422, { ...again, errors })
  }
  const changes = withState(parsed.changes, submission.action, theirs.record)
  const sent = await sendChanges(needs, call, { base: theirs, changes, reason: reason.value })
  switch (sent.is) {
    case 'conflict':
      return toConflict(sent)
    case 'refused':
      return toPage(toStatus(sent.problem), { ...again, problem: sent.problem })
    default:
      return respondSaved(submission, sent, { base: theirs, shown: base })
  }
}

const toPage = (status: number, shown: ShownConflict): Unrendered<SavePage> => ({
  unrendered: { is: 'conflict', status, shown },
})
