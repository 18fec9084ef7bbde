import { type Problem, toSentence } from '../../http/problem.ts'
import type { Caller, Form } from '../../http/route.ts'
import { publisherRequired } from '../../record/command.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { type Timestamp, toMs } from '../../record/timestamp.ts'
import type { Site } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import { createSingleBudget, RecordDiff } from '../diff.tsx'
import { type FieldTable, toFullLabel } from '../form/field-hints.ts'
import { parseForm, toBlankRecord, toControlName } from '../form/form-values.ts'
import { NewNameList } from '../names/new-names.tsx'
import { type Reviewed, toPlainForm } from './save-fields.ts'

/** Why nothing was saved, and what to do next. */
export function RefusedSave(problem: Problem | 'unknown base') {
  if (problem === 'unknown base') {
    return (
      <p class="notice is-bad" role="alert">
        This form is based on a version that does not exist. Your text was compared with the stored version. Check every
        difference before you save: some may be changes by others.
      </p>
    )
  }
  const isUnknown = problem.code === 'unknown'
  return (
    <div class="notice is-bad" role="alert">
      <p>
        <b>
          {isUnknown
            ? 'It is not known whether this was saved. Save again: nothing is saved twice.'
            : 'Nothing is saved yet.'}
        </b>{' '}
        {toAdvice(problem)}
      </p>
      <p>What you typed is still here.</p>
    </div>
  )
}

interface ReviewProps extends Reviewed {
  readonly site: Site
  readonly table?: FieldTable
  /** The URL that renders this part for a form. A script requests it while the curator types. */
  readonly address?: string
}

/** What a save would change. */
export function Review({ site, before, after, table, newNames = [], address }: ReviewProps) {
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">What will change</h2>
      <p class="muted">Nothing is saved yet.</p>
      <div id="review" data-preview={address}>
        <NewNameList site={site} names={newNames} />
        <RecordDiff {...{ before, after }} {...(table && { table })} budget={createSingleBudget()} />
      </div>
    </section>
  )
}

interface TypedTextsProps {
  readonly form: Form
  readonly table: FieldTable
  /** The browser keeps unsaved text under this name. */
  readonly unsavedKey: string
}

/**
 * The input of a form whose talk or event no longer exists: all fields that are not blank, since the version of the
 * form is unknown. A script keeps only those for which the browser has unsaved text.
 */
export function TypedTexts({ form, table, unsavedKey }: TypedTextsProps) {
  const { typed } = parseForm(toPlainForm(form), toBlankRecord(table), { table })
  const rows = [...typed].map(([name, text]) => ({ control: toControlName(name), label: toFullLabel(name), text }))
  const reason = form.get('reason') ?? ''
  if (reason !== '') rows.push({ control: 'reason', label: 'Reason', text: reason })
  return (
    <>
      <h2>Your text</h2>
      <dl class="record-values" data-typed={unsavedKey}>
        {rows.map(({ control, label, text }) => (
          <div key={control} data-control={control}>
            <dt>{label}</dt>
            <dd dir="auto">{toLf(text)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** A field that somebody changed, and who changed it last. */
export interface OtherChange extends Authored {
  readonly name: string
}

export interface Authored {
  readonly by: string
  readonly at: Timestamp
}

/** What these versions changed, the oldest first. */
export function listOtherChanges(versions: readonly (Authored & { readonly changed: readonly string[] })[]) {
  const last = new Map(versions.flatMap(({ by, at, changed }) => changed.map((name) => [name, { by, at }])))
  return [...last].map(([name, made]): OtherChange => ({ name, ...made }))
}

/** The author of all these changes, with the time of the last one; null if there are several. */
export function findOneAuthor(changes: readonly OtherChange[]): Authored | null {
  const authors = new Set(changes.map(({ by }) => by))
  return authors.size === 1 ? (changes.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null) : null
}

/** Who made another change, and when. It may be the same person, in a second window or on another machine. */
export const toWho = ({ by, at }: Authored, caller: Pick<Caller, 'name'>) =>
  `${by === caller.name ? 'you in another window or session' : by}, ${toMoment(at)}`

interface OthersChangesProps {
  readonly what: string
  readonly caller: Caller
  readonly changes: readonly OtherChange[]
}

/** What others changed between the version that a form was made from and the save. */
export function OthersChanges({ what, caller, changes }: OthersChangesProps) {
  if (changes.length === 0) return null
  return (
    <p>
      The {what} was changed after you opened it. Those changes are kept, and yours are added:{' '}
      {changes.map((change) => `${toFullLabel(change.name)} (by ${toWho(change, caller)})`).join('; ')}.
    </p>
  )
}

const maxAgeMs = 120_000

/**
 * Only a recent save by the caller shows a notice and removes unsaved text; an old or foreign URL does neither
 * (decision 59).
 */
export function isOwnSave({ by, at }: { readonly by: string; readonly at: Timestamp }, caller: Caller): boolean {
  return by === caller.name && Date.now() - toMs(at) <= maxAgeMs
}

/** For the unsaved choices of the conflict page. The unsaved text of the form stays until everything is saved. */
export const toConflictUnsavedKey = (unsavedKey: string) => `${unsavedKey}-conflict`

/** The names of unsaved text, for `data-saved` of a page: the browser then removes it. */
export const toSavedKeys = (unsavedKey: string) => `${unsavedKey} ${toConflictUnsavedKey(unsavedKey)}`

function toAdvice(problem: Problem): string {
  switch (problem.code) {
    case 'publisher_required':
      return problem.detail === publisherRequired.toPublish.detail
        ? 'With your role (editor) you cannot publish. Save it as a draft, and tell a publisher.'
        : 'This talk has been published since. With your role (editor) you can only change drafts: ask a publisher, or copy your text.'
    case 'unknown':
      return ''
    case 'busy':
    case 'late':
    case 'internal':
      return 'Save again in a moment.'
    default:
      return toSentence(problem)
  }
}
