import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../record/json.ts'
import type { FieldErrors } from '../../record/record.ts'
import type { StepBudget } from '../../record/text/sequence-diff.ts'
import { createSingleBudget, FieldDiff, maxShortText, toLang, toReadableValue } from '../diff.tsx'
import { type FieldTable, toFullLabel, toHint, toValue, type WritableIn } from '../form/field-hints.ts'
import { FieldControl } from '../form/form-fields.tsx'
import { toControlId, toControlKind, toControlText } from '../form/form-values.ts'
import { ErrorSummary, type FormButton, RecordForm } from '../form/record-form.tsx'
import { type Authored, findOneAuthor, type OtherChange, RefusedSave, toConflictUnsavedKey, toWho } from './notices.tsx'
import {
  type Choice,
  type ConflictChoices,
  choiceTitles,
  type EditedVersion,
  findContested,
  findUncontested,
  mergeLists,
  type ShownConflict,
  type Sides,
  toChoiceName,
  toYoursName,
} from './save-fields.ts'

interface ConflictFormProps {
  readonly caller: Caller
  readonly table: FieldTable
  readonly shown: ShownConflict<EditedVersion>
  /** What others changed since the version that the person began with. */
  readonly changes: readonly OtherChange[]
  /** What is edited, as curators call it. */
  readonly what: 'talk' | 'event' | 'speaker'
  /** Further text at the top of the page. */
  readonly more?: Child
  readonly reason: string
  /** The page of the form, to which the choices are sent, and the page without the unsaved changes. */
  readonly action: string
  readonly back: string
  /** Of the form that led here. */
  readonly unsavedKey: string
  readonly isLive?: boolean
  readonly buttons: readonly FormButton[]
  readonly hidden?: { readonly [name: string]: string }
}

/** The form of a conflicting save, with a choice for each field. */
export function ConflictForm(props: ConflictFormProps) {
  const { shown, table, changes, what, action, caller, reason, buttons, isLive = false } = props
  const { base, theirs, yours, chosen, errors, problem } = shown
  const author = findOneAuthor(changes)
  return (
    <>
      {problem !== undefined && RefusedSave(problem)}
      <div class="notice">
        <p>
          {author?.by === caller.name ? 'You have changed these fields elsewhere' : 'Others have changed these fields'}{' '}
          since you opened the {what}. Choose what to keep for each.
        </p>
        {props.more}
      </div>
      <RecordForm
        {...{ action, caller, reason, buttons, isLive }}
        etag={theirs.etag}
        hidden={{ base: base.etag, ...props.hidden }}
        unsavedKey={toConflictUnsavedKey(props.unsavedKey)}
        isUnsaved
      >
        <ConflictFields
          {...{ table, yours }}
          base={base.record}
          theirs={theirs.record}
          {...(author !== null && { theirsTitle: toTheirsTitle(author, caller) })}
          {...(chosen && { chosen })}
          {...(errors && { errors })}
        />
      </RecordForm>
      <p>
        <a href={props.back}>Discard my changes</a>
      </p>
    </>
  )
}

const toTheirsTitle = (author: Authored, caller: Caller) =>
  `${author.by === caller.name ? 'The other change' : 'Theirs'}, by ${toWho(author, caller)}`

export interface ConflictFieldsProps extends Sides {
  /** Says who made the version that is stored now, and when. */
  readonly theirsTitle?: string
  readonly chosen?: ConflictChoices
  readonly errors?: FieldErrors
}

/** The fields that both sides changed, each with a choice; other changes of the person are included. */
export function ConflictFields(props: ConflictFieldsProps) {
  const { errors = new Map(), yours, base } = props
  const table: FieldTable = props.table ?? fields
  const others = findUncontested(props)
  const budget = createSingleBudget()
  return (
    <>
      <ErrorSummary errors={errors} table={table} />
      {findContested(props).map((name) => {
        const field = table[name]
        return field?.access === 'write' ? <Contest key={name} {...props} {...{ name, field, table, budget }} /> : null
      })}
      {others.length > 0 && (
        <p class="also-saved">Your other changes will be saved too: {others.map(toFullLabel).join(', ')}.</p>
      )}
      {others.map((name) => (
        <Yours key={name} name={name} table={table} base={toValue(base, name)} value={toValue(yours, name)} />
      ))}
    </>
  )
}

interface YoursProps {
  readonly name: string
  readonly table: FieldTable
  readonly base: JsonValue
  readonly value: JsonValue
}

/** Keeps the text of the person while they choose. */
function Yours({ name, table, base, value }: YoursProps) {
  const field = table[name]
  if (field?.access !== 'write') return null
  return (
    <input type="hidden" name={toYoursName(name)} value={toControlText(toControlKind(name, field.kind, base), value)} />
  )
}

interface ContestProps extends ConflictFieldsProps {
  readonly name: string
  readonly field: WritableIn
  readonly table: FieldTable
  /** Shared by all fields. */
  readonly budget: StepBudget
}

function Contest(props: ContestProps) {
  const { name, field, table, base, theirs, yours, chosen, errors, budget } = props
  const [was, now, own] = [toValue(base, name), toValue(theirs, name), toValue(yours, name)]
  const id = toControlId(name)
  const problems = errors?.get(name) ?? []
  const typed = chosen?.edited.get(name) ?? toControlText(toControlKind(name, field.kind, was), own)
  const both = findBoth(was, now, own)
  const { note } = toHint(name)
  const change = { name, table, before: was, lang: toLang(theirs), isWhole: true, budget }
  return (
    <fieldset class="conflict" aria-describedby={problems.length > 0 ? `${id}-error` : undefined}>
      <legend>{toFullLabel(name)}</legend>
      {problems.length > 0 && (
        <p class="field-error" id={`${id}-error`}>
          {problems.join(' ')}
        </p>
      )}
      <div class="sides">
        <Side {...props} choice="yours">
          <FieldDiff {...change} after={own} />
        </Side>
        <Side {...props} choice="theirs">
          <FieldDiff {...change} after={now} />
        </Side>
        {both !== null && (
          <Side {...props} choice="both">
            <FieldDiff {...change} after={both} />
          </Side>
        )}
        <Side {...props} choice="base">
          <p class="plain-value" dir="auto">
            {toReadableValue(name, field.kind, was)}
          </p>
        </Side>
      </div>
      <Side {...props} choice="edited">
        <FieldControl
          {...{ name, field, typed }}
          value={was}
          label={`${choiceTitles.edited}: ${toFullLabel(name)}`}
          isWrong={problems.length > 0}
        />
        {note !== undefined && <p class="help">{note}</p>}
      </Side>
      <Yours name={name} table={table} base={was} value={own} />
    </fieldset>
  )
}

/** Null if it would be one of the sides. */
function findBoth(was: JsonValue, now: JsonValue, own: JsonValue): JsonValue | null {
  const both = mergeLists(was, now, own)
  return both === null || isSameJson(both, now) || isSameJson(both, own) ? null : both
}

interface SideProps extends ContestProps {
  readonly choice: Choice
  readonly children: Child
}

function Side({ name, choice, chosen, theirsTitle, children, ...sides }: SideProps) {
  const id = `${toControlId(name)}-${choice}`
  const value = choice === 'edited' || choice === 'both' ? null : toValue(sides[choice], name)
  const isLong = typeof value === 'string' && value.length > maxShortText
  const title = (choice === 'theirs' ? theirsTitle : undefined) ?? choiceTitles[choice]
  return (
    <div class={`side is-${choice}`}>
      <label class="choice">
        <input
          type="radio"
          name={toChoiceName(name)}
          value={choice}
          checked={chosen?.choices.get(name) === choice}
          aria-describedby={id}
        />{' '}
        {title}
      </label>
      <div
        id={id}
        class={choice === 'edited' ? 'field' : undefined}
        {...(isLong ? { class: 'is-long', tabindex: '0' } : {})}
      >
        {children}
      </div>
    </div>
  )
}
