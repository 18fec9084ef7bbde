import { Refused } from '../../../http/problem/problem.ts'
import type { Problem } from '../../../http/problem/problem-codes.ts'
import { requireRead } from '../../../http/problem/read-problems.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { respondEditPage } from '../respond-edit.ts'
import { type EditorPage, renderEditor } from './editor-page.tsx'
import { findPlace } from './list-place.ts'
import { Refusal, UnknownBase } from './refusal.tsx'
import type { Submission } from './submission.ts'
import { findTalk, type TalkVersion } from './talk-version.ts'

/** The conflict page has what was typed under two names. */
export function toPlainForm(form: URLSearchParams): { getAll(name: string): readonly string[] } {
  const toYours = (name: string) => name.replace(/^field\./, 'yours.')
  return { getAll: (name) => (form.has(name) ? form.getAll(name) : form.getAll(toYours(name))) }
}

export interface ShownForm extends Pick<EditorPage, 'typed' | 'errors' | 'review'> {
  /** Why nothing was saved, if it is not an error in a field. */
  readonly problem?: Problem | 'unknown base'
}

/** The form again, with what was typed. */
export async function respondForm(
  submission: Submission,
  talk: TalkVersion,
  status: number,
  { problem, ...shown }: ShownForm,
): Promise<TextAnswer> {
  const { call, site, caller, place, reason } = submission
  const around = status < 500 ? await findAround(submission, talk) : {}
  const notices = problem === undefined ? null : problem === 'unknown base' ? UnknownBase() : Refusal(problem)
  const html = renderEditor({ ...{ site, caller, talk, place, reason, notices }, ...around, ...shown })
  return { ...respondEditPage(call, html), status }
}

type Around = Partial<Pick<EditorPage, 'current' | 'made' | 'findings' | 'place'>>

/** What the page shows around the form. Nothing if it cannot be read: what was typed is worth more. */
async function findAround({ call, needs, caller, id }: Submission, talk: TalkVersion): Promise<Around> {
  const { store } = needs
  try {
    const current = (await findTalk(store, id)) ?? talk
    return {
      current,
      made: await store.readVersion(id, current.version),
      findings: requireRead(await store.findFindings({ id })) ?? [],
      place: await findPlace(call, needs, caller, current.record),
    }
  } catch (error) {
    if (error instanceof Refused) return {}
    throw error
  }
}
