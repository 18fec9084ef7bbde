import { type Problem, Refused, toSentence } from '../../http/problem.ts'
import type { Form, HttpCall, TextAnswer, Unrendered } from '../../http/route.ts'
import { parseRename } from '../../record/name.ts'
import type { SiteHttpDeps } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'
import { requireForm, seeOther } from '../edit-page.tsx'
import { type CategoryPage, saveCategory } from './category/save-category.tsx'
import { applyMerge, previewMerge } from './merge/merge-action.tsx'
import { type Authorship, attemptCommand, readAuthorship, readKey } from './name-command.ts'
import { type NameFrame, openName } from './name-frame.ts'
import { respondName } from './name-page.tsx'
import { RenamePreview, respondStep } from './name-preview.tsx'
import { respondMerged, respondRefused } from './name-refusal.tsx'
import { namesTexts } from './names-texts.ts'

const texts = namesTexts.rename

/** Forms of the page of a speaker or tag. */
export function changeNamed(kind: 'speaker' | 'tag') {
  return (call: HttpCall<'id'>, deps: SiteHttpDeps) => change(call, deps, kind, call.params.id)
}

/** Forms of the page of a category. */
export function changeCategory(
  call: HttpCall<'slug'>,
  deps: SiteHttpDeps,
): Promise<TextAnswer | Unrendered<CategoryPage>> {
  return change(call, deps, 'category', call.params.slug)
}

async function change(
  call: HttpCall,
  deps: SiteHttpDeps,
  kind: NameKind,
  key: string,
): Promise<TextAnswer | Unrendered<CategoryPage>> {
  const form = requireForm(call)
  const frame = await openName(call, deps, kind, key)
  const action = form.get('do')
  // Also if it was merged: the form may be sent for the second time.
  if (action === 'merge now') return applyMerge(call, deps, { ...frame, name: { ...frame.name, key } }, form)
  if (frame.name.key !== key) return respondMerged(call, frame, key)
  if (action === 'merge') return previewMerge(call, deps, frame, form)
  if (kind === 'category' && action === 'save') return saveCategory(call, deps, frame, form)
  if (kind !== 'category' && (action === 'rename' || action === 'rename now')) {
    return rename(call, deps, frame, form, kind, action === 'rename')
  }
  throw new Refused({ code: 'bad_form' })
}

/** First a dry run, which is shown; then the change itself. */
async function rename(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
  kind: 'speaker' | 'tag',
  isDryRun: boolean,
): Promise<TextAnswer> {
  const [wanted, reason] = [form.get('name') ?? '', form.get('reason') ?? '']
  const again = (errors: { readonly name?: string; readonly reason?: string }) =>
    respondName(call, deps, frame, { typed: { form: 'rename', name: wanted, reason, errors } })
  const parsed = parseRename({ name: wanted }, kind === 'speaker' ? 'speakers' : 'tags')
  if (!parsed.ok) return again({ name: (parsed.errors.get('name') ?? []).join(' ') })
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return again({ reason: authorship.problems.join(' ') })
  if (parsed.name === frame.name.name && isDryRun) return again({ name: texts.same })
  const command = toRename(frame, kind, parsed.name, authorship.value, form)
  const keyed = isDryRun ? { isDryRun } : { idempotencyKey: readKey(form) }
  const attempt = await attemptCommand(deps, call, { ...command, ...keyed })
  if (!attempt.ok) return explain(call, deps, frame, attempt.problem, wanted, reason)
  const { batch } = attempt.value
  if (isDryRun)
    return respondStep(call, frame, texts.previewTitle, <RenamePreview {...{ ...frame, reason }} to={parsed.name} />)
  const { urls } = frame.site
  if (batch === null || batch.id === null) return seeOther(call, urls.editName(kind, frame.name.key, { saved: 'same' }))
  return seeOther(call, urls.batch(batch.id, { done: 1 }))
}

function toRename({ name }: NameFrame, of: 'speaker' | 'tag', to: string, authorship: Authorship, form: Form) {
  const precondition = { ifMatch: [form.get('tag') ?? ''] }
  return { kind: 'rename name', of, nameId: Number(name.key), name: to, precondition, ...authorship } as const
}

/** A name that another has can be merged with that. */
async function explain(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  problem: Problem,
  wanted: string,
  reason: string,
): Promise<TextAnswer> {
  if (problem.code === 'name_taken') {
    const form = new URLSearchParams({ into_key: String(problem.more?.id ?? ''), reason })
    return previewMerge(call, deps, frame, form, texts.taken(wanted.trim()))
  }
  const typed = { form: 'rename', name: wanted, reason } as const
  return respondRefused(call, deps, frame, problem, { typed, fallback: toSentence(problem) })
}
