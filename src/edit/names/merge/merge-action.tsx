import { toSentence } from '../../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../../http/route.ts'
import type { SiteHttpDeps } from '../../../site/site.ts'
import { seeOther } from '../../edit-page.tsx'
import { type CuratedName, findCurated, isShownAs } from '../curated-name.ts'
import { attemptCommand, readAuthorship, readKey, toMergeCommand } from '../name-command.ts'
import type { TypedName } from '../name-forms.tsx'
import type { NameFrame } from '../name-frame.ts'
import { respondName } from '../name-page.tsx'
import { ChooseTarget, respondStep } from '../name-preview.tsx'
import { respondRefused } from '../name-refusal.tsx'
import { listTalks } from '../name-talks.tsx'
import { namesTexts } from '../names-texts.ts'
import { findTargets, type Targets } from './find-target.ts'
import { MergePreview } from './merge-preview.tsx'

const texts = namesTexts.merge
const maxExamples = 5

/** Shows what a merge would do. `why` says why it is offered, if nobody asked for it. */
export async function previewMerge(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
  why?: string,
): Promise<TextAnswer> {
  const [text, reason] = [(form.get('into') ?? '').trim(), form.get('reason') ?? '']
  const again = (errors: TypedName['errors']) =>
    respondName(call, deps, frame, { typed: { form: 'merge', into: text, reason, ...(errors && { errors }) } })
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return again({ reason: authorship.problems.join(' ') })
  const targets = await readTargets(deps, frame.name, form.get('into_key'), text)
  if (targets === null) return again({ into: texts.required })
  const [into, ...others] = targets.found
  if (into === undefined) return again({ into: targets.isSame ? texts.same : texts.none(text) })
  if (others.length > 0) {
    return respondStep(call, frame, texts.choose, <ChooseTarget {...{ ...frame, text, targets, reason }} />)
  }
  const command = { ...toMergeCommand(frame.name, into, authorship.value), isDryRun: true }
  const attempt = await attemptCommand(deps, call, command)
  if (!attempt.ok) {
    const fallback = toSentence(attempt.problem)
    return respondRefused(call, deps, frame, attempt.problem, {
      typed: { form: 'merge', into: text, reason },
      fallback,
    })
  }
  const count = attempt.value.batch?.total ?? 0
  return respondPreview(call, deps, frame, { into, count, reason }, why)
}

interface Preview {
  readonly into: CuratedName
  readonly count: number
  readonly reason: string
}

async function respondPreview(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  preview: Preview,
  why: string | undefined,
): Promise<TextAnswer> {
  const examples = {
    from: await listTalks(deps, frame.name, maxExamples),
    into: await listTalks(deps, preview.into, maxExamples),
  }
  const body = (
    <>
      {why !== undefined && (
        <p class="edit-problem" role="alert">
          {why}
        </p>
      )}
      <MergePreview {...frame} {...preview} examples={examples} />
    </>
  )
  return respondStep(call, frame, texts.previewTitle, body)
}

/** Null if nothing was typed. */
async function readTargets(
  deps: SiteHttpDeps,
  from: CuratedName,
  key: string | null,
  text: string,
): Promise<Targets | null> {
  if (key !== null) {
    const chosen = await findCurated(deps, from.kind, key)
    const isSame = chosen?.key === from.key
    return { found: chosen === null || isSame ? [] : [chosen], isCut: false, isSame }
  }
  return text === '' ? null : findTargets(deps, from, text)
}

/** Merges what the preview showed, and nothing else. */
export async function applyMerge(
  call: HttpCall,
  deps: SiteHttpDeps,
  frame: NameFrame,
  form: Form,
): Promise<TextAnswer> {
  const key = readKey(form)
  const [shownKey, shownName, reason] = ['into_key', 'into_name', 'reason'].map((field) => form.get(field) ?? '')
  const typed: TypedName = { form: 'merge', into: shownName ?? '', reason: reason ?? '' }
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return respondName(call, deps, frame, { typed, problem: authorship.problems.join(' ') })
  const into = await findCurated(deps, frame.name.kind, shownKey ?? '')
  if (into === null || into.key !== shownKey || !isShownAs(into, shownName ?? null)) {
    const problem = into === null ? texts.gone : texts.changed(shownName ?? '')
    return respondName(call, deps, frame, { typed, problem })
  }
  const from = { ...frame.name, versionTag: form.get('tag') ?? '' }
  const command = { ...toMergeCommand(from, into, authorship.value), idempotencyKey: key }
  const attempt = await attemptCommand(deps, call, command)
  if (!attempt.ok) {
    const fallback = toSentence(attempt.problem)
    return respondRefused(call, deps, frame, attempt.problem, { typed, fallback })
  }
  const { urls } = frame.site
  const id = attempt.value.batch?.id ?? null
  if (id === null) return seeOther(call, urls.editName(into.kind, into.key, { from: frame.name.key }))
  return seeOther(call, urls.batch(id, { done: 1 }))
}
