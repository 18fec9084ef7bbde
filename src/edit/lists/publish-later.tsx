import type { Child } from '#jsx/jsx-runtime'
import { executeAs, logChange } from '../../http/execute.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import { type Caller, type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { maxPublishAheadMs } from '../../record/command.ts'
import { fromBody, parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { toCounted } from '../../record/text/counted.ts'
import { isTimestamp, type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import { openSite, type Site, type SiteHttpDeps } from '../../site/site.ts'
import type { Schedule } from '../../store/activity-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { DateTime, PostForm, type PostFormProps, requireCaller, requireForm, seeOther } from '../edit-page.tsx'
import { scheduled } from './known-lists.ts'
import { toListHref, toListName } from './list-query.ts'

/**
 * `/edit/video/<id>/publish-at`: sets the time at which a draft becomes live, or takes it back. Returns to the list, or
 * with `back=talk` to the editor. The URL has codes and times only: `at` is the time that Undo sets again, or that could
 * not be set.
 */
export async function changeSchedule(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const form = requireForm(call)
  const id = Number(call.params.id)
  const list = toListName(new URLSearchParams(form.get('list') ?? ''))
  const done = await change(call, deps, id, form)
  if (form.get('back') === 'talk') return seeOther(call, urls.edit(id, { list: list === '' ? null : list, ...done }))
  return seeOther(call, toListHref(urls, new URLSearchParams(list), { ...done, code: String(id) }))
}

type Done = { readonly done: 'scheduled' | 'kept' | 'bad-time' | 'is-live'; readonly at: Timestamp | null }

async function change(call: HttpCall, deps: SiteHttpDeps, id: number, form: Form): Promise<Done> {
  const isRemoved = form.get('do') === 'remove'
  const publishAt = isRemoved ? null : parseTime(form.get('at') ?? '')
  if (!isRemoved && publishAt === null) return { done: 'bad-time', at: null }
  const author = toAuthor(requireCaller(call))
  try {
    const { before } = await executeAs('schedule', deps, call, { kind: 'schedule publish', id, publishAt, author })
    logChange(deps, call, author.name, { kind: 'schedule', id, at: publishAt })
    return { done: isRemoved ? 'kept' : 'scheduled', at: before?.at ?? null }
  } catch (error) {
    const code = error instanceof Refused ? error.problem.code : null
    if (code === 'bad_fields') return { done: 'bad-time', at: publishAt }
    if (code === 'not_a_draft') return { done: 'is-live', at: null }
    throw error
  }
}

/** As browsers send a date and time, or as we do: without seconds, or with them. */
function parseTime(text: string): Timestamp | null {
  const [, minutes = '', seconds = ':00', ms = '.000'] = /^(.{16})(:\d\d)?(\.\d{3})?$/.exec(text.trim()) ?? []
  const at = `${minutes.replace(' ', 'T')}${seconds}${ms}`
  return isTimestamp(at) ? at : null
}

const readAt = (parameters: URLSearchParams) => parseTime(parameters.get('at') ?? '')

interface Scheduled {
  /** By the id of the talk. */
  readonly schedules: ReadonlyMap<number, Schedule>
}

/** Of some talks, or of all, the earliest first. */
export async function readSchedules(store: ReadStore, signal: AbortSignal, ids: readonly number[] | null = null) {
  const schedules = requireRead(await store.listSchedules({ ids }, signal))
  return new Map(schedules.map((schedule) => [schedule.id, schedule]))
}

interface PartProps {
  readonly site: Site
  readonly caller: Caller
  readonly id: number
  /** The list to stay in. */
  readonly list: string
  /** Whether its forms return to the list, not to the editor. */
  readonly isInList?: boolean
}

interface PanelProps extends PartProps {
  readonly schedule: Schedule | null
  readonly parameters: URLSearchParams
}

/** Beside the form of a draft: when it goes live, or why it did not. */
export function PublishLater(props: PanelProps) {
  const { caller, schedule, parameters } = props
  const isPublisher = hasRole(caller.role, 'publisher')
  if (schedule === null && !isPublisher) return null
  const typed = parameters.get('done') === 'bad-time' ? readAt(parameters) : null
  const isFailed = (schedule?.failure ?? null) !== null
  return (
    <section class={schedule === null ? 'publish-later' : 'publish-later is-set'} aria-labelledby="publish-later">
      <h2 id="publish-later">Publish later</h2>
      {schedule !== null && <Planned schedule={schedule} />}
      {isPublisher && (
        <TimeForm
          {...props}
          at={typed ?? (isFailed ? null : (schedule?.at ?? null))}
          isSet={schedule !== null}
          isFailed={isFailed}
        />
      )}
    </section>
  )
}

function Planned({ schedule }: { readonly schedule: Schedule }) {
  const { at, by, asked, failure } = schedule
  if (failure !== null) {
    return (
      <p class="is-failed">
        Was to go live <DateTime at={at} />, and stayed a draft: <Failure schedule={schedule} />
      </p>
    )
  }
  return (
    <p>
      Goes live{' '}
      <b>
        <DateTime at={at} />
      </b>
      .{' '}
      <span class="muted">
        Set by <bdi>{by}</bdi>, <DateTime at={asked} />
      </span>
    </p>
  )
}

/** Why a talk stayed a draft, and what helps. */
function Failure({ schedule: { by, failure } }: { readonly schedule: Schedule }) {
  switch (failure) {
    case 'token_gone':
      return (
        <>
          the token of <bdi>{by}</bdi> has ended or may no longer publish. Set a new time.
        </>
      )
    case 'outside_event':
      return (
        <>
          the token of <bdi>{by}</bdi> is limited to other events. Set a new time.
        </>
      )
    default:
      return <>a field of the talk is not valid. Save the talk to see which one, then set a new time.</>
  }
}

interface FormProps extends PartProps {
  readonly at: Timestamp | null
  readonly isSet: boolean
  readonly isFailed: boolean
}

const toKeepLabel = (isFailed: boolean) => (isFailed ? 'Dismiss' : 'Keep as draft')

const [timeId, hintId] = ['publish-at', 'publish-at-hint']

const toMinute = (at: Timestamp) => at.slice(0, 16)

function TimeForm({ at, isSet, isFailed, ...part }: FormProps) {
  const now = Date.now()
  return (
    <ScheduleForm {...part}>
      <label for={timeId}>Date and time (UTC)</label>
      <input
        id={timeId}
        type="datetime-local"
        name="at"
        value={at === null ? '' : toMinute(at)}
        min={toMinute(toTimestamp(now))}
        max={toMinute(toTimestamp(now + maxPublishAheadMs))}
        required
        autocomplete="off"
        aria-describedby={hintId}
      />
      <div class="buttons">
        <button type="submit" class="button quiet">
          {isSet && !isFailed ? 'Change the time' : 'Publish later'}
        </button>
        {isSet && (
          <button type="submit" name="do" value="remove" class="button quiet small" formnovalidate>
            {toKeepLabel(isFailed)}
          </button>
        )}
      </div>
      <p id={hintId} class="hint">
        The last saved version goes live.
      </p>
    </ScheduleForm>
  )
}

function ScheduleForm({ children, ...part }: PartProps & Pick<PostFormProps, 'children'>) {
  const { site, caller, id, list, isInList = false } = part
  return (
    <PostForm
      caller={caller}
      action={site.urls.publishAt(id)}
      class="schedule-form"
      hidden={{ back: isInList ? null : 'talk', list }}
    >
      {children}
    </PostForm>
  )
}

/** What the last form did to the time of this talk. */
export function ScheduleNotice({ schedule, parameters, ...part }: PanelProps) {
  const done = parameters.get('done')
  const text = toNotice(done, schedule)
  if (text === null) return null
  const isDone = done === 'scheduled' || done === 'kept'
  return (
    <div class={isDone ? 'notice is-good' : 'notice'} role="status">
      <p>
        {part.isInList ? <a href={part.site.urls.edit(part.id)}>Talk {part.id}</a> : 'This talk'} {text}
      </p>
      {isDone && <UndoSchedule {...part} isSet={schedule !== null} before={readAt(parameters)} />}
    </div>
  )
}

/** The same in a list, for the talk that the URL names. */
export function ScheduleListNotice({ schedules, ...props }: Omit<PanelProps, 'id' | 'schedule'> & Scheduled) {
  const id = parseRecordId(props.parameters.get('code') ?? '')
  if (id === null) return null
  return <ScheduleNotice {...props} id={id} schedule={schedules.get(id) ?? null} isInList />
}

function toNotice(done: string | null, schedule: Schedule | null): Child | null {
  switch (done) {
    case 'scheduled':
      if (schedule === null || schedule.failure !== null) return null
      return (
        <>
          goes live <DateTime at={schedule.at} />.
        </>
      )
    case 'kept':
      return schedule === null ? 'stays a draft.' : null
    case 'bad-time':
      return 'has no new time: it must be in the future, and at most two years ahead. Times are in UTC.'
    case 'is-live':
      return 'is live already.'
    default:
      return null
  }
}

interface UndoProps extends PartProps {
  readonly isSet: boolean
  /** The time before the change. */
  readonly before: Timestamp | null
}

/** Sets the earlier time again, or none. */
function UndoSchedule({ isSet, before, ...part }: UndoProps) {
  if (!hasRole(part.caller.role, 'publisher') || (before === null && !isSet)) return null
  return (
    <ScheduleForm {...part}>
      {before !== null && <input type="hidden" name="at" value={before} />}
      <button
        type="submit"
        class="button quiet"
        data-key="u"
        {...(before === null ? { name: 'do', value: 'remove' } : {})}
      >
        Undo
      </button>
    </ScheduleForm>
  )
}

interface RowProps {
  readonly site: Site
  readonly id: number
  readonly title: string
  readonly schedule: Schedule | undefined
  /** Whether the list is that of talks that go live later, and the caller may take this back. */
  readonly canKeep: boolean
}

/** In the row of a draft, within the form of the list. */
export function ScheduleCell({ site, id, title, schedule, canKeep }: RowProps) {
  if (schedule === undefined) return null
  const isFailed = schedule.failure !== null
  const label = toKeepLabel(isFailed)
  return (
    <p class={isFailed ? 'goes-live is-failed' : 'goes-live'}>
      <span>
        {isFailed ? 'did not go live ' : 'goes live '}
        <DateTime at={schedule.at} />
      </span>
      {canKeep && (
        <button
          type="submit"
          class="button quiet small"
          formaction={site.urls.publishAt(id)}
          name="do"
          value="remove"
          aria-label={`${label}: ${title}`}
        >
          {label}
        </button>
      )}
    </p>
  )
}

/** The others are in the list. */
const maxFailures = 5

/** On the overview: how many talks go live, and which stayed drafts. */
export async function findScheduleNotice({ urls }: Site, store: ReadStore, signal: AbortSignal) {
  const schedules = [...(await readSchedules(store, signal)).values()]
  const failed = schedules.filter(({ failure }) => failure !== null)
  const [next, ...later] = schedules.filter(({ failure }) => failure === null)
  if (schedules.length === 0) return null
  return (
    <section class={failed.length > 0 ? 'notice going-live' : 'going-live'} aria-label="Publish later">
      {next !== undefined && (
        <p>
          <a href={urls.workList(scheduled)}>{toCounted(later.length + 1, 'talk')} will go live</a>,{' '}
          {later.length > 0 && 'the next '}
          <DateTime at={next.at} />.
        </p>
      )}
      {failed.length > 0 && (
        <p>
          <a href={urls.workList(scheduled)}>{toCounted(failed.length, 'talk')} did not go live</a> and stayed{' '}
          {failed.length === 1 ? 'a draft' : 'drafts'}:
        </p>
      )}
      <ul>
        {
          await Promise.all(
            failed.slice(0, maxFailures).map(async (schedule) => (
              <li key={schedule.id}>
                <a href={urls.edit(schedule.id, { list: scheduledName })} dir="auto">
                  {await findTitle(store, schedule.id)}
                </a>
                , <DateTime at={schedule.at} />: <Failure schedule={schedule} />
              </li>
            )),
          )
        }
      </ul>
    </section>
  )
}

const scheduledName = toListName(new URLSearchParams(scheduled))

async function findTitle(store: ReadStore, id: number): Promise<string> {
  const stored = await store.read(id)
  return stored === null ? `Talk ${id}` : fromBody(stored.body).title
}
