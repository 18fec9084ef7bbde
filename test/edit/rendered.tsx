import { render } from '#jsx/render'
import { createSingleBudget, RecordDiff } from '../../src/edit/diff.tsx'
import { Facts, FormFields, type FormFieldsProps } from '../../src/edit/form/form-fields.tsx'
import { RecordForm } from '../../src/edit/form/record-form.tsx'
import { ConflictFields, type ConflictFieldsProps } from '../../src/edit/save/conflict.tsx'
import type { JsonObject } from '../../src/record/json.ts'

export const renderForm = (record: JsonObject, more: Omit<FormFieldsProps, 'record'> = {}) =>
  render(
    <form>
      <FormFields record={record} {...more} />
      <button type="submit" class="button">
        Save
      </button>
    </form>,
  )

export const renderConflict = (props: ConflictFieldsProps) =>
  render(
    <form>
      <ConflictFields {...props} />
      <button type="submit" class="button">
        Save
      </button>
    </form>,
  )

export const renderDiff = (before: JsonObject, after: JsonObject) =>
  render(<RecordDiff before={before} after={after} budget={createSingleBudget()} />)

const caller = {
  name: 'ann',
  role: 'editor',
  tokenId: 1,
  expiresMs: null,
  session: { hash: null, formToken: 'a-token' },
} as const

export const renderWholeForm = (record: JsonObject, more: Omit<FormFieldsProps, 'record'> = {}) =>
  render(
    <RecordForm
      action="/edit/video/7"
      caller={caller}
      etag="3-abc"
      unsavedKey="video-7"
      isUnsaved={more.typed !== undefined}
      buttons={[
        { action: 'save', label: 'Save' },
        { action: 'next', label: 'Save and next', isQuiet: true },
        { action: 'publish', label: 'Publish', isQuiet: true },
      ]}
    >
      <FormFields record={record} {...more} />
      <Facts record={record} />
    </RecordForm>,
  )
