import { Refused } from '../../../http/problem/problem.ts'
import { toStatus } from '../../../http/problem/problem-codes.ts'
import type { HttpCall, TextAnswer, Unrendered } from '../../../http/route.ts'
import { parseReason } from '../../../record/command.ts'
import type { Changes, FieldErrors } from '../../../record/record.ts'
import type { SiteHttpNeeds } from '../../site.ts'
import { saveConflict, toConflict } from '../conflict/save-conflict.ts'
import { withoutSame } from '../conflict/sides.ts'
import { type ParsedForm, parseForm, type Typed } from '../form/parse-form.ts'
import { findNewNames } from '../pick/new-names.ts'
import { respondForm } from './answer-form.ts'
import { withState } from './editor-actions.ts'
import { editedFields } from './locks.ts'
import { respondLost } from './lost-talk.tsx'
import { type SavePage, toUnknownBase } from './save-page.ts'
import { sendChanges, tryChanges } from './send-changes.ts'
import { openSubmission, respondSaved, type SentSubmission, type Submission } from './submission.ts'
import { findTalk, findVersion, type TalkVersion } from './talk-version.ts'

type Saved = TextAnswer | Unrendered<SavePage>

/** The form of a talk. Whatever happens, what was typed is saved or shown again (ADR 59). */
export async function saveTalk(call: HttpCall<'id'>, needs: SiteHttpNeeds): Promise<Saved> {
  const submission = await openSubmission(call, needs)
  const { form, id } = submission
  if (!hasFields(submission)) throw new Refused({ code: 'bad_form' })
  const current = await findTalk(needs.store, id)
  if (current === null) return respondLost(submission)
  if (form.has('base')) return saveConflict(submission, current)
  const base = await findVersion(needs.store, id, form.get('etag'))
  return base === null ? toUnknownBase(submission, current) : saveForm(submission, base)
}

const hasFields = ({ form }: Submission) =>
  form.has('etag') || [...form.keys()].some((name) => /^(?:field|yours)\./.test(name))

async function saveForm(submission: SentSubmission, base: TalkVersion): Promise<Saved> {
  const { action, needs, call } = submission
  const parsed = parseForm(submission.form, base.record, { table: editedFields })
  const reason = parseReason(submission.reason)
  if (!parsed.ok || !reason.ok) return respondErrors(submission, base, parsed, reason.ok ? [] : reason.problems)
  const changes = withState(parsed.changes, action, base.record)
  const wanted = { base, changes, reason: reason.value }
  if (action === 'review') return review(submission, wanted, parsed.typed)
  if (Object.keys(changes).length === 0)
    return respondSaved(submission, { is: 'unchanged', version: base.version }, { base })
  const sent = await sendChanges(needs, call, wanted)
  switch (sent.is) {
    case 'conflict':
      return toConflict(sent)
    case 'refused':
      return respondForm(submission, base, toStatus(sent.problem), { typed: parsed.typed, problem: sent.problem })
    default:
      return respondSaved(submission, sent, { base })
  }
}

function respondErrors(
  submission: Submission,
  base: TalkVersion,
  parsed: ParsedForm,
  reason: readonly string[],
): Promise<TextAnswer> {
  const errors: FieldErrors = new Map([
    ...(parsed.ok ? [] : parsed.errors),
    ...(reason.length === 0 ? [] : [['reason', reason] as const]),
  ])
  return respondForm(submission, base, 422, { typed: parsed.typed, errors })
}

/**
 * Somebody comes back to this form after a save, and the browser sends it again. A script that asks while somebody types
 * has the action in the address: it wants the part of the page, whatever it says.
 */
const isPressed = ({ form }: Submission) => form.has('do')

async function review(
  submission: SentSubmission,
  wanted: { readonly base: TalkVersion; readonly changes: Changes; readonly reason: string | null },
  typed: Typed,
): Promise<Saved> {
  const { needs, call, id } = submission
  const tried = await tryChanges(needs, call, wanted)
  if (tried.is === 'conflict') return toConflict(tried)
  if (tried.is === 'refused')
    return respondForm(submission, wanted.base, toStatus(tried.problem), { typed, problem: tried.problem })
  const before = (await findTalk(needs.store, id)) ?? wanted.base
  if (isPressed(submission) && Object.keys(withoutSame(wanted.changes, before.record)).length === 0)
    return respondSaved(submission, { is: 'unchanged', version: before.version }, { base: wanted.base })
  const newNames = await findNewNames(needs.store, before.record, tried.after)
  const shown = { typed, review: { before: before.record, after: tried.after, newNames } }
  return { unrendered: { is: 'form', status: 200, talk: wanted.base, shown } }
}
