import { requireRead, toSentence } from '../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../http/route.ts'
import { type CategoryFields, categoryNames } from '../../record/category.ts'
import type { EntryKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toFolded } from '../../record/text/fold.ts'
import { toShort } from '../../record/text/printable.ts'
import { isSlug } from '../../record/text/slug.ts'
import type { SiteDeps, SiteHttpDeps } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { CountInput } from '../big-step.tsx'
import { PostForm, StepButtons, seeOther } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { ApplyForm, respondRefused, respondStep, sameName } from './change-steps.tsx'
import { type CuratedName, findCurated, isShownAs, type NameFrame, toListText } from './curated-name.ts'
import { attemptCommand, type NameRequest, readAuthorship, readKey, toMergeCommand } from './name-command.ts'
import { respondName, type TypedName } from './name-page.tsx'
import { ExampleList, listTalks } from './name-talks.tsx'
import { JoinedNames } from './names-layout.tsx'

const maxExamples = 5

/** Shows what a merge would do. `why` explains a merge that the curator did not request. */
export async function previewMerge({ call, deps, frame, form }: NameRequest, why?: string): Promise<TextAnswer> {
  const [text, reason] = [(form.get('into') ?? '').trim(), form.get('reason') ?? '']
  const again = (errors: TypedName['errors']) =>
    respondName(call, deps, frame, { typed: { form: 'merge', into: text, reason, ...(errors && { errors }) } })
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return again({ reason: authorship.problems.join(' ') })
  const targets = await readTargets(deps, frame.name, form.get('into_key'), text)
  if (targets === null) return again({ into: 'Type the name to merge into.' })
  const [into, ...furtherMatches] = targets.found
  if (into === undefined) return again({ into: targets.isSame ? sameName : `There is no “${text}”.` })
  if (furtherMatches.length > 0) {
    return respondStep(
      call,
      frame,
      `Merge “${frame.name.name}” into which one?`,
      <ChooseTarget {...{ ...frame, text, targets, reason }} />,
    )
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
  return respondPreview(call, deps, frame, { into, count, reason, form }, why)
}

/** Merges what the preview showed, and nothing else. */
export async function applyMerge({ call, deps, frame, form }: NameRequest): Promise<TextAnswer> {
  const key = readKey(form)
  const [shownKey, shownName, reason] = ['into_key', 'into_name', 'reason'].map((field) => form.get(field) ?? '')
  const typed: TypedName = { form: 'merge', into: shownName ?? '', reason: reason ?? '' }
  const authorship = readAuthorship(form, frame.caller)
  if (!authorship.ok) return respondName(call, deps, frame, { typed, problem: authorship.problems.join(' ') })
  const into = await findCurated(deps, frame.name.kind, shownKey ?? '')
  if (into === null || into.key !== shownKey || !isShownAs(into, shownName ?? null)) {
    const problem =
      into === null
        ? 'It no longer exists: no talk uses it.'
        : `“${shownName ?? ''}” has been renamed or merged since. Check it again.`
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

interface Preview {
  readonly into: CuratedName
  readonly count: number
  readonly reason: string
  readonly form: Form
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
  return respondStep(call, frame, `Merge “${frame.name.name}” into “${preview.into.name}”?`, body)
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

/** What a typed text may stand for. */
interface Targets {
  readonly found: readonly CuratedName[]
  /** Whether more names match. */
  readonly isCut: boolean
  /** Whether the text is the merged name itself. */
  readonly isSame: boolean
}

const maxOffered = 10

/**
 * The names that a text may stand for: the exact name, the name with this id or slug, or else all with a word that
 * begins with it. Never the name that is merged.
 */
async function findTargets(deps: SiteDeps, from: CuratedName, text: string): Promise<Targets> {
  const { kind } = from
  const exact = await findExact(deps, kind, text)
  if (exact.length > 0) {
    const found = exact.filter(({ key }) => key !== from.key)
    return { found, isCut: false, isSame: found.length < exact.length }
  }
  const query = {
    kind,
    prefix: toFolded(text),
    initial: null,
    order: 'use',
    page: 1,
    pageSize: maxOffered + 1,
  } as const
  const { lines } = requireRead(await deps.store.listNameLines(query))
  const keys = lines.map(({ id, slug }) => (kind === 'category' ? slug : String(id)))
  const found = await findAll(deps, kind, keys.filter((key) => key !== from.key).slice(0, maxOffered))
  return { found, isCut: lines.length > maxOffered, isSame: false }
}

/** Both by name and by key: a tag may be called 2014. */
async function findExact(deps: SiteDeps, kind: EntryKind, text: string): Promise<readonly CuratedName[]> {
  const { store } = deps
  const named =
    kind === 'category'
      ? requireRead(await store.findCategorySlugs([text])).get(text)
      : requireRead(await store.findNameIds({ kind, names: [text] })).get(text)?.id
  const isKey = kind === 'category' ? isSlug(text) : isIdText(text)
  const keys = [...(named === undefined ? [] : [String(named)]), ...(isKey ? [text] : [])]
  return findAll(deps, kind, keys)
}

/** Without repetitions: an alias leads to the same name. */
async function findAll(deps: SiteDeps, kind: EntryKind, keys: readonly string[]): Promise<readonly CuratedName[]> {
  const found = new Map<string, CuratedName>()
  for (const key of keys) {
    const name = await findCurated(deps, kind, key)
    if (name !== null) found.set(name.key, name)
  }
  return [...found.values()]
}

interface ChooseProps extends NameFrame {
  readonly text: string
  readonly targets: Targets
  readonly reason: string
}

/** Several names match what was typed. */
function ChooseTarget({ text, targets, reason, ...frame }: ChooseProps) {
  const { site, caller, name } = frame
  const own = site.urls.editName(name.kind, name.key)
  return (
    <PostForm class="choose-form" caller={caller} action={own} hidden={{ tag: name.versionTag, reason, into: text }}>
      <fieldset>
        <legend>Several names match “{text}”.</legend>
        {targets.found.map((target) => (
          <TargetChoice key={target.key} target={target} isFirst={target === targets.found[0]} />
        ))}
      </fieldset>
      {targets.isCut && <p class="muted">Only the most used are shown. Type more of the name to find others.</p>}
      <StepButtons action="merge" label="Preview" cancel={own} />
    </PostForm>
  )
}

function TargetChoice({ target, isFirst }: { readonly target: CuratedName; readonly isFirst: boolean }) {
  return (
    <label class="choice">
      <input type="radio" name="into_key" value={target.key} checked={isFirst} />
      <span>
        <bdi>{target.name}</bdi>{' '}
        <span class="muted">
          {toCounted(target.count, 'talk')} · {target.key}
        </span>
      </span>
    </label>
  )
}

interface MergePreviewProps extends NameFrame {
  readonly into: CuratedName
  /** How many records change. */
  readonly count: number
  readonly reason: string
  readonly form: Form
  readonly examples: { readonly from: readonly Example[]; readonly into: readonly Example[] }
}

/** Both names side by side, before the merge. */
function MergePreview({ into, count, reason, form, examples, ...frame }: MergePreviewProps) {
  const { site, name } = frame
  return (
    <>
      <div class="merge-sides">
        <Side site={site} title="Will be merged" name={name} examples={examples.from} />
        <Side site={site} title="Keep" name={into} examples={examples.into} />
      </div>
      {name.fields !== null && into.fields !== null && <FieldTable from={name.fields} into={into.fields} />}
      <p>
        {count === 0
          ? 'No talks will change. You can undo this afterwards.'
          : `${toCounted(count, 'talk changes', 'talks change')}. You can undo this afterwards.`}
      </p>
      <ApplyForm
        {...frame}
        action="merge now"
        label={count === 0 ? 'Merge' : `Merge and update ${toCounted(count, 'talk')}`}
        reason={reason}
        hidden={{ into_key: into.key, into_name: into.name }}
      >
        <CountInput talks={count} form={form} />
      </ApplyForm>
      <SwapForm {...frame} into={into} reason={reason} />
    </>
  )
}

/** Previews the merge in the other direction. */
function SwapForm({ site, caller, name, into, reason }: NameFrame & Pick<MergePreviewProps, 'into' | 'reason'>) {
  return (
    <PostForm
      caller={caller}
      action={site.urls.editName(into.kind, into.key)}
      hidden={{ tag: into.versionTag, into_key: name.key, reason }}
    >
      <button class="button quiet small" type="submit" name="do" value="merge">
        Merge the other way round
      </button>
    </PostForm>
  )
}

interface SideProps extends Pick<NameFrame, 'site'> {
  readonly title: string
  readonly name: CuratedName
  readonly examples: readonly Example[]
}

function Side({ site, title, name, examples }: SideProps) {
  return (
    <section class="merge-side">
      <p class="muted">{title}</p>
      <h2 dir="auto">{name.name}</h2>
      <p>
        {toCounted(name.count, 'talk')} <span class="muted">· {name.key}</span>
      </p>
      {name.aliases.length > 0 && (
        <p>
          Also known as: <JoinedNames names={name.aliases} />
        </p>
      )}
      <ExampleList site={site} examples={examples} list={toListText(name)} hasEvent={name.kind !== 'category'} />
    </section>
  )
}

interface FieldTableProps {
  readonly from: CategoryFields
  readonly into: CategoryFields
}

/** The event to keep takes over values for its empty fields. */
function FieldTable({ from, into }: FieldTableProps) {
  return (
    <div class="edit-table">
      <table class="merge-fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Will be merged</th>
            <th scope="col">Keep</th>
          </tr>
        </thead>
        <tbody>
          {categoryNames.map((field) => (
            <tr key={field}>
              <th scope="row">{toFullLabel(field)}</th>
              <td dir="auto">{toShown(from[field])}</td>
              <td dir="auto">
                {toShown(isEmpty(into[field]) ? from[field] : into[field])}{' '}
                {isEmpty(into[field]) && !isEmpty(from[field]) && <span class="badge">copied</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const maxShown = 200
const isEmpty = (value: string | null) => value === null || value === ''

const toShown = (value: string | null) => (value === null || value === '' ? 'empty' : toShort(value, maxShown))
