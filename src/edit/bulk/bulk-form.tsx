import type { Caller } from '../../http/route.ts'
import { maxSelected } from '../../record/bulk.ts'
import { hasRole } from '../../record/command.ts'
import { fields, isFieldName } from '../../record/fields.ts'
import type { FieldErrors } from '../../record/record.ts'
import { listLanguageNames } from '../../record/text/language.ts'
import type { Site } from '../../site/site.ts'
import { renderEditPage } from '../edit-page.tsx'
import { groupTitles, toGroups, toWritable, type WritableIn } from '../form/field-hints.ts'
import { ErrorSummary, RecordForm } from '../form/record-form.tsx'
import { BulkField, languageListId } from './bulk-field.tsx'
import type { BulkInput } from './bulk-input.ts'
import { bulkTexts } from './bulk-texts.ts'
import { ChosenList } from './chosen-list.tsx'
import { toHiddenChoice } from './chosen-talks.ts'
import type { FirstTalks } from './listed-talks.ts'
import { toOperationName, toOperations } from './parse-operations.ts'

export interface BulkFormProps {
  readonly site: Site
  readonly caller: Caller
  readonly input: BulkInput
  readonly first: FirstTalks
  /** Whether a person has filled it in before. */
  readonly isSent: boolean
  readonly errors?: FieldErrors
  /** Why the form is shown again, if no field is wrong. */
  readonly problem?: string
}

/** Under this name browsers keep what is filled in; the page of the batch removes it. */
export const bulkUnsavedKey = 'bulk'

/** The page with the form of a bulk change. */
export function renderBulkForm(props: BulkFormProps): string {
  const { site, caller, input, first, isSent, errors = new Map(), problem } = props
  const [ofFields, others] = [true, false].map((isField) =>
    [...errors].filter(([name]) => isFieldName(name) === isField),
  )
  const isTooMuch = (first.count ?? 0) > maxSelected && errors.size === 0 && problem === undefined
  const said = isTooMuch ? bulkTexts.tooMany(maxSelected) : problem
  const problems = [...(said === undefined ? [] : [said]), ...(others ?? []).flatMap(([, each]) => each)]
  const body = (
    <div class="bulk-page">
      <h1>{bulkTexts.title}</h1>
      <ChosenList urls={site.urls} chosen={input.chosen} first={first} />
      {problems.length > 0 && (
        <div class="edit-problem" role="alert">
          {problems.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      <ErrorSummary errors={new Map(ofFields)} table={fields} />
      <RecordForm
        action={site.urls.bulk()}
        caller={caller}
        etag={null}
        hidden={toHiddenChoice(input.chosen)}
        unsavedKey={bulkUnsavedKey}
        isUnsaved={isSent && input.entries.size > 0}
        reason={input.reason}
        buttons={[{ action: 'preview', label: bulkTexts.preview }]}
      >
        <p class="muted">{bulkTexts.explain}</p>
        <BulkFields {...props} />
        <datalist id={languageListId}>
          {listLanguageNames().map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      </RecordForm>
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, bulkTexts.title, body)
}

/** What is most often the same for many talks, in the order of the form; other fields are one click further. */
const usual = ['category', 'language', 'recorded', 'state', 'speakers', 'tags', 'copyright_text', 'whiteboard']

/** Editors change drafts, and cannot publish them. */
const isFor = ({ role }: Caller, name: string) => name !== 'state' || hasRole(role, 'publisher')

function BulkFields(props: BulkFormProps) {
  const { input, errors, caller } = props
  const writable = toWritable(fields).filter(([name]) => isFor(caller, name))
  const first = usual.flatMap((name) => writable.filter(([each]) => each === name))
  const others = writable.filter(([name]) => !usual.includes(name))
  const isUsed = ([name, field]: Writable) =>
    errors?.has(name) || toOperations(name, field).some((each) => input.entries.has(toOperationName(name, each)))
  return (
    <>
      <FieldList {...props} members={first} />
      <details class="bulk-more" open={others.some(isUsed)}>
        <summary>{bulkTexts.moreFields}</summary>
        {toGroups(Object.fromEntries(others)).map(({ group, names }) => (
          <section key={group} class="field-group" aria-label={groupTitles[group]}>
            <h2>{groupTitles[group]}</h2>
            <FieldList {...props} members={others.filter(([name]) => names.includes(name))} />
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
