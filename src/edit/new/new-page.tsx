import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { FieldErrors, VideoRecord } from '../../record/record.ts'
import { listLanguageNames } from '../../record/text/language.ts'
import { toSlug } from '../../record/text/slug.ts'
import type { Site } from '../../site/site.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { FormFields } from '../form/form-fields.tsx'
import { type Typed, toBlankRecord } from '../form/form-values.ts'
import { RecordForm } from '../form/record-form.tsx'
import { PreviewPanel } from '../preview/preview-panel.tsx'
import { KnownTalks } from './known-talks.tsx'

/** What all steps of making a talk know. */
export interface NewTalk {
  readonly site: Site
  readonly caller: Caller
  /** As it was pasted; `""` without one. */
  readonly address: string
  /** The event that is filled in, as the address of the page names it. */
  readonly category: string
}

const mayCreate = ({ caller }: NewTalk) => hasRole(caller.role, 'editor')

export function renderNewPage({ site, caller }: NewTalk, body: Child): string {
  const whole = (
    <div class="new-talk">
      <h1>New talk</h1>
      {body}
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, 'New talk', whole)
}

interface AddressFormProps extends NewTalk {
  readonly problem?: string
  /** Whether we do not have the video of this address. */
  readonly isUnknown?: boolean
  /** Whether something before the form comes first. */
  readonly isSecond?: boolean
}

/** The first step. It changes nothing, so it is a GET, and can be bookmarked for an event. */
export function AddressForm({ problem, isUnknown = false, isSecond = false, ...talk }: AddressFormProps) {
  const { site, caller, address, category } = talk
  const isWrong = problem !== undefined
  return (
    <>
      {!mayCreate(talk) && (
        <p class="notice">{`Your role (${caller.role}) can look whether we have a talk, but not create one.`}</p>
      )}
      <form class="address-form" action={site.urls.newTalk()} method="get">
        <label for="address">Address of the video</label>
        <input
          type="text"
          inputmode="url"
          id="address"
          name="address"
          value={address}
          dir="ltr"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          required
          autofocus={!isSecond}
          aria-describedby={isWrong ? 'address-error address-help' : 'address-help'}
          aria-invalid={isWrong ? 'true' : undefined}
        />
        {isUnknown && <p role="status">We do not have it yet.</p>}
        {isWrong && (
          <p class="field-error" id="address-error" role="alert">
            {problem}
          </p>
        )}
        <p class="help" id="address-help">
          Of its page at YouTube, Vimeo or another host, or of a file. Nothing is fetched from there.
        </p>
        {category !== '' && <input type="hidden" name="category" value={category} />}
        <button type="submit" class="button">
          Go on
        </button>
      </form>
      {mayCreate(talk) && (
        <p>
          <a href={site.urls.newTalk({ blank: 1, category })}>Begin with an empty form</a>
        </p>
      )}
    </>
  )
}

export function AlreadyKnown({ talks, ...talk }: NewTalk & { readonly talks: readonly VideoRecord[] }) {
  const { site, address, category } = talk
  return (
    <>
      <KnownTalks
        site={site}
        talks={talks}
        text="Open it instead, or make a new one if this is another talk in the same recording."
      />
      {mayCreate(talk) && (
        <p>
          <a class="button quiet" href={site.urls.newTalk({ address, anyway: 1, category })}>
            Make a new one anyway
          </a>
        </p>
      )}
      <AddressForm {...talk} isSecond />
    </>
  )
}

export interface NewFormProps extends NewTalk {
  readonly typed: Typed
  /** Becomes the idempotency key, so that a form that is sent twice makes one talk. */
  readonly sendKey: string
  readonly errors?: FieldErrors
  readonly reason?: string
  /** Why nothing was saved. */
  readonly problem?: string
  /** Talks with the same video, which this person has been told about. */
  readonly known?: readonly VideoRecord[]
  readonly isAnyway?: boolean
  /** Whether the form was sent before. */
  readonly isUnsaved?: boolean
}

/** The form of a new talk. Its state follows from the button. */
export function NewForm(props: NewFormProps) {
  const { site, caller, address, category, typed, errors, reason = '', known = [], problem } = props
  const isAnyway = props.isAnyway === true || known.length > 0
  return (
    <>
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {known.length > 0 && (
        <KnownTalks
          site={site}
          talks={known}
          text="If this is another talk in the same recording, send the form again. Nothing is saved yet."
        />
      )}
      {address !== '' && props.isUnsaved !== true && (
        <p class="notice">Filled in from the address alone. Please check it.</p>
      )}
      <RecordForm
        {...{ caller, reason }}
        action={site.urls.newTalk()}
        etag={null}
        hidden={{ key: props.sendKey, address, category, ...(isAnyway ? { anyway: '1' } : {}) }}
        draftKey={toNewDraftKey(address)}
        isUnsaved={props.isUnsaved === true}
        buttons={[
          { action: 'create', label: 'Create draft' },
          ...(hasRole(caller.role, 'publisher')
            ? [{ action: 'publish', label: 'Create and publish', isQuiet: true }]
            : []),
        ]}
      >
        <FormFields
          record={toBlankRecord()}
          typed={typed}
          {...(errors === undefined ? {} : { errors })}
          locked={lockedFields}
          notes={{ title: toSlugNote(typed.get('title')?.trim() ?? '') }}
          toPickAddress={site.urls.pick}
          languages={listLanguageNames()}
        />
      </RecordForm>
      <PreviewPanel site={site} id={null} />
    </>
  )
}

const toSlugNote = (title: string) =>
  `The address of the talk is made from this first title and never changes: …/video/<number>/${title === '' ? '<words-of-the-title>' : toSlug(title)}`

const lockedFields = ['state']

/** Talks that are made at the same time, from different addresses, have drafts of their own. */
export function toNewDraftKey(address: string): string {
  if (address === '') return 'new'
  return `new-${Bun.hash(address).toString(16).padStart(16, '0').slice(0, 8)}`
}
