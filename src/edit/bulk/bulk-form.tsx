import type { Caller } from '../../http/route.ts'
import { maxSelected } from '../../record/bulk.ts'
import { fields, isFieldName } from '../../record/fields.ts'
import type { FieldErrors } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { toNumber } from '../../record/text/counted.ts'
import { listLanguageNames } from '../../record/text/language.ts'
import { toLf } from '../../record/text/typed-text.ts'
import type { Site } from '../../site/site.ts'
import type { Urls } from '../../site/urls.ts'
import { renderEditPage } from '../edit-page.tsx'
import { groupTitles, toFullLabel, toGroups, toHint, toWritable, type WritableIn } from '../form/field-hints.ts'
import { FieldControl, hasCommas, languageListId, ProblemText } from '../form/form-fields.tsx'
import { toControlId, toControlKind } from '../form/form-values.ts'
import { ErrorSummary, RecordForm } from '../form/record-form.tsx'
import { EditControls, type Entries, partName } from './bulk-edits.tsx'
import { type BulkInput, toOperationName, toOperations } from './bulk-input.ts'
import { type SelectedSample, SelectedTalksList, toHiddenSelection } from './selected-talks.tsx'

interface BulkFormProps {
  readonly site: Site
  readonly caller: Caller
  readonly input: BulkInput
  readonly first: SelectedSample
  /** Whether the form was sent before. */
  readonly isSent: boolean
  readonly errors?: FieldErrors
  /** Why the form is shown again, if no field is wrong. */
  readonly problem?: string
}

const pageTitle = 'Change many talks'

/** Browsers keep the unsaved form under this name; the page of the batch removes it. */
export const bulkUnsavedKey = 'bulk'

/** The page with the form of a bulk change. */
export function renderBulkForm(props: BulkFormProps): string {
  const { site, caller, input, first, isSent, errors = new Map(), problem } = props
  const [fieldErrors, otherErrors] = [true, false].map((isField) =>
    [...errors].filter(([name]) => isFieldName(name) === isField),
  )
  const isTooMany = (first.count ?? 0) > maxSelected && errors.size === 0 && problem === undefined
  const pageProblem = isTooMany
    ? `At most ${toNumber(maxSelected)} talks can be changed at once. Narrow the list.`
    : problem
  const problems = [
    ...(pageProblem === undefined ? [] : [pageProblem]),
    ...(otherErrors ?? []).flatMap(([, texts]) => texts),
  ]
  const body = (
    <div class="bulk-page">
      <h1>{pageTitle}</h1>
      <SelectedTalksList urls={site.urls} chosen={input.chosen} first={first} />
      {problems.length > 0 && (
        <div class="edit-problem" role="alert">
          {problems.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      <ErrorSummary errors={new Map(fieldErrors)} table={fields} />
      <RecordForm
        action={site.urls.bulk()}
        caller={caller}
        etag={null}
        hidden={toHiddenSelection(input.chosen)}
        unsavedKey={bulkUnsavedKey}
        isUnsaved={isSent && input.entries.size > 0}
        reason={input.reason}
        buttons={[{ action: 'preview', label: 'Preview' }]}
      >
        <p class="muted">Fields that you leave empty stay unchanged. You see a preview before anything is changed.</p>
        <BulkFields {...props} />
        <datalist id={languageListId}>
          {listLanguageNames().map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      </RecordForm>
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, pageTitle, body)
}

/** Fields that most bulk changes set, in the order of the form; the others are one click away. */
const usual = ['category', 'language', 'recorded', 'state', 'speakers', 'tags', 'copyright_text', 'whiteboard']

/** Editors change drafts, and cannot publish them. */
const isFor = ({ role }: Caller, name: string) => name !== 'state' || hasRole(role, 'publisher')

function BulkFields(props: BulkFormProps) {
  const { input, errors, caller } = props
  const writable = toWritable(fields).filter(([name]) => isFor(caller, name))
  const first = usual.flatMap((name) => writable.filter(([fieldName]) => fieldName === name))
  const rest = writable.filter(([name]) => !usual.includes(name))
  const isUsed = ([name, field]: Writable) =>
    errors?.has(name) ||
    toOperations(name, field).some((operation) => input.entries.has(toOperationName(name, operation)))
  return (
    <>
      <FieldList {...props} members={first} />
      <EditControls
        entries={input.entries}
        problems={errors?.get(partName) ?? []}
        isWrong={(name) => errors?.has(name) === true}
      />
      <details class="bulk-more" open={rest.some(isUsed)}>
        <summary>More fields</summary>
        {toGroups(Object.fromEntries(rest)).map(({ group, names }) => (
          <section key={group} class="field-group" aria-label={groupTitles[group]}>
            <h2>{groupTitles[group]}</h2>
            <FieldList {...props} members={rest.filter(([name]) => names.includes(name))} />
          </section>
        ))}
      </details>
    </>
  )
}

type Writable = readonly [name: string, field: WritableIn]

function FieldList({ site, input, errors, members }: BulkFormProps & { readonly members: readonly Writable[] }) {
  return (
    <div class="fields">
      {members.map(([name, field]) => (
        <BulkField
          key={name}
          {...{ name, field }}
          entries={input.entries}
          problems={errors?.get(name) ?? []}
          urls={site.urls}
        />
      ))}
    </div>
  )
}

/** What to do with one field of all talks. Empty controls leave it unchanged. */
function BulkField(props: BulkFieldProps) {
  const { name, field, problems } = props
  const kind = toControlKind(name, field.kind, '')
  if (kind === 'names') return <BulkNames {...props} />
  const id = toControlId(name)
  const { note } = toHint(name)
  const classes = ['field', 'bulk-field', `is-${kind}`, ...(toHint(name).isShort === true ? ['is-short'] : [])]
  return (
    <div class={[...classes, ...(problems.length > 0 ? ['is-wrong'] : [])].join(' ')}>
      <label for={id}>{toFullLabel(name)}</label>
      {toOperations(name, field).includes('clear') && <ClearBox {...props} />}
      {kind === 'choice' || kind === 'flag' ? <Choice {...props} id={id} /> : <Value {...props} />}
      <ProblemText id={`${id}-error`} problems={problems} />
      {kind === 'clock' && <p class="help">Minutes and seconds, such as 39:07, or seconds alone.</p>}
      {note !== undefined && (
        <p class="help" id={`${id}-help`}>
          {note}
        </p>
      )}
    </div>
  )
}

function Value({ name, field, entries, problems, urls }: BulkFieldProps) {
  const isWrong = problems.length > 0
  const id = toControlId(name)
  const described = [...(isWrong ? [`${id}-error`] : []), ...(toHint(name).note === undefined ? [] : [`${id}-help`])]
  return (
    <FieldControl
      name={name}
      // Nothing is required here.
      field={{ ...field, absent: { is: 'derived' } }}
      value=""
      typed={entries.get(toOperationName(name, 'set'))}
      isWrong={isWrong}
      {...(described.length > 0 ? { describedBy: described.join(' ') } : {})}
      toPickAddress={urls.pick}
      // For browsers without the script of the picker.
      listId={languageListId}
    />
  )
}

function Choice({ name, field, entries, problems, id }: BulkFieldProps & { readonly id: string }) {
  const control = toOperationName(name, 'set')
  const chosen = entries.get(control) ?? ''
  const isWrong = problems.length > 0
  return (
    <select
      id={id}
      name={control}
      autocomplete="off"
      aria-invalid={isWrong ? 'true' : undefined}
      aria-describedby={isWrong ? `${id}-error` : undefined}
    >
      {[['', 'No change'] as const, ...toChoices(name, field)].map(([value, label]) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  )
}

const stateLabels = { 1: 'Publish: make live', 2: 'Withdraw: make drafts' }

function toChoices(name: string, { kind }: WritableIn): (readonly [value: string, label: string])[] {
  if (kind.type === 'boolean') return [['yes', 'Yes'] as const, ['no', 'No'] as const]
  const labels: { readonly [value: string]: string } = name === 'state' ? stateLabels : {}
  return (kind.choices ?? []).map(({ value, display_name }) => [String(value), labels[value] ?? display_name] as const)
}

/** A list of names: names to add, names to remove, or a list that replaces it. */
function BulkNames(props: BulkFieldProps) {
  const { name, problems, entries } = props
  const id = toControlId(name)
  const label = toFullLabel(name)
  const isReplaced = (['set', 'clear'] as const).some((operation) => entries.has(toOperationName(name, operation)))
  return (
    <fieldset class={problems.length > 0 ? 'bulk-names is-wrong' : 'bulk-names'} id={id} tabindex={-1}>
      <legend>{label}</legend>
      <ProblemText id={`${id}-error`} problems={problems} />
      <NameArea {...props} operation="add" label={`${label} to add`} />
      <NameArea {...props} operation="remove" label={`${label} to remove`} />
      <details open={isReplaced}>
        <summary>Replace or clear</summary>
        <ClearBox {...props} />
        <NameArea {...props} operation="set" label={`New list of ${label.toLowerCase()}`} />
      </details>
      <p class="help" id={`${id}-help`}>
        One per line. Names to remove must match exactly.
      </p>
    </fieldset>
  )
}

interface AreaProps extends BulkFieldProps {
  readonly operation: 'set' | 'add' | 'remove'
  readonly label: string
}

function NameArea({ name, field, entries, problems, urls, operation, label }: AreaProps) {
  const control = toOperationName(name, operation)
  const text = toLf(entries.get(control) ?? '')
  const id = `${toControlId(name)}-to-${operation}`
  const own = toControlId(name)
  const { picker } = toHint(name)
  return (
    <div class="field is-names">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={control}
        rows="2"
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        aria-invalid={problems.length > 0 && text !== '' ? 'true' : undefined}
        aria-describedby={problems.length > 0 ? `${own}-error ${own}-help` : `${own}-help`}
        data-pick={picker === undefined ? undefined : urls.pick(picker)}
        data-commas={hasCommas(picker)}
        data-max-items={field.kind.maxItems === undefined ? undefined : String(field.kind.maxItems)}
        value={text}
      />
    </div>
  )
}

interface BulkFieldProps {
  readonly name: string
  readonly field: WritableIn
  readonly entries: Entries
  readonly problems: readonly string[]
  readonly urls: Urls
}

/** An empty text leaves the field unchanged, so clearing needs a separate checkbox. */
function ClearBox({ name, entries }: Pick<BulkFieldProps, 'name' | 'entries'>) {
  const control = toOperationName(name, 'clear')
  return (
    <label class="clear-box">
      <input
        type="checkbox"
        name={control}
        value="yes"
        checked={entries.has(control)}
        aria-label={`Clear: ${toFullLabel(name)}`}
      />
      Clear
    </label>
  )
}
