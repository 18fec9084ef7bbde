import type { Caller } from '../../../http/caller.ts'
import type { Call, Form, HttpCall, TextAnswer } from '../../../http/route.ts'
import { openSite, type Site, type SiteHttpNeeds, type SiteNeeds } from '../../site.ts'
import { requireCaller, requireForm } from '../require-caller.ts'
import { seeOther } from '../respond-edit.ts'
import { type EditorAction, goesOn, parseAction } from './editor-actions.ts'
import { type ListPlace, readPlace, tryNext } from './list-place.ts'
import { toSavedFlag } from './save-notice.tsx'
import type { Sent } from './send-changes.ts'
import type { TalkVersion } from './talk-version.ts'

/** A form of the editor or of its conflict page, as it was sent. */
export interface Submission {
  readonly call: Call<'id'>
  readonly needs: SiteNeeds
  readonly site: Site
  readonly caller: Caller
  readonly form: Form
  readonly id: number
  readonly place: ListPlace | null
  readonly action: EditorAction
  /** As typed. */
  readonly reason: string
}

/** On an HTTP thread, which sends what it changes to the writer. */
export interface SentSubmission extends Submission {
  readonly call: HttpCall<'id'>
  readonly needs: SiteHttpNeeds
}

export async function openSubmission<C extends Call<'id'>, Needs extends SiteNeeds>(
  call: C,
  needs: Needs,
): Promise<Submission & { readonly call: C; readonly needs: Needs }> {
  const form = requireForm(call)
  return {
    ...{ call, needs, form },
    site: await openSite(call, needs),
    caller: requireCaller(call),
    id: Number(call.params.id),
    place: readPlace(call),
    action: parseAction(form.get('do') ?? call.query().get('do')),
    reason: form.get('reason') ?? '',
  }
}

/**
 * After a save: the talk again, or the next one of the list, which had the talk as it was `shown`. Changes of others
 * since `base` are told.
 */
export async function respondSaved(
  submission: Submission,
  sent: Extract<Sent, { is: 'stored' | 'unchanged' }>,
  { base, shown = base }: { readonly base: TalkVersion; readonly shown?: TalkVersion },
): Promise<TextAnswer> {
  const { call, needs, site, caller, id, place, action } = submission
  const flag =
    sent.is === 'stored'
      ? { saved: toSavedFlag({ id, base: base.version, version: sent.version }) }
      : { unchanged: String(id) }
  const list = place?.list
  if (place === null || !goesOn(action)) return seeOther(call, site.at.edit(id, { list, from: place?.from, ...flag }))
  const found = await tryNext(needs, caller, place.list, id, shown.record)
  const next = found?.next ?? null
  if (next !== null) return seeOther(call, site.at.edit(next, { list, from: id, ...flag }))
  return seeOther(call, site.at.edit(id, { list, from: place.from, ...flag, end: found === null ? null : 1 }))
}
