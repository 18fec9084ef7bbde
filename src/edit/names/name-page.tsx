import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import type { EntryKind } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { hasRole } from '../../record/role.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import type { FieldTable } from '../form/field-hints.ts'
import { isOwnSave, listOtherChanges, OthersChanges, TypedTexts, toSavedKeys } from '../save/notices.tsx'
import { CategoryForm, type CategoryState, toUnsavedEventKey } from './category/category-form.tsx'
import {
  CategoryHistory,
  findOthersChanges,
  readCategoryHistory,
  type VersionPage,
} from './category/category-history.tsx'
import { type CuratedName, findCurated, type NameFrame, openName, toListParameters } from './curated-name.ts'
import { listTalks, TalkTable } from './name-talks.tsx'
import { JoinedNames, Messages, NameTabs, type PageMessages } from './names-layout.tsx'
import { ProfileForm, type ProfileState, toUnsavedProfileKey } from './profile-form.tsx'

const maxTalks = 10

/** What the page shows besides the name itself. */
interface NameState extends PageMessages {
  readonly typed?: TypedName
  readonly category?: CategoryState
  readonly profile?: ProfileState
}

/** `/edit/names/speaker/<id>` and `/edit/names/tag/<id>`. */
export function showNamed(kind: 'speaker' | 'tag') {
  return (call: Call<'id'>, deps: SiteDeps) => showName(call, deps, kind, call.params.id)
}

/** `/edit/names/category/<slug>`. */
export function showCategory(call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  return showName(call, deps, 'category', call.params.slug)
}

/** The page of a name; after a refused form, with what was typed. */
export async function respondName(call: Call, deps: SiteDeps, frame: NameFrame, state: NameState): Promise<TextAnswer> {
  const { site, caller, name } = frame
  const talks = await listTalks(deps, name, maxTalks)
  const versions = name.kind === 'category' ? await readCategoryHistory(call, deps, name.key) : null
  const body = <NamePage {...frame} {...{ state, talks, versions }} />
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, name.name, body))
}

/** What was typed into the forms of a name, and its errors. */
export interface TypedName {
  readonly name?: string
  readonly into?: string
  readonly reason?: string
  readonly errors?: { readonly name?: string; readonly into?: string; readonly reason?: string }
  /** The form that it was typed into. */
  readonly form: 'rename' | 'merge'
}

/** A merged name redirects to its target. */
async function showName(call: Call, deps: SiteDeps, kind: EntryKind, key: string): Promise<TextAnswer> {
  const frame = await openName(call, deps, kind, key)
  const { urls } = frame.site
  if (frame.name.key !== key) return seeOther(call, urls.editName(kind, frame.name.key, { from: key }))
  return respondName(call, deps, frame, await findMessages(call, deps, frame))
}

/** The URL has a code, never a text: what is shown comes from the store. */
async function findMessages(call: Call, deps: SiteDeps, frame: NameFrame): Promise<PageMessages> {
  const { site, name } = frame
  const { kind, key } = name
  const query = call.query()
  const code = query.get('saved') ?? ''
  if (Object.hasOwn(savedTexts, code)) {
    const others = await findOthers(deps, frame, code, query.get('since'))
    if (others === null) return {}
    // Safe: it is one of the keys.
    const text = savedTexts[code as keyof typeof savedTexts]
    const batch = query.get('batch') ?? ''
    const notice = (
      <>
        <p>{isIdText(batch) ? <BatchNotice {...{ site, text }} batch={Number(batch)} /> : text}</p>
        <OthersChanges what={kind === 'category' ? 'event' : kind} caller={frame.caller} changes={others} />
      </>
    )
    const unsaved = kind === 'category' ? toUnsavedEventKey(key) : toUnsavedProfileKey(key)
    return { notice, saved: `${toSavedKeys(unsaved)} ${toUnsavedEventKey(null)}` }
  }
  const from = query.get('from') ?? ''
  const isAlias = from !== '' && from !== key && (await findCurated(deps, kind, from))?.key === key
  return isAlias ? { notice: toMergedNotice(kind, from) } : {}
}

function toMergedNotice(kind: EntryKind, from: string): string {
  if (kind === 'category') return `The event at /category/${from} was merged into this one.`
  return `${kind === 'speaker' ? 'Speaker' : 'Tag'} ${from} was merged into this one.`
}

const savedTexts = { yes: 'Saved.', same: 'There were no changes to save.', created: 'Created.', merged: 'Saved.' }

/** What others changed since the form was opened; null if this URL does not follow a save of the caller. */
async function findOthers(deps: SiteDeps, frame: NameFrame, code: string, since: string | null) {
  if (frame.name.kind === 'tag' || code === 'same') return []
  const number = /^\d{1,15}$/.test(since ?? '') ? Number(since) : null
  if (frame.name.kind === 'speaker') return findOthersInProfile(deps, frame, number)
  return findOthersChanges(deps, frame, number)
}

/** As `findOthersChanges`, of the profile of a speaker. */
async function findOthersInProfile({ store }: SiteDeps, { caller, name }: NameFrame, since: number | null) {
  const log = requireRead(await store.listProfileHistory({ id: Number(name.key), page: 1, pageSize: 20 }))
  const versions = (log?.lines ?? []).filter(({ version }) => version > (since ?? 0)).toReversed()
  const own = versions.findLastIndex((version) => isOwnSave(version, caller))
  if (own < 0) return null
  return since === null ? [] : listOtherChanges(versions.slice(0, own))
}

interface BatchNoticeProps extends Pick<NameFrame, 'site'> {
  readonly text: string
  readonly batch: number
}

function BatchNotice({ site, text, batch }: BatchNoticeProps) {
  return (
    <>
      {text} <a href={site.urls.batch(batch, { done: 1 })}>Changed talks and undo</a>
    </>
  )
}

interface NamePageProps extends NameFrame {
  readonly state: NameState
  readonly talks: readonly Example[]
  readonly versions: VersionPage | null
}

function NamePage({ state, talks, versions, ...frame }: NamePageProps) {
  const { site, caller, name } = frame
  const mayChange = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page name-page">
      <NameTabs site={site} kind={name.kind} />
      <h1 dir="auto">{name.name}</h1>
      <Messages {...state} />
      <Facts {...frame} />
      {!mayChange && (
        <p class="muted">With your role ({caller.role}) you can view names. Publishers can rename and merge them.</p>
      )}
      {mayChange && name.fields !== null && <CategoryForm {...frame} {...state.category} fields={name.fields} />}
      {mayChange && (
        <div class="name-forms">
          {name.fields === null && <RenameForm {...frame} typed={state.typed} />}
          <MergeForm {...frame} typed={state.typed} />
        </div>
      )}
      {mayChange && name.profile !== null && <ProfileForm {...frame} {...state.profile} />}
      <Talks {...frame} talks={talks} />
      {versions !== null && <CategoryHistory {...frame} versions={versions} />}
    </div>
  )
}

function Facts({ site: { urls }, caller, name }: NameFrame) {
  const drafts = name.count - name.live
  const list = toListParameters(name)
  return (
    <div class="name-facts">
      <p>
        {toCounted(name.count, 'talk')}
        {drafts > 0 && ', '}
        {drafts > 0 && <a href={urls.workList({ ...list, state: 2 })}>including {toCounted(drafts, 'draft')}</a>}
        {name.live > 0 && ' · '}
        {name.live > 0 && <a href={toPublicPage(urls, name)}>Public page</a>}
        {name.kind === 'category' && (
          <>
            {' · '}
            <a href={urls.newTalk({ category: name.slug })}>New talk</a>
          </>
        )}
        {name.live > 0 && name.kind === 'category' && (
          <>
            {' · '}
            <a href={urls.changesFeed(name.slug)}>Feed of changes</a>
          </>
        )}
        {name.kind === 'category' && hasRole(caller.role, 'editor') && (
          <>
            {' · '}
            <a href={urls.table({ event: name.slug })}>Add several talks</a>
          </>
        )}
      </p>
      {name.aliases.length > 0 && (
        <p>
          Also known as: <JoinedNames names={name.aliases} />
        </p>
      )}
    </div>
  )
}

function toPublicPage(urls: Site['urls'], { kind, key, slug }: CuratedName): string {
  return kind === 'category' ? urls.category(slug) : urls[kind]({ id: Number(key), slug })
}

function Talks({ site, name, talks }: NameFrame & Pick<NamePageProps, 'talks'>) {
  return (
    <section class="name-talks">
      <h2>Talks</h2>
      {talks.length === 0 ? <p class="muted">No talks.</p> : <TalkTable {...{ site, name, talks }} />}
      {talks.length > 0 && (
        <p>
          {talks.length < name.count && `${`The first ${toNumber(talks.length)} of ${toNumber(name.count)}.`} `}
          <a href={site.urls.workList(toListParameters(name))}>Show all as a work list</a>
        </p>
      )}
    </section>
  )
}

interface FormProps extends NameFrame {
  readonly typed: TypedName | undefined
}

function RenameForm({ typed, ...frame }: FormProps) {
  const { name } = frame
  const own = typed?.form === 'rename' ? typed : undefined
  return (
    <NameForm {...frame} title="Rename" action="rename" submit="Preview">
      <TextField
        id="rename-name"
        field="name"
        label="New name"
        help="The old name becomes an alias, which only curators see."
        value={own?.name ?? name.name}
        error={own?.errors?.name}
      />
      <Reason id="rename-reason" value={own?.reason} error={own?.errors?.reason} />
    </NameForm>
  )
}

function MergeForm({ typed, ...frame }: FormProps) {
  const { site, name } = frame
  const own = typed?.form === 'merge' ? typed : undefined
  return (
    <NameForm {...frame} title="Merge into another" action="merge" submit="Preview">
      <TextField
        id="merge-into"
        field="into"
        label="Merge into"
        help={
          name.kind === 'category'
            ? 'Type a title and choose it. All talks move to the other event, and this one redirects there.'
            : 'Type a name and choose it, or type its number. All talks get the other name; this one becomes its alias.'
        }
        value={own?.into ?? ''}
        error={own?.errors?.into}
        pick={site.urls.pick(name.kind)}
      />
      <Reason id="merge-reason" value={own?.reason} error={own?.errors?.reason} />
    </NameForm>
  )
}

interface NameFormProps extends NameFrame {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly children: Child
}

/** The first step of a change; the second shows what it would do. */
function NameForm({ site, caller, name, title, action, submit, children }: NameFormProps) {
  return (
    <PostForm
      class="name-form"
      caller={caller}
      action={site.urls.editName(name.kind, name.key)}
      hidden={{ tag: name.versionTag }}
    >
      <h2>{title}</h2>
      {children}
      <button class="button quiet" type="submit" name="do" value={action}>
        {submit}
      </button>
    </PostForm>
  )
}

interface TextFieldProps {
  readonly id: string
  readonly field: string
  readonly label: string
  readonly help: string
  readonly value: string
  readonly error: string | undefined
  readonly pick?: string
}

function TextField({ id, field, label, help, value, error, pick }: TextFieldProps) {
  return (
    <div class={error === undefined ? 'field' : 'field is-wrong'}>
      <label for={id}>{label}</label>
      <input
        type="text"
        {...{ id, value }}
        name={field}
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        data-pick={pick}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={error === undefined ? `${id}-help` : `${id}-error ${id}-help`}
      />
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  )
}

interface ReasonProps {
  readonly id: string
  readonly value: string | undefined
  readonly error: string | undefined
}

function Reason({ id, value = '', error }: ReasonProps) {
  return <TextField {...{ id, value, error }} field="reason" label="Reason" help="Why? (optional)" />
}

interface LostForm extends Pick<CuratedName, 'kind' | 'key'> {
  /** The name that it was merged into; null if it no longer exists. */
  readonly current: CuratedName | null
  readonly table: FieldTable
  readonly unsavedKey: string
}

/** Nothing can be saved, but everything can be copied. */
export async function respondLostForm(call: HttpCall, deps: SiteHttpDeps, lost: LostForm): Promise<TextAnswer> {
  const { kind, key, current, table, unsavedKey } = lost
  const site = await openSite(call, deps)
  const missing = `This ${kind === 'category' ? 'event' : kind} no longer exists`
  const title = current === null ? missing : `This ${kind === 'category' ? 'event' : kind} was merged`
  const body = (
    <div class="edit-page name-page">
      <NameTabs site={site} kind={kind} />
      <h1>{title}</h1>
      <p class="edit-problem" role="alert">
        {current === null ? (
          'Nothing can be saved.'
        ) : (
          <>
            It has been merged into another; nothing was changed. <bdi>{key}</bdi> →{' '}
            <a href={site.urls.editName(kind, current.key, { from: key })} dir="auto">
              {current.name}
            </a>
          </>
        )}{' '}
        Your text is below. Copy what you need.
      </p>
      <TypedTexts form={requireForm(call)} table={table} unsavedKey={unsavedKey} />
    </div>
  )
  const html = renderEditPage({ site, caller: requireCaller(call), section: 'names' }, title, body)
  return { ...respondEditPage(call, html), status: current === null ? 404 : 409 }
}
