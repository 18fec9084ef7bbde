import { Refused } from '../../../http/problem/problem.ts'
import { requireRead } from '../../../http/problem/read-problems.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { parseForm } from '../form/parse-form.ts'
import { respondEditPage } from '../respond-edit.ts'
import { type EditorPage, renderEditor } from './editor-page.tsx'
import { findPlace } from './list-place.ts'
import { editedFields } from './locks.ts'
import { UnknownBase } from './refusal.tsx'
import type { Submission } from './submission.ts'
import { findTalk, type TalkVersion } from './talk-version.ts'

/** Compared with the talk as it is now, a form of an unknown version may revert what others changed: a person looks. */
export function respondUnknownBase(submission: Submission, current: TalkVersion): Promise<TextAnswer> {
  const { form } = submission
  const parsed = parseForm(toPlainForm(form), current.record, { table: editedFields })
  const after = parsed.ok ? { ...current.record, ...parsed.changes } : null
  return respondForm(submission, current, 409, {
    typed: parsed.typed,
    notices: UnknownBase(),
    ...(parsed.ok ? {} : { errors: parsed.errors }),
    review: after === null ? null : { before: current.record, after },
  })
}

/** The conflict page has what was typed under two names. */
export function toPlainForm(form: URLSearchParams): { getAll(name: string): readonly string[] } {
  const toYours = (name: string) => name.replace(/^field\./, 'yours.')
  return { getAll: (name) => (form.has(name) ? form.getAll(name) : form.getAll(toYours(name))) }
}

type Shown = Pick<EditorPage, 'typed' | 'errors' | 'notices' | 'review'>

/** The form again, with what was typed. */
export async function respondForm(
  submission: Submission,
  talk: TalkVersion,
  status: number,
  shown: Shown,
): Promise<TextAnswer> {
  const { call, site, caller, place, reason } = submission
  const around = status < 500 ? await findAround(submission, talk) : {}
  const html = renderEditor({ ...{ site, caller, talk, place, reason }, ...around, ...shown })
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
