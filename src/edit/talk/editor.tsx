import type { Child } from '#jsx/jsx-runtime'
import { refuseMissing, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { companionNames, countEntries, type SingleName, toKind } from '../../record/companion/kinds.ts'
import { fields } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { isTroubled } from '../../record/link/link.ts'
import type { RecordLink } from '../../record/link/uses.ts'
import { addressFields, type RecordFindings } from '../../record/quality/finding-codes.ts'
import type { FieldErrors, VideoRecord } from '../../record/record.ts'
import { draft, live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { listLanguageNames } from '../../record/text/language.ts'
import { toSlug } from '../../record/text/slug.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import { toTalkPages } from '../../site/urls.ts'
import type { StoredVersion } from '../../store/change-log.ts'
import type { ReadStore } from '../../store/store.ts'
import { toLang, toReadableValue } from '../diff.tsx'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import {
  type FieldTable,
  groupTitles,
  toFullLabel,
  toGroups,
  toHint,
  toValue,
  toWritable,
} from '../form/field-hints.ts'
import { Facts, FormFields } from '../form/form-fields.tsx'
import type { Typed } from '../form/form-values.ts'
import { RecordForm } from '../form/record-form.tsx'
import { toListTitle, toStateSince, toToday } from '../lists/known-lists.ts'
import { type BeforeInList, findListPlace, type ListPlace, type NextInList, readList } from '../lists/list-place.ts'
import { readFindingFilter, toListHref } from '../lists/list-query.ts'
import { ParkButton, ParkNotice } from '../lists/park.tsx'
import { PublishLater, readSchedules, ScheduleNotice } from '../lists/publish-later.tsx'
import { Review } from '../save/notices.tsx'
import type { Reviewed } from '../save/save-fields.ts'
import { editedFields, findLock, lockedFields, toButtons } from './form-actions.ts'
import { DecideNotice, Issues } from './issues.tsx'
import { PreviewPanel } from './preview.tsx'
import { findSaveNotice, isForAnotherTalk, saveNoticeId } from './save-notice.tsx'
import { findEditedTalk, type TalkVersion, toUnsavedKey } from './talk-version.ts'

/** `/edit/video/<id>`. */
export async function showEditor(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const { store } = deps
  const id = Number(call.params.id)
  const caller = requireCaller(call)
  const site = await openSite(call, deps)
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const place = await findListPlace(call, deps, { id, category: talk.record.category })
  const schedule = (await readSchedules(store, call.signal, [id])).get(id) ?? null
  const planned = { site, caller, id, schedule, list: place?.list ?? '', parameters: call.query() }
  const found = requireRead(await store.findFindings({ id }))
  const page = {
    ...{ site, caller, talk, place, found },
    later: talk.record.state === draft ? <PublishLater {...planned} /> : null,
    made: await store.readVersion(id, talk.version),
    links: requireRead(await store.findRecordLinks({ id })),
    counts: await readCounts(store, id),
    isNext: isForAnotherTalk(call, id),
    isOpened: readList(call) !== null && !['end', 'saved', 'unchanged', 'done'].some((name) => call.query().has(name)),
    notices: (
      <>
        <ParkNotice parameters={call.query()} />
        <DecideNotice {...planned} {...{ found }} canChange={findLock(caller, talk.record) === null} />
        <ScheduleNotice {...planned} />
        {await findSaveNotice(call, deps, site, caller, talk)}
      </>
    ),
  }
  return respondEditPage(call, renderEditor(page))
}

/** How many entries each companion has. */
type EntryCounts = { readonly [Name in SingleName | 'transcripts']?: number }

async function readCounts(store: ReadStore, id: number): Promise<EntryCounts> {
  const counts: { [Name in SingleName | 'transcripts']?: number } = {}
  for (const name of companionNames) counts[name] = countEntries(name, (await store.readCompanion(id, name)).content)
  const transcripts = requireRead(await store.listTranscripts({ id }))
  counts.transcripts = transcripts.filter(({ origin }) => origin !== null).length
  return counts
}

/** What the page of the editor shows. Everything but the talk is left out where it is not known. */
export interface EditorPage {
  readonly site: Site
  readonly caller: Caller
  /** The version that the form is made from. */
  readonly talk: TalkVersion
  /** The talk as it is stored now, if the form is of an older version. */
  readonly current?: TalkVersion
  readonly place: ListPlace | null
  /** Author and time of the stored version. */
  readonly made?: Pick<StoredVersion, 'by' | 'at'> | null
  /** What needs work, and what is fine as it is. */
  readonly found?: RecordFindings | null
  readonly links?: readonly RecordLink[]
  readonly counts?: EntryCounts
  /** When the draft goes live. */
  readonly later?: Child
  /** Whether the person came here by saving another talk. */
  readonly isNext?: boolean
  /** Whether the person opened the talk from a work list. */
  readonly isOpened?: boolean
  /** The unsaved input, if the form is shown again. */
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly reason?: string
  readonly notices?: Child
  readonly review?: Reviewed
}

const lockTexts = {
  reader: 'With your role (reader) you can view talks but not change them.',
  live: 'This talk is live. With your role (editor) you can only change drafts; ask a publisher.',
}

/** The editor as HTML: the form, or the values of a talk that this person cannot change. */
export function renderEditor(page: EditorPage): string {
  const { site, caller, talk, current = talk, place, made = null, found = null, notices } = page
  // Unsaved input is always shown, whatever the role.
  const lock = page.typed === undefined ? findLock(caller, talk.record) : null
  const body = (
    <div class="editor">
      <EditorHead
        {...{ site, caller, place, made }}
        counts={page.counts ?? {}}
        talk={current}
        isUnsaved={page.typed !== undefined}
      />
      {notices}
      {lock !== null && <p class="notice">{lockTexts[lock]}</p>}
      <div class="editor-columns">
        {lock === null ? <EditorForm {...page} /> : <RecordValues record={talk.record} />}
        <aside class="editor-side">
          {found !== null && (
            <Issues {...{ site, caller, found }} id={talk.id} list={place?.list ?? ''} canChange={lock === null} />
          )}
          {page.later}
          {lock === null && <PreviewPanel site={site} id={talk.id} />}
        </aside>
      </div>
      <Facts record={current.record} />
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, talk.record.title, body)
}

interface HeadProps {
  readonly site: Site
  readonly caller: Caller
  /** Whether there is unsaved input: then the talk cannot be set aside. */
  readonly isUnsaved: boolean
  readonly talk: TalkVersion
  readonly place: ListPlace | null
  readonly made: Pick<StoredVersion, 'by' | 'at'> | null
  readonly counts?: EntryCounts
}

/** The title of the talk, where it is in a list, its state and version, and its other pages. */
export function EditorHead({ site, caller, isUnsaved, talk, place, made, counts = {} }: HeadProps) {
  const { record } = talk
  const isLive = record.state === live
  return (
    <header class="editor-head">
      {place !== null && <PlaceInList {...{ site, caller, place }} id={talk.id} />}
      <h1 dir="auto" lang={toLang(record)}>
        {record.title}
      </h1>
      <div class="editor-meta">
        <span class={isLive ? 'state is-live' : 'state is-draft'}>{isLive ? 'Live' : 'Draft'}</span>
        <span class="muted">
          Version {toNumber(talk.version)}
          {made !== null && (
            <>
              , changed <time datetime={`${made.at}Z`}>{toMoment(made.at)}</time> by <bdi>{made.by}</bdi>
            </>
          )}
        </span>
        <TalkLinks {...{ site, talk, place, isLive, counts }} />
        {!isUnsaved && <ParkButton {...{ site, caller, record }} list={place?.list ?? ''} />}
      </div>
    </header>
  )
}

function EditorForm(page: EditorPage) {
  const { site, caller, talk, current = talk, place, typed, errors, reason = '', review } = page
  const action = site.urls.edit(talk.id, { list: place?.list, from: place?.from })
  return (
    <RecordForm
      {...{ action, caller, reason }}
      etag={talk.etag}
      unsavedKey={toUnsavedKey(talk.id)}
      isUnsaved={typed !== undefined}
      isLive={current.record.state === live}
      buttons={toButtons(caller, current.record.state === talk.record.state ? talk.record.state : null, place)}
    >
      {review !== undefined && <Review {...review} site={site} address={site.urls.edit(talk.id, { do: 'review' })} />}
      <FormFields
        record={talk.record}
        locked={lockedFields}
        languages={listLanguageNames()}
        toPickAddress={site.urls.pick}
        notes={{
          ...(hasOldSlug(talk.record) ? { title: toSlugNote(talk.record.slug) } : {}),
          ...toAddressNotes(talk.record, page.links ?? []),
        }}
        focus={findFocus(page)}
        {...(typed === undefined ? {} : { typed })}
        {...(errors === undefined ? {} : { errors })}
      />
    </RecordForm>
  )
}

const toSlugNote = (slug: string) =>
  `The web address of the talk keeps words from its original title: “${slug}”. If they must not become public, create a new talk instead.`

/** What the last check found about dead and moved addresses, by field. */
function toAddressNotes(record: VideoRecord, links: readonly RecordLink[]): { readonly [name: string]: string } {
  const toNote = (link: RecordLink) =>
    `Last check: ${toStateSince(link)}${link.target === null ? '.' : `, now at ${link.target}`}`
  return Object.fromEntries(
    addressFields.flatMap((name) => {
      const link = links.find(({ url, state }) => url === record[name] && isTroubled(state))
      return link === undefined ? [] : [[name, toNote(link)]]
    }),
  )
}

/** Whether the address of a draft has other words than its title; a number may follow them. */
function hasOldSlug({ state, slug, title }: VideoRecord): boolean {
  const words = toSlug(title)
  return (
    state === draft && slug !== words && !(slug.startsWith(`${words}-`) && /^\d+$/.test(slug.slice(words.length + 1)))
  )
}

/** A curator who works through a list can type at once, and no key acts as a shortcut. */
function findFocus(page: EditorPage) {
  const { isNext = false, isOpened = false } = page
  if (isNext) return { name: findFirst(page), noticeId: saveNoticeId }
  return isOpened ? { name: findFirst(page) } : null
}

/** The field that the list is about, or the first field of the form that needs work. */
function findFirst({ found, place }: EditorPage): string {
  const findings = found?.findings ?? []
  const own = readFindingFilter(new URLSearchParams(place?.list ?? ''))
  const named = findings.find(({ code }) => own.includes(code))
  if (named !== undefined) return named.field
  const flagged = new Set<string>(findings.map(({ field }) => field))
  const names = toWritable(editedFields).map(([name]) => name)
  return names.find((name) => flagged.has(name)) ?? 'title'
}

const table: FieldTable = fields

/** A record that cannot be changed, as text. */
function RecordValues({ record }: { readonly record: JsonObject }) {
  const lang = toLang(record)
  return (
    <div class="record-values">
      {toGroups(table).map(({ group, names }) => (
        <section key={group} class="field-group">
          <h2>{groupTitles[group]}</h2>
          <dl>
            {names.map((name) => {
              const field = table[name]
              const kind = field?.access === 'write' ? field.kind : null
              return (
                <div key={name}>
                  <dt>{toFullLabel(name)}</dt>
                  <dd dir="auto" lang={toHint(name).isProse === true ? lang : undefined}>
                    {toReadableValue(name, kind, toValue(record, name))}
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}

interface TalkLinksProps extends Pick<HeadProps, 'site' | 'talk' | 'place'> {
  readonly isLive: boolean
  readonly counts: EntryCounts
}

function TalkLinks({ site: { urls }, talk, place, isLive, counts }: TalkLinksProps) {
  const { id, record } = talk
  const pages = toTalkPages(urls, id, place?.list ?? null)
  return (
    <nav class="talk-links" aria-label="This talk">
      {isLive && <a href={urls.video(record)}>Public page</a>}
      <a href={pages.preview}>Preview</a>
      {/* In another tab, so that what is typed here stays. */}
      {companionNames.map((name) => (
        <a key={name} href={pages.companion(name)} target="_blank" rel="noopener">
          {toKind(name).label}
          {(counts[name] ?? 0) > 0 && <span class="count"> {toNumber(counts[name] ?? 0)}</span>}
          <span class="hidden-text"> (in a new tab)</span>
        </a>
      ))}
      <a href={urls.transcripts(id, { list: place?.list ?? null })} target="_blank" rel="noopener">
        Transcripts
        {(counts.transcripts ?? 0) > 0 && <span class="count"> {toNumber(counts.transcripts ?? 0)}</span>}
        <span class="hidden-text"> (in a new tab)</span>
      </a>
      <a href={pages.history()} data-key="h">
        History
      </a>
      {isLive && <a href={urls.api(`video/${id}`, { format: 'json' })}>JSON</a>}
    </nav>
  )
}

interface PlaceProps {
  readonly caller: Caller
  readonly site: Site
  readonly id: number
  readonly place: ListPlace
}

function PlaceInList({ site: { urls }, caller, id, place: { list, from, event, next, before, isEnd } }: PlaceProps) {
  const filters = new URLSearchParams(list)
  const title = toListTitle(filters, caller.name, toToday(Date.now()), event)
  // The talk that was open before may have left the list, and is still what a person wants to go back to.
  const previous = from ?? before?.previous ?? null
  return (
    <nav
      class="place"
      aria-label="Work list"
      data-list={list}
      data-talk={String(id)}
      data-next={next?.next?.toString()}
    >
      <a href={toListHref(urls, filters)}>{title}</a>
      <Count {...{ next, before, isEnd }} />
      {previous !== null && previous !== id && (
        <a href={urls.edit(previous, { list })} rel="prev" data-key="p">
          Previous
        </a>
      )}
      {next !== undefined && next.next !== null && (
        <a href={urls.edit(next.next, { list, from: id })} rel="next" data-key="n">
          Next
        </a>
      )}
    </nav>
  )
}

interface CountProps {
  readonly next: NextInList | undefined
  readonly before: BeforeInList | undefined
}

/** Where the talk is in the list, or only the size of the list if the talk has left it. */
function Count({ next, before, isEnd }: Pick<ListPlace, 'isEnd'> & CountProps) {
  if (!isEnd) return next === undefined ? null : <span>{toPlaceText(next, before?.position ?? null)}</span>
  return (
    <span role="status">
      <b>End of list.</b>
      {next !== undefined && ` ${toLeftText(next.count)}`}
    </span>
  )
}

const toPlaceText = ({ count }: NextInList, position: number | null) =>
  position === null
    ? `${toCounted(count, 'talk')} in this list`
    : `${toNumber(position)} of ${toCounted(count, 'talk')}`

const toLeftText = (count: number) =>
  count === 0 ? 'It is empty now.' : `${toCounted(count, 'talk is', 'talks are')} still in it.`
