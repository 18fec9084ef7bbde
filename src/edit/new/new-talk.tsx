import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { isPlaylist } from '../../record/quality/quality.ts'
import { type Changes, type FieldErrors, fromBody, type VideoRecord } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { live } from '../../record/state.ts'
import { listLanguageNames, toLanguageCode } from '../../record/text/language.ts'
import { toSlug } from '../../record/text/slug.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { Hidden, renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { FormFields } from '../form/form-fields.tsx'
import { type Typed, toBlankRecord } from '../form/form-values.ts'
import { RecordForm } from '../form/record-form.tsx'
import { splitAddresses, toAddressTable } from '../table/table-input.ts'
import { PreviewPanel } from '../talk/preview.tsx'
import { findSaveNotice } from '../talk/save-notice.tsx'
import { parseVideoAddress, toPrefilled, toSameAddresses } from './video-address.ts'

/**
 * `/edit/new`: asks for the address of a video; with `address`, lists the talks that have it, or shows the form of a
 * new talk. `anyway` shows the form in any case, and `blank` an empty one. `category` names the event; this and other
 * fields are kept from talk to talk.
 */
export async function showNewTalk(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const query = call.query()
  const caller = requireCaller(call)
  const address = (query.get('address') ?? '').trim()
  const site = await openSite(call, deps)
  const notice = await findSaveNotice(call, deps, site, caller, null)
  const talk: NewTalk = { site, caller, address, kept: readKept(query), notice }
  const respond = (body: Parameters<typeof renderNewPage>[1], status = 200) => ({
    ...respondEditPage(call, renderNewPage(talk, body)),
    status,
  })
  const mayCreate = hasRole(caller.role, 'editor')
  const toForm = async (prefilled: Typed, isPartial = false) => {
    const typed = new Map([
      ...toKeptTexts(talk.kept),
      ...prefilled,
      ...(await findEventTitle(deps.store, talk.kept.category)),
    ])
    const problem = isPartial ? { problem: 'The search for this video took too long, so it may be here already.' } : {}
    return <NewForm {...talk} {...{ typed, ...problem }} sendKey={crypto.randomUUID()} isAnyway={query.has('anyway')} />
  }
  if (mayCreate && query.has('blank')) return respond(await toForm(new Map()))
  if (!query.has('address')) return respond(<AddressForm {...talk} />)
  const addresses = splitAddresses(address)
  if (mayCreate && addresses.length > 1 && toAddressTable(address) !== null)
    return seeOther(call, talk.site.urls.table({ event: talk.kept.category, text: addresses.join('\n') }))
  const parsed = parseVideoAddress(address)
  if (!parsed.ok) return respond(<AddressForm {...talk} problem={parsed.problem} />, 400)
  if (isPlaylist(address) && !query.has('anyway')) return respond(<AddressForm {...talk} isPlaylist />, 400)
  const { talks, isPartial } = await findKnownTalks(deps.store, query.has('anyway') ? [] : [address])
  if (talks.length > 0) return respond(<AlreadyKnown {...talk} talks={talks} />)
  return respond(mayCreate ? await toForm(toPrefilled(address), isPartial) : <AddressForm {...talk} isUnknown />)
}

/** What all steps of a new talk share. */
export interface NewTalk {
  readonly site: Site
  readonly caller: Caller
  /** As it was pasted; `""` without one. */
  readonly address: string
  /** Values of the talk before, or of a link to this page. */
  readonly kept: Kept
  /** Says what the last form did. */
  readonly notice?: Child
}

const keptNames = ['category', 'recorded', 'language', 'tags'] as const

/** The texts of the fields that talks of an event have in common; `""` for none. Tags are on lines of their own. */
type Kept = { readonly [N in (typeof keptNames)[number]]: string }

/** Addresses of pages have a limit; nobody types as many tags. */
const maxKept = 2000

function readKept(query: URLSearchParams): Kept {
  const [category = '', recorded = '', language = '', tags = ''] = keptNames.map((name) => query.get(name) ?? '')
  return { category, recorded, language, tags }
}

export const nothingKept: Kept = { category: '', recorded: '', language: '', tags: '' }

/** What the next talk keeps of the one that was created. */
export function toKept({ category = '', recorded, language = '', tags = [] }: Changes): Kept {
  const text = tags.join('\n')
  return { category, recorded: recorded ?? '', language, tags: text.length > maxKept ? '' : text }
}

/** The event is looked up, since a link may name it by its slug. */
const toKeptTexts = ({ category: _, ...others }: Kept): Typed =>
  new Map(Object.entries(others).filter(([, text]) => text !== ''))

const mayCreate = ({ caller }: NewTalk) => hasRole(caller.role, 'editor')

export function renderNewPage({ site, caller, notice }: NewTalk, body: Child): string {
  const whole = (
    <div class="new-talk">
      <h1>New talk</h1>
      {notice}
      {body}
    </div>
  )
  return renderEditPage({ site, caller, section: 'newTalk' }, 'New talk', whole)
}

export interface NewFormProps extends NewTalk {
  readonly typed: Typed
  /** Becomes the idempotency key, so that a form that is sent twice creates one talk. */
  readonly sendKey: string
  readonly errors?: FieldErrors
  readonly reason?: string
  /** Why nothing was saved. */
  readonly problem?: string
  /** Talks with the same video, which the page lists. */
  readonly known?: readonly VideoRecord[]
  readonly isAnyway?: boolean
  /** Whether the form was sent before. */
  readonly isUnsaved?: boolean
}

/** The form of a new talk. Its state follows from the button. */
export function NewForm(props: NewFormProps) {
  const { site, caller, address, typed, errors, reason = '', known = [], problem } = props
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
        <p class="notice" id={prefilledId}>
          We filled in what the link tells us. Please complete the rest.
        </p>
      )}
      <RecordForm
        {...{ caller, reason }}
        action={site.urls.newTalk()}
        etag={null}
        hidden={{ key: props.sendKey, address, ...(isAnyway ? { anyway: '1' } : {}) }}
        unsavedKey={toUnsavedNewKey(address)}
        isUnsaved={props.isUnsaved === true}
        buttons={[
          { action: 'create', label: 'Create draft' },
          { action: 'next', label: 'Create and next', isQuiet: true, key: 'Ctrl+Enter' },
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
          focus={findFocus(props)}
          notes={{ title: toSlugNote(typed.get('title')?.trim() ?? '') }}
          toPickAddress={site.urls.pick}
          languages={listLanguageNames()}
        />
      </RecordForm>
      <PreviewPanel site={site} id={null} />
    </>
  )
}

const prefilledId = 'prefilled'

/** The first field that neither the address nor the talk before filled in. Errors take the focus themselves. */
function findFocus({ typed, address, isUnsaved = false }: NewFormProps) {
  if (isUnsaved) return null
  const name = ['title', 'category', 'speakers'].find((field) => !typed.has(field)) ?? 'title'
  return { name, ...(address === '' ? {} : { noticeId: prefilledId }) }
}

const toSlugNote = (title: string) =>
  `The web address of the talk is built from this first title and never changes: …/video/<number>/${title === '' ? '<words-of-the-title>' : toSlug(title)}`

const lockedFields = ['state']

/** New talks with different addresses keep their unsaved texts apart. */
export function toUnsavedNewKey(address: string): string {
  if (address === '') return 'new'
  return `new-${Bun.hash(address).toString(16).padStart(16, '0').slice(0, 8)}`
}

const maxKnown = 10

interface Known {
  readonly talks: readonly VideoRecord[]
  /** Whether there may be others: the search took too long. */
  readonly isPartial: boolean
}

/** The talks, drafts too, that have one of these addresses as their source or as a file. */
export async function findKnownTalks(store: ReadStore, addresses: readonly string[]): Promise<Known> {
  const sameAddresses = toSameAddresses(addresses)
  if (sameAddresses.length === 0) return { talks: [], isPartial: false }
  const { ids, isPartial } = requireRead(await store.findSameVideo({ urls: sameAddresses, limit: maxKnown }))
  const talks: VideoRecord[] = []
  for (const id of ids) {
    const stored = await store.read(id)
    if (stored !== null) talks.push(fromBody(stored.body))
  }
  return { talks, isPartial }
}

/** The title of an event that is named by its slug or title; nothing if there is none. */
export async function findEventTitle(store: ReadStore, slugOrTitle: string): Promise<Typed> {
  if (slugOrTitle === '') return new Map()
  const bySlug = requireRead(await store.findCategory({ slug: slugOrTitle, visibility: 'all' }))
  if (bySlug !== null) return new Map([['category', bySlug.row.title]])
  const titles = requireRead(await store.findCategorySlugs([slugOrTitle]))
  return new Map(titles.has(slugOrTitle) ? [['category', slugOrTitle]] : [])
}

interface AddressFormProps extends NewTalk {
  readonly problem?: string
  /** Whether no talk has this video. */
  readonly isUnknown?: boolean
  /** Whether the address leads to many videos. */
  readonly isPlaylist?: boolean
  /** Whether other content comes before the form. */
  readonly isSecond?: boolean
}

/** The first step. It changes nothing, so it is a GET, and can be bookmarked for an event. */
function AddressForm({ isPlaylist = false, isUnknown = false, isSecond = false, ...talk }: AddressFormProps) {
  const { site, caller, address, kept, problem = isPlaylist ? playlistText : undefined } = talk
  const isWrong = problem !== undefined
  return (
    <>
      {!mayCreate(talk) && (
        <p class="notice">{`With your role (${caller.role}) you can check whether a talk is here, but not add one.`}</p>
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
        {isUnknown && <p role="status">This video is not here yet.</p>}
        {isWrong && (
          <p class="field-error" id="address-error" role="alert">
            {problem}
          </p>
        )}
        <p class="help" id="address-help">
          Paste the link to the video, on YouTube, Vimeo or elsewhere, or to a file. We only read the link; we don’t
          contact the site.
        </p>
        <Hidden fields={Object.entries(kept).filter(([, text]) => text !== '')} />
        <button type="submit" class="button">
          Continue
        </button>
      </form>
      {mayCreate(talk) && (
        <p>
          {isPlaylist ? (
            <a href={site.urls.newTalk({ ...kept, address, anyway: 1 })}>Use this address anyway</a>
          ) : (
            <a href={site.urls.newTalk({ ...kept, blank: 1 })}>Start with a blank form</a>
          )}
          , or <a href={site.urls.table({ event: kept.category })}>add several talks</a> from a table or a list of
          addresses
        </p>
      )}
    </>
  )
}

const playlistText =
  'This address leads to a playlist or channel, not to one video. Open the video and paste its address.'

function AlreadyKnown({ talks, ...talk }: NewTalk & { readonly talks: readonly VideoRecord[] }) {
  const { site, address, kept } = talk
  return (
    <>
      <KnownTalks
        site={site}
        talks={talks}
        text="Open it instead, or add it again if this is another talk in the same recording."
      />
      {mayCreate(talk) && (
        <p>
          <a class="button quiet" href={site.urls.newTalk({ ...kept, address, anyway: 1 })}>
            Add it again anyway
          </a>
        </p>
      )}
      <AddressForm {...talk} isSecond />
    </>
  )
}

interface KnownTalksProps {
  readonly site: Site
  readonly talks: readonly VideoRecord[]
  /** What to do about it. */
  readonly text: string
}

/** The talks with this video, with links to the editor. */
function KnownTalks({ site: { urls }, talks, text }: KnownTalksProps) {
  return (
    <section class="known-talks" aria-labelledby="known-talks">
      <h2 id="known-talks">
        {talks.length === 1 ? 'This video is already here' : `This video is already here, in ${talks.length} talks`}
      </h2>
      <ul>
        {talks.map(({ id, title, category, recorded, state, language }, i) => (
          <li key={id} data-row>
            <a href={urls.edit(id)} lang={toLanguageCode(language) ?? undefined} dir="auto" autofocus={i === 0}>
              {title}
            </a>{' '}
            <span class="muted">
              <bdi>{category}</bdi>
              {recorded !== null && `, ${recorded}`}, {state === live ? 'live' : 'draft'}
            </span>
          </li>
        ))}
      </ul>
      <p>{text}</p>
    </section>
  )
}
