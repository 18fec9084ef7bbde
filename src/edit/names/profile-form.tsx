import { emptyProfile, type ProfileName, profileFields, profileNames } from '../../record/profile.ts'
import { type FieldTable, toValue, toWritable } from '../form/field-hints.ts'
import { FormField } from '../form/form-fields.tsx'
import type { Typed } from '../form/form-values.ts'
import { ErrorSummary, RecordForm } from '../form/record-form.tsx'
import type { EditedVersion, ShownForm } from '../save/save-fields.ts'
import type { CuratedName, NameFrame } from './curated-name.ts'

const helps: { readonly [F in ProfileName]: string } = {
  note: 'Shown on the page of the speaker, as Markdown. At most 2,000 characters.',
  links: 'Addresses of pages of the speaker. At most 10.',
}

/** The profile of a speaker as forms, differences and conflicts take the fields of a record. */
export const profileTable: FieldTable = Object.fromEntries(
  profileNames.map((name) => [
    name,
    {
      access: 'write',
      kind: profileFields[name],
      absent: { is: 'value', value: emptyProfile[name] },
      help: helps[name],
    },
  ]),
)

/** The name under which the browser keeps unsaved text. */
export const toUnsavedProfileKey = (key: string) => `speaker-${key}`

/** The ETag of the form if note and links are still empty. */
export const noVersion = '0'

export const toEdited = ({ profile }: Pick<CuratedName, 'profile'>): EditedVersion => ({
  etag: profile?.versionTag ?? noVersion,
  record: profile?.fields ?? emptyProfile,
})

/** A form that is shown again. */
export type ProfileState = Partial<Pick<ShownForm<EditedVersion>, 'base' | 'typed' | 'errors'>> & {
  readonly reason?: string
}

/** The form of the profile of a speaker. */
export function ProfileForm({ site, caller, name, ...state }: NameFrame & ProfileState) {
  const { base = toEdited(name), typed, errors = new Map(), reason = '' } = state
  return (
    <RecordForm
      action={site.urls.editName('speaker', name.key)}
      caller={caller}
      etag={base.etag}
      unsavedKey={toUnsavedProfileKey(name.key)}
      isUnsaved={typed !== undefined}
      reason={reason}
      buttons={[{ action: 'save', label: 'Save' }]}
    >
      <ErrorSummary errors={errors} table={profileTable} />
      <ProfileFieldList {...{ base, typed, errors }} />
    </RecordForm>
  )
}

interface FieldListProps {
  readonly base: EditedVersion
  readonly typed: Typed | undefined
  readonly errors: ReadonlyMap<string, readonly string[]>
}

function ProfileFieldList({ base, typed, errors }: FieldListProps) {
  return (
    <section class="field-group" aria-label="About the speaker">
      <div class="fields">
        {toWritable(profileTable).map(([name, field]) => (
          <FormField
            key={name}
            {...{ name, field }}
            value={toValue(base.record, name)}
            typed={typed?.get(name)}
            problems={errors.get(name)}
          />
        ))}
      </div>
    </section>
  )
}
