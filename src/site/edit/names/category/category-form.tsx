import type { CategoryFields } from '../../../../record/category.ts'
import type { VersionTag } from '../../../../record/command.ts'
import type { FieldErrors } from '../../../../record/record.ts'
import { ErrorSummary } from '../../form/error-summary.tsx'
import { toValue, toWritable } from '../../form/field-hints.ts'
import { FormField } from '../../form/form-field.tsx'
import type { Typed } from '../../form/parse-form.ts'
import { RecordForm } from '../../form/record-form.tsx'
import type { NameFrame } from '../name-frame.ts'
import { namesTexts } from '../names-texts.ts'
import { categoryTable, toDraftKey } from './category-table.ts'

const texts = namesTexts.category

/** A version of a category that a form is made from. */
export interface CategoryBase {
  readonly versionTag: VersionTag
  readonly fields: CategoryFields
}

/** A form that is shown again. */
export interface CategoryState {
  /** Not the current version, if others were faster. */
  readonly base?: CategoryBase
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly reason?: string
  /** A new title, which is saved only if the form is sent again with it. */
  readonly confirm?: string
}

interface CategoryFormProps extends NameFrame, CategoryState {
  readonly fields: CategoryFields
}

/** All fields of a category. */
export function CategoryForm({ site, caller, name, fields, ...state }: CategoryFormProps) {
  const { base = { versionTag: name.versionTag, fields }, reason = '', confirm } = state
  const isAgain = state.typed !== undefined
  return (
    <RecordForm
      action={site.at.editName('category', name.key)}
      caller={caller}
      etag={base.versionTag}
      draftKey={toDraftKey(name.key)}
      isUnsaved={isAgain}
      reason={reason}
      hidden={confirm === undefined ? {} : { confirm }}
      buttons={[{ action: 'save', label: confirm === undefined ? texts.save : texts.saveTitle(name.count) }]}
    >
      {confirm !== undefined && (
        <p class="edit-problem" role="alert">
          {texts.confirm(name.count)}
        </p>
      )}
      <CategoryFieldList {...state} fields={base.fields} />
      <p class="muted">{texts.address(name.slug)}</p>
    </RecordForm>
  )
}

interface FieldListProps extends CategoryState {
  readonly fields: CategoryFields
}

export function CategoryFieldList({ fields, typed, errors = new Map() }: FieldListProps) {
  return (
    <>
      <ErrorSummary errors={errors} table={categoryTable} />
      <section class="field-group" aria-label={texts.fields}>
        <div class="fields">
          {toWritable(categoryTable).map(([name, field]) => (
            <FormField
              key={name}
              {...{ name, field }}
              value={toValue(fields, name)}
              typed={typed?.get(name)}
              problems={errors.get(name)}
            />
          ))}
        </div>
      </section>
    </>
  )
}
