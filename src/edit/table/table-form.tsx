import type { Caller } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import { maxTableBytes, maxTableRows } from '../../record/table/csv.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import { PostForm, renderEditPage } from '../edit-page.tsx'
import { toFullLabel, toWritable } from '../form/field-hints.ts'
import { FieldControl } from '../form/form-fields.tsx'
import { toControlId } from '../form/form-values.ts'
import { type TableInput, toColumnControl, toColumnTitle, toHiddenInput } from './table-input.ts'

interface FrameProps {
  readonly site: Site
  readonly caller: Caller
  /** Why the next step was not possible. */
  readonly problems: readonly string[]
}

interface StartProps extends FrameProps {
  readonly text: string
  readonly event: string
}

/** The first step: a file or pasted cells. */
export function renderTableForm({ site, caller, problems, text, event }: StartProps): string {
  const body = (
    <div class="bulk-page table-page">
      <h1>Add or change several talks</h1>
      <Problems problems={problems} />
      <PostForm class="edit-form" action={site.urls.table()} caller={caller} attributes={{ autocomplete: 'off' }}>
        <div class="field">
          <label for="text">Paste a table or a list of addresses</label>
          <textarea
            id="text"
            name="text"
            rows={10}
            dir="auto"
            spellcheck="false"
            aria-describedby="text-help"
            autofocus={problems.length === 0}
          >
            {text}
          </textarea>
          <p class="help" id="text-help">
            Copy cells from a spreadsheet together with the names of their columns, or paste one address per line.
          </p>
        </div>
        <div class="field">
          <label for="file">Or choose a CSV file</label>
          <input type="file" id="file" name="file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="file-help" />
          <p class="help" id="file-help">
            Such as one that you downloaded from a work list. At most {maxTableBytes / 1024 / 1024} MiB and{' '}
            {toNumber(maxTableRows)} rows.
          </p>
        </div>
        <EventField site={site} event={event} />
        <p>
          <button type="submit" name="do" value="read" class="button">
            Preview
          </button>
        </p>
      </PostForm>
      <TableHelp />
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, 'Add or change several talks', body)
}

/** The table may have a column with the event of each talk. */
const optionalEvent = { ...fields.category, absent: { is: 'derived' } } as const

function EventField({ site, event }: { readonly site: Site; readonly event: string }) {
  return (
    <div class="field">
      <label for={toControlId('category')}>Event of new talks</label>
      <FieldControl
        name="category"
        field={optionalEvent}
        value=""
        typed={event}
        toPickAddress={site.urls.pick}
        describedBy="event-help"
      />
      <p class="help" id="event-help">
        For rows that name no event.
      </p>
    </div>
  )
}

function TableHelp() {
  return (
    <details class="table-help">
      <summary>What a table can contain</summary>
      <ul>
        <li>
          The columns of the download of a work list, or any of:{' '}
          {toWritable(fields)
            .map(([name]) => name)
            .join(', ')}
          .
        </li>
        <li>
          A row with an <code>id</code> changes that talk. <code>updated</code> says which version you changed: only
          cells that differ from it count, and nothing is lost if others have changed the talk since.
        </li>
        <li>
          A row without an <code>id</code> becomes a new draft.
        </li>
        <li>
          Separate several speakers or tags with a semicolon, write days as 2026-05-31 or 31.05.2026, and lengths as
          39:07 or in seconds.
        </li>
      </ul>
    </details>
  )
}

export function Problems({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <div class="edit-problem" role="alert">
      {problems.map((problem, i) => (
        <p key={i}>{problem}</p>
      ))}
    </div>
  )
}

interface ColumnsProps extends FrameProps {
  readonly input: TableInput
}

/** The second step, if a column is not known: a person says what each means. */
export function renderColumns({ site, caller, problems, input }: ColumnsProps): string {
  const { heading, columns, rows, event, reason } = input
  const title = 'Columns of the table'
  const unknown = columns.filter((column) => column === null).length
  const body = (
    <div class="bulk-page table-page">
      <h1>{title}</h1>
      <Problems problems={problems} />
      {unknown > 0 && (
        <p>
          {unknown === 1 ? 'One column is' : `${unknown} columns are`} not recognised. Choose what to do with{' '}
          {unknown === 1 ? 'it' : 'them'}.
        </p>
      )}
      <PostForm
        class="edit-form"
        action={site.urls.table()}
        caller={caller}
        attributes={{ autocomplete: 'off' }}
        hidden={{ ...toHiddenInput(input, false), reason }}
      >
        <HeadingChoice isNamed={heading !== null} />
        <table class="column-table">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First values</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {toUnknownFirst(columns).map(({ column, at }) => (
              <tr key={at} class={column === null ? 'is-unknown' : undefined}>
                <th scope="row" dir="auto">
                  {heading?.[at]?.trim() || `Column ${at + 1}`}
                </th>
                <td dir="auto">{toExamples(rows.map(({ cells }) => cells[at] ?? ''))}</td>
                <td>
                  <ColumnSelect at={at} title={toColumnTitle(heading, at)} column={column} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <EventField site={site} event={event} />
        <p class="muted">{toCounted(rows.length, 'row')}</p>
        <div class="save-bar">
          <div class="buttons">
            <button type="submit" name="do" value="preview" class="button">
              Preview
            </button>
            <a class="button quiet" href={site.urls.table()}>
              Start over
            </a>
          </div>
        </div>
      </PostForm>
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, title, body)
}

/** Columns that need an answer come first. */
function toUnknownFirst(columns: TableInput['columns']) {
  const all = columns.map((column, index) => ({ column, at: index }))
  return [...all.filter(({ column }) => column === null), ...all.filter(({ column }) => column !== null)]
}

function HeadingChoice({ isNamed }: { readonly isNamed: boolean }) {
  return (
    <div class="field is-short">
      <label for="heading">First row</label>
      <select id="heading" name="heading">
        <option value="yes" selected={isNamed}>
          Names of the columns
        </option>
        <option value="no" selected={!isNamed}>
          A talk
        </option>
      </select>
    </div>
  )
}

const keyLabels = { id: 'Number (id)', updated: 'Version (updated)' } as const

interface SelectProps {
  readonly at: number
  readonly title: string
  readonly column: TableInput['columns'][number]
}

function ColumnSelect({ at, title, column }: SelectProps) {
  const options = [
    ...Object.entries(keyLabels),
    ...toWritable(fields).map(([name]) => [name, toFullLabel(name)] as const),
  ]
  return (
    <div class="field">
      <select name={toColumnControl(at)} aria-label={`Meaning of ${title}`}>
        <option value="ignored">Leave out</option>
        {options.map(([name, label]) => (
          <option key={name} value={name} selected={name === column}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

const shownExamples = 3
const shownCharacters = 60

function toExamples(cells: readonly string[]): string {
  const filled = cells.filter((cell) => cell.trim() !== '').slice(0, shownExamples)
  return filled.map((cell) => (cell.length > shownCharacters ? `${cell.slice(0, shownCharacters)}…` : cell)).join(' · ')
}
