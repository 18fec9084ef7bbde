import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { FieldErrors, VideoRecord } from '../../record/record.ts'
import { listLanguageNames } from '../../record/text/language.ts'
import { toSlug } from '../../record/text/slug.ts'
import type { Site } from '../../site/site.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { FormFields } from '../form/form-fields.tsx'
import { type Typed, toBlankRecord } from '../form/parse-form.ts'
import { RecordForm } from '../form/record-form.tsx'
import { PreviewPanel } from '../preview/preview-panel.tsx'
import { KnownTalks } from './known-talks.tsx'
import { newTexts as texts } from './new-texts.ts'

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
      <h1>{texts.title}</h1>
      {body}
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, texts.title, whole)
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
      {!mayCreate(talk) && <p class="notice">{texts.reader(caller.role)}</p>}
      <form class="address-form" action={site.urls.newTalk()} method="get">
        <label for="address">{texts.address}</label>
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
        {isUnknown && <p role="status">{texts.unknown}</p>}
        {isWrong && (
          <p class="field-error" id="address-error" role="alert">
            {problem}
          </p>
        )}
        <p class="help" id="address-help">
          {texts.addressHelp}
        </p>
        {category !== '' && <input type="hidden" name="category" value={category} />}
        <button type="submit" class="button">
          {texts.submit}
        </button>
      </form>
      {mayCreate(talk) && (
        <p>
          <a href={site.urls.newTalk({ blank: 1, category })}>{texts.blank}</a>
        </p>
      )}
    </>
  )
}

export function AlreadyKnown({ talks, ...talk }: NewTalk & { readonly talks: readonly VideoRecord[] }) {
  const { site, address, category } = talk
  return (
    <>
      <KnownTalks site={site} talks={talks} text={texts.knownText} />
      {mayCreate(talk) && (
        <p>
          <a class="button quiet" href={site.urls.newTalk({ address, anyway: 1, category })}>
            {texts.anyway}
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
  const title = typed.get('title')?.trim() ?? ''
  return (
    <>
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {known.length > 0 && <KnownTalks site={site} talks={known} text={texts.knownAgain} />}
      {address !== '' && props.isUnsaved !== true && <p class="notice">{texts.prefilled}</p>}
      <RecordForm
        {...{ caller, reason }}
        action={site.urls.newTalk()}
        etag={null}
        hidden={{ key: props.sendKey, address, category, ...(isAnyway ? { anyway: '1' } : {}) }}
        draftKey={toNewDraftKey(address)}
        isUnsaved={props.isUnsaved === true}
        buttons={[
          { action: 'create', label: texts.create },
          ...(hasRole(caller.role, 'publisher') ? [{ action: 'publish', label: texts.publish, isQuiet: true }] : []),
        ]}
      >
        <FormFields
          record={toBlankRecord()}
          typed={typed}
          {...(errors === undefined ? {} : { errors })}
          locked={lockedFields}
          notes={{ title: texts.slug(title === '' ? texts.anySlug : toSlug(title)) }}
          toPickAddress={site.urls.pick}
          languages={listLanguageNames()}
        />
      </RecordForm>
      <PreviewPanel site={site} id={null} />
    </>
  )
}

const lockedFields = ['state']

/** Talks that are made at the same time, from different addresses, have drafts of their own. */
export function toNewDraftKey(address: string): string {
  if (address === '') return 'new'
  return `new-${Bun.hash(address).toString(16).padStart(16, '0').slice(0, 8)}`
}
