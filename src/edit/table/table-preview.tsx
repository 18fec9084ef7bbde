import type { Caller, Form } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import type { JsonValue } from '../../record/json.ts'
import { listSeveral } from '../../record/table/cells.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { listUnseen, markUnseen, toShort } from '../../record/text/printable.ts'
import type { Site } from '../../site/site.ts'
import type { RowDifference, RowVerdict } from '../../store/batch-reads.ts'
import { CountInput } from '../big-step.tsx'
import { Counts, toSentenceCase } from '../bulk/bulk-preview.tsx'
import { createDiffBudget, type DiffBudget, FieldDiff, takeDiff, toReadableValue } from '../diff.tsx'
import { PostForm, renderEditPage } from '../edit-page.tsx'
import { toFullLabel, toWritable } from '../form/field-hints.ts'
import { type FormButton, SaveBar } from '../form/record-form.tsx'
import { CellInput, CorrectRows, maxShown, type PreviewRow, RowRefusal, type ShownRefusals } from './refused-rows.tsx'
import { Problems } from './table-form.tsx'
import { type TableCounts, type WarnedTable, Warnings } from './table-warnings.tsx'

/** Rows on a page of the preview. */
export const rowsPerPage = 50

/** Everything that the page of a preview shows, as plain data (decision 70). */
export interface ShownTable extends WarnedTable {
  readonly is: 'preview'
  readonly status: number
  readonly notices: readonly string[]
  /** The whole input, and what the preview showed. */
  readonly hidden: { readonly [name: string]: string }
  readonly reason: string
  /** The event of all new talks; null if they have several or none. */
  readonly event: string | null
  /** If nothing else is in the table; otherwise the page after it shows them. */
  readonly refusals: ShownRefusals | null
}

const title = 'Preview of the table'

/** `sent` is the form that led here. */
export function renderTablePreview(site: Site, caller: Caller, shown: ShownTable, sent?: Form): string {
  const { counts, hidden, notices, reason, refusals } = shown
  const body = (
    <div class="bulk-page table-page">
      <h1>{title}</h1>
      <Problems problems={notices} />
      <PostForm
        class="edit-form"
        action={site.urls.table()}
        caller={caller}
        attributes={{ autocomplete: 'off' }}
        hidden={hidden}
      >
        <Counts counts={toCountList(counts)} />
        <CountInput talks={counts.created + counts.changed} form={sent} />
        <Warnings {...shown} />
        <Rows site={site} {...shown} />
        <SaveBar buttons={toButtons(shown)} reason={reason} />
      </PostForm>
      {refusals !== null && <CorrectRows {...{ site, caller, refusals }} />}
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, title, body)
}

const toCountList = (counts: TableCounts) =>
  [
    ['created', 'new drafts', counts.created],
    ['changed', 'will change', counts.changed],
    ['unchanged', 'no change needed', counts.unchanged],
    ['refused', 'refused', counts.refused],
  ] as const

function toButtons({ counts, event }: ShownTable): FormButton[] {
  const back = { action: 'columns', label: 'Columns and event', isQuiet: true }
  const { created, changed, refused } = counts
  if (created + changed === 0) return [back]
  const where = event === null ? '' : ` in ${toShort(event, 60)}`
  const steps = [
    ...(refused === 0 ? [] : [`skip ${toCounted(refused, 'row')}`]),
    ...(created === 0 ? [] : [`create ${toCounted(created, 'draft')}${where}`]),
    ...(changed === 0 ? [] : [`change ${toCounted(changed, 'talk')}`]),
  ]
  const label = [steps.slice(0, -1).join(', '), steps.at(-1) ?? ''].filter((part) => part !== '').join(' and ')
  return [{ action: refused === 0 ? 'apply' : 'apply-others', label: toSentenceCase(label) }, back]
}

interface RowsProps extends Pick<ShownTable, 'rows' | 'from' | 'counts' | 'event'> {
  readonly site: Site
}

function Rows({ site, rows, from, counts, event }: RowsProps) {
  const total = counts.created + counts.changed + counts.refused
  if (total === 0) return <p>Nothing would change.</p>
  const budget = createDiffBudget()
  return (
    <section class="table-rows" aria-label="Rows">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Talk</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.verdict.row} {...{ site, row, budget, event }} />
          ))}
        </tbody>
      </table>
      <RowPages from={from} shown={rows.length} total={total} />
    </section>
  )
}

function RowPages({ from, shown, total }: { readonly from: number; readonly shown: number; readonly total: number }) {
  if (total <= rowsPerPage) return null
  const before = Math.max(0, from - rowsPerPage)
  return (
    <p class="row-pages">
      <span>
        {toNumber(from + 1)} to {toNumber(from + shown)} of {toNumber(total)}
      </span>
      {from > 0 && (
        <button type="submit" name="do" value={`page-${before}`} class="button quiet small">
          Previous
        </button>
      )}
      {from + shown < total && (
        <button type="submit" name="do" value={`page-${from + shown}`} class="button quiet small">
          Next
        </button>
      )}
    </p>
  )
}

interface RowProps extends Pick<ShownTable, 'event'> {
  readonly site: Site
  readonly row: PreviewRow
  readonly budget: DiffBudget
}

const badges = { created: 'New draft', changed: 'Change', refused: 'Refused', unchanged: '' } as const

function Row({ site, row, budget, event }: RowProps) {
  const { verdict, difference } = row
  const lang = toLanguageCode(difference?.language ?? '') ?? undefined
  const name = difference?.title ?? (row.title || (verdict.id === null ? '' : `Talk ${verdict.id}`))
  return (
    <tr class={`is-${verdict.is}`}>
      <td class="row-number">
        <span class="hidden-text">Row </span>
        {toNumber(verdict.row)}
      </td>
      <th scope="row" dir="auto" lang={lang}>
        {verdict.id === null || difference === null ? name : <a href={site.urls.edit(verdict.id)}>{name}</a>}
      </th>
      <td>
        <span class={`row-badge is-${verdict.is}`}>{badges[verdict.is]}</span>
        {verdict.is === 'refused' && <RowRefusal site={site} row={row} isEdited />}
        {difference !== null && verdict.id === null && <NewValues difference={difference} event={event} />}
        {difference !== null && verdict.id !== null && <Fields {...{ verdict, difference, lang, budget }} />}
        {difference !== null && <Several difference={difference} row={row} />}
        {difference !== null && <Unseen difference={difference} />}
      </td>
    </tr>
  )
}

function Several({ difference, row }: { readonly difference: RowDifference; readonly row: PreviewRow }) {
  const uncertain = Object.entries(difference.fields).flatMap(([name, { after }]) => {
    const entries = listSeveral(name, after)
    return entries.length === 0 ? [] : [{ name, entries }]
  })
  return (
    <>
      {uncertain.map(({ name, entries }) => (
        <div key={name}>
          {entries.map((entry) => (
            <p key={entry} class="row-doubt">
              Looks like several: <q dir="auto">{entry}</q>
            </p>
          ))}
          <CellInput {...{ row, name }} />
        </div>
      ))}
    </>
  )
}

/** All but the title, and the event if all new talks have the same. */
function NewValues({ difference, event }: Pick<ShownTable, 'event'> & { readonly difference: RowDifference }) {
  const given = toWritable(fields).flatMap(([name]) => {
    const value = difference.fields[name]?.after
    const isSaid = name === 'title' || (name === 'category' && value === event)
    return value === undefined || isSaid ? [] : [[name, value] as const]
  })
  return (
    <dl class="row-values">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{toFullLabel(name)}</dt>
          <dd>
            <bdi>{toText(name, value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Invisible characters in titles and names, where they are mistakes. */
function Unseen({ difference }: { readonly difference: RowDifference }) {
  const named = ['title', 'category', 'speakers', 'tags'].flatMap((name) => difference.fields[name]?.after ?? [])
  const texts = named.map(String).filter((text) => listUnseen(text).length > 0)
  return (
    <>
      {texts.map((text) => (
        <p key={text} class="row-doubt">
          Contains characters that nobody can see: <q dir="ltr">{toShort(markUnseen(text), maxShown)}</q>
        </p>
      ))}
    </>
  )
}

interface FieldsProps {
  readonly verdict: RowVerdict
  readonly difference: RowDifference
  readonly lang: string | undefined
  readonly budget: DiffBudget
}

function Fields({ verdict, difference: { fields: changed }, lang, budget }: FieldsProps) {
  const names = toWritable(fields).flatMap(([name]) => (Object.hasOwn(changed, name) ? [name] : []))
  const take = (side: 'before' | 'after') =>
    Object.fromEntries(names.map((name) => [name, changed[name]?.[side] ?? null]))
  if (names.length === 0) return null
  if (!takeDiff(budget, take('before'), take('after')))
    return <p class="muted">{names.map(toFullLabel).join(', ')}: too long to show here.</p>
  return (
    <dl>
      {names.map((name) => {
        const { base = null, before = null, after = null } = changed[name] ?? {}
        const isContested = verdict.problem === 'changed_since'
        return (
          <div key={name}>
            <dt>{toFullLabel(name)}</dt>
            <dd>
              {isContested ? (
                <Sides sides={{ 'Your table': after, Now: before, 'When you downloaded it': base }} name={name} />
              ) : (
                <FieldDiff {...{ name, lang, budget, before, after }} table={fields} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Sides({ sides, name }: { readonly sides: { readonly [side: string]: JsonValue }; readonly name: string }) {
  return (
    <ul class="row-sides">
      {Object.entries(sides).map(([side, value]) => (
        <li key={side}>
          <span class="muted">{side}:</span> <bdi>{toText(name, value)}</bdi>
        </li>
      ))}
    </ul>
  )
}

function toText(name: string, value: JsonValue): string {
  const [, field] = toWritable(fields).find(([each]) => each === name) ?? []
  return toShort(toReadableValue(name, field?.kind ?? null, value), maxShown)
}
