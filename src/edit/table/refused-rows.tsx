import type { Caller } from '../../http/route.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toShort } from '../../record/text/printable.ts'
import type { Site } from '../../site/site.ts'
import type { RowDifference, RowVerdict } from '../../store/batch-reads.ts'
import { refusalTexts } from '../changes/batch-notes.tsx'
import { PostForm } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'

/** A row as the preview shows it. */
export interface PreviewRow {
  readonly verdict: RowVerdict
  /** Null if nothing can be compared. */
  readonly difference: RowDifference | null
  /** As the table has it. */
  readonly title: string
  /** Those that are wrong, or look like several. */
  readonly cells: readonly ShownCell[]
}

/** A cell as the table has it. */
interface ShownCell {
  /** Of its field. */
  readonly name: string
  readonly control: string
  readonly text: string
}

/** A longer one is easier to correct in a spreadsheet. */
const maxEdited = 1_000
const isEditable = ({ text }: ShownCell) => text.length <= maxEdited

/** Whether the preview has a control for one of its cells. */
export const isCorrectable = ({ cells }: PreviewRow) => cells.some(isEditable)

/** A control for the cell of a field, if the table has the field and the preview can correct it. */
export function CellInput({ row: { verdict, cells }, name }: { readonly row: PreviewRow; readonly name: string }) {
  const cell = cells.find((each) => each.name === name && isEditable(each))
  if (cell === undefined) return null
  const control = {
    name: cell.control,
    'aria-label': `${toColumnLabel(name)}, row ${toNumber(verdict.row)}`,
    dir: 'auto',
    spellcheck: 'false',
    class: 'cell-input',
  } as const
  // The first line end of a textarea is not part of its text.
  if (/[\r\n]/.test(cell.text)) return <textarea {...control} rows={4}>{`\n${cell.text}`}</textarea>
  return <input type="text" {...control} value={cell.text} />
}

/** The rows of a table that were left out, as plain data (decision 70). */
export interface ShownRefusals {
  readonly count: number
  /** The first of them. */
  readonly rows: readonly PreviewRow[]
  /** All of them as a table to correct; null if that is too long for a form. */
  readonly text: string | null
  /** What the form of the whole table had chosen. */
  readonly hidden: { readonly [name: string]: string }
}

interface RefusedRowsProps {
  readonly site: Site
  readonly caller: Caller
  readonly refusals: ShownRefusals
}

/** After the other rows were applied: which were not, why, and a form to correct them. */
export function RefusedRows({ site, caller, refusals }: RefusedRowsProps) {
  const { count, rows } = refusals
  return (
    <section class="batch-notes refused-rows">
      <h2>{toCounted(count, 'row was', 'rows were')} refused</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.verdict.row}>
            Row {toNumber(row.verdict.row)}
            {row.title !== '' && (
              <>
                {' '}
                <q dir="auto">{toShort(row.title, maxShown)}</q>
              </>
            )}
            <RowRefusal site={site} row={row} />
          </li>
        ))}
      </ul>
      {count > rows.length && <p class="muted">… and {toNumber(count - rows.length)} more.</p>}
      <CorrectRows {...{ site, caller, refusals }} />
    </section>
  )
}

/** The refused rows as a table of their own, to edit here or to copy into a spreadsheet. */
export function CorrectRows({ site, caller, refusals: { count, text, hidden } }: RefusedRowsProps) {
  if (text === null) return <p>Correct these rows in your spreadsheet, and upload them again.</p>
  const [them, label] = count === 1 ? ['it', 'The refused row'] : ['them', 'The refused rows']
  return (
    <PostForm
      class="edit-form"
      action={site.urls.table()}
      caller={caller}
      attributes={{ autocomplete: 'off' }}
      hidden={hidden}
    >
      <div class="field">
        <label for="text">{label}</label>
        <p class="help" id="text-help">
          Correct {them} here, or copy {them} into a spreadsheet: cells are separated by tabs.
        </p>
        <textarea
          id="text"
          name="text"
          rows={Math.min(12, count + 3)}
          dir="auto"
          spellcheck="false"
          aria-describedby="text-help"
        >
          {text}
        </textarea>
      </div>
      <p>
        <button type="submit" name="do" value="read" class="button quiet">
          Check again
        </button>
      </p>
    </PostForm>
  )
}

/** Where a table differs from other bulk changes. */
const rowTexts: { readonly [code: string]: string } = {
  ...refusalTexts,
  bad_fields: 'Some cells are wrong.',
  changed_since: 'Others have changed these fields since this version of the table.',
  no_such_version: 'The talk has no version of this time. Download the table again.',
}

interface RefusalProps {
  readonly site: Site
  readonly row: PreviewRow
  /** In the form of a preview, wrong cells have a control. */
  readonly isEdited?: boolean
}

export function RowRefusal({ site, row, isEdited = false }: RefusalProps) {
  const { problem, errors, same } = row.verdict
  const textOf = (name: string) => row.cells.find((cell) => cell.name === name)?.text ?? ''
  const wrong = Object.entries(errors)
  if (same !== null)
    return (
      <p>
        {'row' in same ? (
          `Row ${toNumber(same.row)} has the same video.`
        ) : (
          <>
            This video is already here: <a href={site.urls.edit(same.id)}>talk {same.id}</a>
          </>
        )}
      </p>
    )
  if (wrong.length === 0) return <p>{rowTexts[problem ?? ''] ?? problem}</p>
  return (
    <ul class="row-errors">
      {wrong.map(([name, problems]) => (
        <li key={name}>
          {name !== '' && <strong>{toColumnLabel(name)}: </strong>}
          {problems.join(' ')}
          {isEdited && <CellInput {...{ row, name }} />}
          {!isEdited && textOf(name) !== '' && (
            <>
              {' '}
              <q dir="auto">{toShort(textOf(name), maxShown)}</q>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

const toColumnLabel = (name: string) => (name === 'id' || name === 'updated' ? name : toFullLabel(name))

export const maxShown = 200
