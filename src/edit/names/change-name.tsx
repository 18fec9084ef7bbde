import { type Problem, Refused, toSentence } from '../../http/problem.ts'
import type { Form, HttpCall, TextAnswer, Unrendered } from '../../http/route.ts'
import type { EntryKind } from '../../record/name.ts'
import { parseNameChanges } from '../../record/name.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { SiteHttpDeps } from '../../site/site.ts'
import { CountInput, isCountTyped } from '../big-step.tsx'
import { requireForm, seeOther } from '../edit-page.tsx'
import { type CategoryPage, respondLost, saveCategory } from './category/save-category.tsx'
import { ApplyForm, respondMerged, respondRefused, respondStep } from './change-steps.tsx'
import { findCurated, type NameFrame, openName } from './curated-name.ts'
import { applyMerge, previewMerge } from './merge-names.tsx'
import { type Authorship, attemptCommand, type NameRequest, readAuthorship, readKey } from './name-command.ts'
import { respondName } from './name-page.tsx'
import { type ProfilePage, respondLostProfile, saveProfile } from './save-profile.tsx'

/** Forms of the page of a tag. */
export function submitTagForm(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer | Unrendered<never>> {
  return submit(call, deps, 'tag', call.params.id)
}

/** Forms of the page of a speaker; a save as for a category. */
export async function submitSpeakerForm(
  call: HttpCall<'id'>,
  deps: SiteHttpDeps,
): Promise<TextAnswer | Unrendered<ProfilePage>> {
  const { id } = call.params
  if (requireForm(call).get('do') === 'save') {
    const current = await findCurated(deps, 'speaker', id)
    if (current?.key !== id) return respondLostProfile(call, deps, id, current)
  }
  return submit(call, deps, 'speaker', id, saveProfile)
}

/** Forms of the page of a category. A save keeps what was typed even if the category was merged in the meantime. */
export async function submitCategoryForm(
  call: HttpCall<'slug'>,
  deps: SiteHttpDeps,
): Promise<TextAnswer | Unrendered<CategoryPage>> {
  const { slug } = call.params
  if (requireForm(call).get('do') === 'save') {
    const current = await findCurated(deps, 'category', slug)
    if (current?.key !== slug) return respondLost(call, deps, slug, current)
  }
  return submit(call, deps, 'category', slug, saveCategory)
}

type Save<Page> = (
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
) => Promise<TextAnswer | Unrendered<Page>>

/** `save`: what the form of the fields does, if there is one. */
async function submit<Page>(
  call: HttpCall,
  deps: SiteHttpDeps,
  kind: EntryKind,
  key: string,
  save?: Save<Page>,
): Promise<TextAnswer | Unrendered<Page>> {
  const form = requireForm(call)
  const frame = await openName(call, deps, kind, key)
  const action = form.get('do')
  // Also if it is merged already: a form that is sent twice gets the same response.
  if (action === 'merge now') {
    const isMerged = frame.name.key !== key
    if (!isMerged && !isCountTyped(form, frame.name.count)) return previewMerge({ call, deps, frame, form })
    return applyMerge({ call, deps, form, frame: { ...frame, name: { ...frame.name, key } } })
  }
  if (frame.name.key !== key) return respondMerged(call, frame, key)
  if (save !== undefined && action === 'save') return save(call, deps, frame, form)
  if (action === 'merge') return previewMerge({ call, deps, frame, form })
  if (kind !== 'category' && (action === 'rename' || action === 'rename now')) {
    return rename({ call, deps, frame, form }, kind, action === 'rename')
  }
  throw new Refused({ code: 'bad_form' })
}

/** The first form is a dry run, whose result is shown; the second one renames. */
async function rename(request: NameRequest, kind: 'speaker' | 'tag', isDryRun: boolean): Promise<TextAnswer> {
  const { call, deps, frame, form } = request
  const [typedName, reason] = [form.get('name') ?? '', form.get('reason') ?? '']
  const again = (errors: { readonly name?: string; readonly reason?: string }) =>
    respondName(call, deps, frame, { typed: { form: 'rename', name: typedName, reason, errors } })
  const parsed = parseNameChanges({ name: typedName }, kind === 'speaker' ? 'speakers' : 'tags')
  if (!parsed.ok) return again({ name: (parsed.errors.get('name') ?? []).join(' ') })
  const { name: to = frame.name.name } = parsed.changes
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return again({ reason: authorship.problems.join(' ') })
  if (to === frame.name.name && isDryRun) return again({ name: 'It already has this name.' })
  const command = toRenameCommand(request, kind, to, authorship.value)
  const isAsked = isDryRun || !isCountTyped(form, to === frame.name.name ? 0 : frame.name.count)
  const keyed = isAsked ? { isDryRun: true } : { idempotencyKey: readKey(form) }
  const attempt = await attemptCommand(deps, call, { ...command, ...keyed })
  if (!attempt.ok) return explainRefusal(request, attempt.problem)
  const { batch } = attempt.value
  if (isAsked)
    return respondStep(
      call,
      frame,
      `Rename “${frame.name.name}”?`,
      <RenamePreview {...{ ...frame, reason, to, form }} />,
    )
  const { urls } = frame.site
  if (batch === null || batch.id === null) return seeOther(call, urls.editName(kind, frame.name.key, { saved: 'same' }))
  return seeOther(call, urls.batch(batch.id, { done: 1 }))
}

interface RenamePreviewProps extends NameFrame {
  readonly to: string
  readonly reason: string
  readonly form: Form
}

function RenamePreview({ to, reason, form, ...frame }: RenamePreviewProps) {
  const { name } = frame
  return (
    <>
      <p class="name-change">
        <del dir="auto">{name.name}</del> <span aria-hidden="true">→</span> <ins dir="auto">{to}</ins>
      </p>
      <p>The name changes in {toCounted(name.count, 'talk')}. You can undo this afterwards.</p>
      <ApplyForm
        {...frame}
        action="rename now"
        label={name.count === 0 ? 'Rename' : `Rename in ${toCounted(name.count, 'talk')}`}
        reason={reason}
        hidden={{ name: to }}
      >
        <CountInput talks={name.count} form={form} />
      </ApplyForm>
    </>
  )
}

function toRenameCommand({ frame, form }: NameRequest, of: 'speaker' | 'tag', to: string, authorship: Authorship) {
  const precondition = { ifMatch: [form.get('tag') ?? ''] }
  return { kind: 'rename name', of, nameId: Number(frame.name.key), name: to, precondition, ...authorship } as const
}

/** If the name is taken, offers a merge of the two. */
async function explainRefusal(request: NameRequest, problem: Problem): Promise<TextAnswer> {
  const { call, deps, frame, form } = request
  const [name, reason] = [form.get('name') ?? '', form.get('reason') ?? '']
  if (problem.code === 'name_taken') {
    const merge = new URLSearchParams({ into_key: String(problem.more?.id ?? ''), reason })
    const why = `“${name.trim()}” already exists. Merge the two instead?`
    return previewMerge({ ...request, form: merge }, why)
  }
  const typed = { form: 'rename', name, reason } as const
  return respondRefused(call, deps, frame, problem, { typed, fallback: toSentence(problem) })
}
