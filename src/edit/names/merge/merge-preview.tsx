import { type CategoryFields, categoryNames } from '../../../record/category.ts'
import type { Example } from '../../../store/name-reads.ts'
import { PostForm } from '../../edit-page.tsx'
import { toFullLabel } from '../../form/field-hints.ts'
import { type CuratedName, toListText } from '../curated-name.ts'
import type { NameFrame } from '../name-frame.ts'
import { ExampleList, NameRow } from '../name-parts.tsx'
import { ApplyForm } from '../name-preview.tsx'
import { namesTexts } from '../names-texts.ts'

const texts = namesTexts.merge

interface MergePreviewProps extends NameFrame {
  readonly into: CuratedName
  /** How many records change. */
  readonly count: number
  readonly reason: string
  readonly examples: { readonly from: readonly Example[]; readonly into: readonly Example[] }
}

/** Both side by side, before one goes. */
export function MergePreview({ into, count, reason, examples, ...frame }: MergePreviewProps) {
  const { site, name } = frame
  return (
    <>
      <div class="merge-sides">
        <Side site={site} title={texts.from} name={name} examples={examples.from} />
        <Side site={site} title={texts.stays} name={into} examples={examples.into} />
      </div>
      {name.fields !== null && into.fields !== null && <FieldTable from={name.fields} into={into.fields} />}
      <p>{texts.preview(count)}</p>
      <ApplyForm
        {...frame}
        action="merge now"
        label={texts.apply(count)}
        reason={reason}
        hidden={{ into_key: into.key, into_name: into.name }}
      />
      <SwapForm {...frame} into={into} reason={reason} />
    </>
  )
}

/** Starts at the other name, which is looked at again first. */
function SwapForm({ site, caller, name, into, reason }: NameFrame & Pick<MergePreviewProps, 'into' | 'reason'>) {
  return (
    <PostForm caller={caller} action={site.urls.editName(into.kind, into.key)}>
      <input type="hidden" name="tag" value={into.versionTag} />
      <input type="hidden" name="into_key" value={name.key} />
      <input type="hidden" name="reason" value={reason} />
      <button class="button quiet small" type="submit" name="do" value="merge">
        {texts.swap}
      </button>
    </PostForm>
  )
}

interface SideProps extends Pick<NameFrame, 'site'> {
  readonly title: string
  readonly name: CuratedName
  readonly examples: readonly Example[]
}

function Side({ site, title, name, examples }: SideProps) {
  return (
    <section class="merge-side">
      <p class="muted">{title}</p>
      <h2 dir="auto">{name.name}</h2>
      <p>
        {namesTexts.talks(name.count)} <span class="muted">· {name.key}</span>
      </p>
      {name.aliases.length > 0 && (
        <p>
          {namesTexts.name.aliases}: <NameRow names={name.aliases} />
        </p>
      )}
      <ExampleList site={site} examples={examples} list={toListText(name)} hasEvent={name.kind !== 'category'} />
    </section>
  )
}

interface FieldTableProps {
  readonly from: CategoryFields
  readonly into: CategoryFields
}

/** Fields that are empty in the one that stays are taken over. */
function FieldTable({ from, into }: FieldTableProps) {
  return (
    <div class="edit-table">
      <table class="merge-fields">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.from}</th>
            <th scope="col">{texts.stays}</th>
          </tr>
        </thead>
        <tbody>
          {categoryNames.map((field) => (
            <tr key={field}>
              <th scope="row">{toFullLabel(field)}</th>
              <td dir="auto">{toShort(from[field])}</td>
              <td dir="auto">
                {toShort(isEmpty(into[field]) ? from[field] : into[field])}{' '}
                {isEmpty(into[field]) && !isEmpty(from[field]) && <span class="badge">{texts.filled}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const maxShown = 200
const isEmpty = (value: string | null) => value === null || value === ''

function toShort(value: string | null): string {
  if (value === null || value === '') return texts.empty
  const signs = [...value.slice(0, 2 * maxShown)]
  return signs.length > maxShown ? `${signs.slice(0, maxShown).join('')}…` : value
}
