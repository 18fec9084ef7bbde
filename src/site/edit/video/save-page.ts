import type { Call, TextAnswer, Unrendered } from '../../../http/route.ts'
import type { SiteNeeds } from '../../site.ts'
import { respondConflict, type ShownConflict } from '../conflict/answer-conflict.ts'
import { parseForm } from '../form/parse-form.ts'
import { respondForm, type ShownForm, toPlainForm } from './answer-form.ts'
import { editedFields } from './locks.ts'
import { openSubmission, type Submission } from './submission.ts'
import type { TalkVersion } from './talk-version.ts'

/** A page after a save that compares texts: the form with what it would change, or a conflict. */
export type SavePage =
  | { readonly is: 'form'; readonly status: number; readonly talk: TalkVersion; readonly shown: ShownForm }
  | { readonly is: 'conflict'; readonly status: number; readonly shown: ShownConflict }

/** Compared with the talk as it is now, a form of an unknown version may revert what others changed: a person looks. */
export function toUnknownBase({ form }: Submission, current: TalkVersion): Unrendered<SavePage> {
  const parsed = parseForm(toPlainForm(form), current.record, { table: editedFields })
  const after = parsed.ok ? { ...current.record, ...parsed.changes } : null
  const shown = {
    typed: parsed.typed,
    problem: 'unknown base',
    ...(parsed.ok ? {} : { errors: parsed.errors }),
    review: after === null ? null : { before: current.record, after },
  } as const
  return { unrendered: { is: 'form', status: 409, talk: current, shown } }
}

/** Runs on a query thread: comparing long texts takes a while (decision 70). */
export async function renderSave(call: Call<'id'>, needs: SiteNeeds, page: SavePage): Promise<TextAnswer> {
  const submission = await openSubmission(call, needs)
  if (page.is === 'conflict') return respondConflict(submission, page.status, page.shown)
  return respondForm(submission, page.talk, page.status, page.shown)
}
