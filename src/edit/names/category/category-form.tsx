import {
  type CategoryFields,
  type CategoryName,
  categoryFields,
  categoryNames,
  toNewCategory,
} from '../../../record/category.ts'
import type { FieldErrors } from '../../../record/record.ts'
import { toCounted } from '../../../record/text/counted.ts'
import { CountInput } from '../../big-step.tsx'
import { PostForm } from '../../edit-page.tsx'
import { type FieldTable, toValue, toWritable } from '../../form/field-hints.ts'
import { FormField } from '../../form/form-fields.tsx'
import type { Typed } from '../../form/form-values.ts'
import { ErrorSummary, RecordForm } from '../../form/record-form.tsx'
import { Review } from '../../save/notices.tsx'
import type { EditedVersion, Reviewed } from '../../save/save-fields.ts'
import type { CuratedName, NameFrame } from '../curated-name.ts'

const helps: { readonly [F in CategoryName]: string } = {
  title: 'Title of the event, as it appears in talks.',
  description: 'Shown on the page of the event.',
  url: 'Web page of the event.',
  start_date: 'First day of the event.',
  end_date: 'Last day of the event. Talks that were recorded later are listed as outside the event.',
  place: 'Where the event took place, such as a city and a country.',
  series: 'The name that all its editions share, such as PyCon US. If it is empty, it is guessed from the title.',
  whiteboard: 'Not shown on pages for viewers.',
}

const blank = toNewCategory({ title: '' })

/** The fields of a category, as forms, diffs and conflicts expect them. */
export const categoryTable: FieldTable = Object.fromEntries(
  categoryNames.map((name) => [
    name,
    {
      access: 'write',
      kind: categoryFields[name],
      absent: name === 'title' ? { is: 'required' } : { is: 'value', value: blank[name] },
      help: helps[name],
    },
  ]),
)

/** The browser keeps unsaved text under this name; `slug` is null for a new category. */
export const toUnsavedEventKey = (slug: string | null) => (slug === null ? 'new-category' : `category-${slug}`)

/** A form that is shown again. */
export interface CategoryState {
  /** An older version, if others have changed it since. */
  readonly base?: EditedVersion
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly reason?: string
  /** A new title, which is saved only if the form is sent again with it. */
  readonly confirm?: string
  readonly review?: Reviewed
}

interface CategoryFormProps extends NameFrame, CategoryState {
  readonly fields: CategoryFields
}

/** All fields of a category. */
export function CategoryForm({ site, caller, name, fields, ...state }: CategoryFormProps) {
  const { base = { etag: name.versionTag, record: fields }, reason = '', confirm, review } = state
  const talks = toCounted(name.count, 'talk')
  return (
    <RecordForm
      action={site.urls.editName('category', name.key)}
      caller={caller}
      etag={base.etag}
      unsavedKey={toUnsavedEventKey(name.key)}
      isUnsaved={state.typed !== undefined}
      reason={reason}
      hidden={confirm === undefined ? {} : { confirm }}
      buttons={[{ action: 'save', label: confirm === undefined ? 'Save' : `Save and rename in ${talks}` }]}
    >
      {confirm !== undefined && (
        <>
          <p class="edit-problem" role="alert">
            The new title will be written to {talks}. Nothing is saved yet: save again to confirm.
          </p>
          <CountInput talks={name.count} />
        </>
      )}
      {review !== undefined && <Review {...review} site={site} table={categoryTable} />}
      <CategoryFieldList {...state} values={base.record} />
      <p class="muted">Its web address will not change: /category/{name.slug}</p>
    </RecordForm>
  )
}

interface FieldListProps extends CategoryState {
  readonly values: EditedVersion['record']
}

export function CategoryFieldList({ values, typed, errors = new Map() }: FieldListProps) {
  return (
    <>
      <ErrorSummary errors={errors} table={categoryTable} />
      <section class="field-group" aria-label="Event">
        <div class="fields">
          {toWritable(categoryTable).map(([name, field]) => (
            <FormField
              key={name}
              {...{ name, field }}
              value={toValue(values, name)}
              typed={typed?.get(name)}
              problems={errors.get(name)}
            />
          ))}
        </div>
      </section>
    </>
  )
}

export const takenText = 'Another event has this title. Merge the two instead, or choose another title.'

export const ownTitleText =
  'An event with this title was merged into this one. Undo that merge, then merge the other way round.'

interface TakenTitleProps extends NameFrame {
  /** The category that has the title. */
  readonly other: CuratedName
  readonly reason: string
}

/** Offers a merge with the category that has the title. */
export function TakenTitle({ site, caller, name, other, reason }: TakenTitleProps) {
  return (
    <>
      <p>{takenText}</p>
      <PostForm
        caller={caller}
        action={site.urls.editName('category', name.key)}
        hidden={{ into_key: other.key, reason }}
      >
        <button class="button quiet" type="submit" name="do" value="merge">
          Merge into “{other.name}”
        </button>
      </PostForm>
    </>
  )
}
