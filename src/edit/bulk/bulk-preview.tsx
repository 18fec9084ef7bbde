import type { Caller, Form } from '../../http/route.ts'
import { companionNames, isCompanionName, listLines } from '../../record/companion/kinds.ts'
import { fields } from '../../record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../record/json.ts'
import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { isTranscriptName } from '../../record/transcript/transcript-kind.ts'
import type { Site } from '../../site/site.ts'
import type { Urls } from '../../site/urls.ts'
import type { BatchReport, BulkPreview, Difference, RefusedRecord } from '../../store/batch-reads.ts'
import { CountInput } from '../big-step.tsx'
import { refusalTexts } from '../changes/batch-notes.tsx'
import { createDiffBudget, type DiffBudget, FieldDiff, takeDiff } from '../diff.tsx'
import { Hidden, PostForm, renderEditPage } from '../edit-page.tsx'
import { toFullLabel, toValue, toWritable } from '../form/field-hints.ts'
import { type FormButton, SaveBar } from '../form/record-form.tsx'
import { type BulkInput, pageName } from './bulk-input.ts'
import { OperationList } from './bulk-operations.tsx'
import { type ListedTalk, TalkLink, toHiddenSelection } from './selected-talks.tsx'

export interface PreviewProps {
  readonly site: Site
  readonly caller: Caller
  readonly input: BulkInput
  readonly patch: JsonObject
  /** Of the dry run. */
  readonly report: BatchReport
  readonly preview: BulkPreview
  /** Titles of the talks that are shown. */
  readonly talks: ReadonlyMap<number, ListedTalk>
  /** The records after which this page of differences and those before it begin; the first page begins after 0. */
  readonly trail: readonly number[]
  /** The idempotency key of the form: sent twice, it changes the talks once. */
  readonly formKey: string
  /** Why the preview is shown again. */
  readonly notice?: string
  /** The form that was sent. */
  readonly sent?: Form | undefined
}

const previewTitle = 'Preview of the change'

/** What a bulk change would do, in the form that does exactly this (decision 62). */
export function renderPreview(props: PreviewProps): string {
  const { site, caller, input, report, preview, talks, notice, patch, trail, sent } = props
  const shared = { urls: site.urls, list: input.chosen.list, talks }
  const body = (
    <div class="bulk-page">
      <h1>{previewTitle}</h1>
      {notice !== undefined && (
        <p class="edit-problem" role="alert">
          {notice}
        </p>
      )}
      <PostForm class="edit-form" action={site.urls.bulk()} caller={caller} attributes={{ autocomplete: 'off' }}>
        <HiddenInput {...props} />
        <DefaultButton button={toButtons(report, patch)[0]} />
        <OperationList patch={patch} />
        <Counts counts={toCounts(report)} />
        <CountInput talks={report.changed} form={sent} />
        <Refusals {...shared} refused={report.refused} />
        <Differences {...shared} {...preview} trail={trail} count={report.changed} />
        <p class="muted">{toAdvice(report)}</p>
        <SaveBar buttons={toButtons(report, patch)} reason={input.reason} />
      </PostForm>
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, previewTitle, body)
}

/** Per reason; the rest are shown by number. */
export const titledRefusals = 20

/** The whole input, to apply it or to go back to the form, and what the preview showed. */
function HiddenInput({ input, report, preview, formKey }: PreviewProps) {
  const fields = {
    ...toHiddenSelection(input.chosen),
    ...Object.fromEntries(input.entries),
    expect: String(report.total),
    hash: preview.hash,
    as_of: String(preview.as_of),
    key: formKey,
  }
  return <Hidden fields={Object.entries(fields)} />
}

/** Enter in the reason presses the first button of a form, which would otherwise be one that turns the page. */
function DefaultButton({ button }: { readonly button: FormButton | undefined }) {
  if (button === undefined) return null
  return (
    <button type="submit" name="do" value={button.action} hidden>
      {button.label}
    </button>
  )
}

const toCounts = ({ changed, unchanged, refused_count }: BatchReport) =>
  [
    ['willChange', 'will change', changed],
    ['alreadySo', 'no change needed', unchanged - refused_count],
    ['refused', 'cannot be changed', refused_count],
  ] as const

interface CountsProps {
  readonly counts: readonly (readonly [name: string, text: string, count: number])[]
}

export function Counts({ counts }: CountsProps) {
  return (
    <dl class="bulk-counts">
      {counts.map(([name, text, count]) => (
        <div key={name} class={`is-${name}`}>
          <dt>{text}</dt>
          <dd>{toNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

function toAdvice({ changed, refused_count, total }: BatchReport): string {
  if (changed > 0) return 'You can undo this on the next page, and later under Bulk changes.'
  return refused_count > 0 && refused_count === total
    ? 'None of these talks can be changed this way.'
    : 'Nothing would change.'
}

function toButtons({ changed, refused_count }: BatchReport, patch: JsonObject): FormButton[] {
  const back = { action: 'form', label: 'Back to the form', isQuiet: true }
  if (changed === 0) return [back]
  const step = `${toVerb(patch)} ${toCounted(changed, 'talk')}`
  const apply =
    refused_count === 0
      ? { action: 'apply', label: toSentenceCase(step) }
      : { action: 'apply-others', label: `Skip ${toNumber(refused_count)} and ${step}` }
  return [apply, back]
}

function toVerb(patch: JsonObject): string {
  if (patch.state === undefined || Object.keys(patch).length > 1) return 'change'
  return patch.state === live ? 'publish' : 'withdraw'
}

export const toSentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface RefusalsProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: ReadonlyMap<number, ListedTalk>
  readonly refused: readonly RefusedRecord[]
}

/** Every talk that refuses the change, by reason. */
function Refusals({ refused, ...shared }: RefusalsProps) {
  if (refused.length === 0) return null
  const reasons = [...Map.groupBy(refused, ({ problem }) => problem)]
  return (
    <section class="bulk-refusals">
      <h2>Cannot be changed</h2>
      {reasons.map(([problem, records]) => (
        <div key={problem}>
          <h3>{refusalTexts[problem] ?? problem}</h3>
          <p class="muted">{toCounted(records.length, 'talk')}</p>
          <ul>
            {records.slice(0, titledRefusals).map(({ id }) => (
              <li key={id}>
                <RefusedTalk id={id} {...shared} />
              </li>
            ))}
          </ul>
          <OtherIds ids={records.slice(titledRefusals).map(({ id }) => id)} {...shared} />
        </div>
      ))}
    </section>
  )
}

/** A talk that does not exist has no link. */
function RefusedTalk({ id, urls, list, talks }: Omit<RefusalsProps, 'refused'> & { readonly id: number }) {
  const talk = talks.get(id)
  return talk === undefined ? <span>{id}</span> : <TalkLink {...{ urls, list, talk }} />
}

interface OtherIdsProps extends Omit<RefusalsProps, 'refused'> {
  readonly ids: readonly number[]
}

/** The rest by number: ten thousand titles would take long to read from the store. */
function OtherIds({ ids, urls, list }: OtherIdsProps) {
  if (ids.length === 0) return null
  return (
    <details>
      <summary>{toNumber(ids.length)} more</summary>
      <p class="numbers">
        {ids.map((id) => (
          <>
            <a key={id} href={urls.edit(id, { list })}>
              {id}
            </a>{' '}
          </>
        ))}
      </p>
    </details>
  )
}

interface DifferencesProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: ReadonlyMap<number, ListedTalk>
  readonly differences: readonly Difference[]
  /** How many talks will change; `differences` has one page of them. */
  readonly count: number
  readonly trail: readonly number[]
  readonly next: number | null
}

/** A table with a row for each talk. */
function Differences({ differences, count, trail, next, ...shared }: DifferencesProps) {
  if (count === 0) return null
  const budget = createDiffBudget()
  const turn = <TurnPage {...{ trail, next, count }} shown={differences.length} />
  return (
    <section class="bulk-differences">
      <h2>Differences</h2>
      {turn}
      <table>
        <thead>
          <tr>
            <th scope="col">Talk</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Row key={difference.id} {...{ difference, budget }} {...shared} />
          ))}
        </tbody>
      </table>
      {turn}
    </section>
  )
}

/** As many as a dry run shows. */
const pageSize = 50

/** Buttons, since they send the whole form: each page is a dry run with the conditions of the first. */
function TurnPage({ trail, next, shown, count }: TurnPageProps) {
  if (trail.length < 2 && next === null) return null
  const before = (trail.length - 1) * pageSize
  return (
    <div class="turn-page">
      <p class="muted">
        {toNumber(before + 1)}–{toNumber(before + shown)} of {toNumber(count)}
      </p>
      {trail.length > 1 && (
        <button type="submit" class="button quiet" name={pageName} value={trail.slice(0, -1).join()}>
          Previous
        </button>
      )}
      {next !== null && (
        <button type="submit" class="button quiet" name={pageName} value={[...trail, next].join()}>
          Next
        </button>
      )}
    </div>
  )
}

interface TurnPageProps extends Pick<DifferencesProps, 'trail' | 'next' | 'count'> {
  readonly shown: number
}

/** A companion is compared line by line. */
const toSeen = (name: string, value: JsonValue): JsonValue =>
  isCompanionName(name) && isJsonObject(value) ? listLines(name, value) : value

interface RowProps extends Omit<DifferencesProps, 'differences' | 'count' | 'trail' | 'next'> {
  readonly difference: Difference
  /** Shared by all rows. */
  readonly budget: DiffBudget
}

function Row({ difference: { id, fields: changed }, urls, list, talks, budget }: RowProps) {
  const talk = talks.get(id) ?? { id, title: String(id), language: '', state: 2 }
  const lang = toLanguageCode(talk.language) ?? undefined
  const all = [...toWritable(fields).map(([name]) => name), ...companionNames]
  const known = all.filter((name) => Object.hasOwn(changed, name))
  const names = [...known, ...Object.keys(changed).filter(isTranscriptName)]
  const take = (side: 'before' | 'after') =>
    Object.fromEntries(names.map((name) => [name, toSeen(name, changed[name]?.[side] ?? null)]))
  const [before, after] = [take('before'), take('after')]
  return (
    <tr>
      <th scope="row">
        <TalkLink {...{ urls, list, talk }} />
      </th>
      <td>
        {takeDiff(budget, before, after) ? (
          <dl>
            {names.map((name) => (
              <div key={name}>
                <dt>{toFullLabel(name)}</dt>
                <dd>
                  <FieldDiff
                    {...{ name, lang, budget }}
                    table={fields}
                    before={toValue(before, name)}
                    after={toValue(after, name)}
                  />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <p class="muted">{names.map(toFullLabel).join(', ')}: too long to show here.</p>
        )}
      </td>
    </tr>
  )
}
