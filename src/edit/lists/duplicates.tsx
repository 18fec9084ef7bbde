import type { Caller } from '../../http/auth/caller.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { type Duplicates, duplicateReasons } from '../../record/query/findings.ts'
import { parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'

import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { toLength, toShortDay } from '../../site/text/format.ts'
import { createSingleBudget, RecordDiff, toDifferingNames, toLang } from '../diff.tsx'
import { PostForm, renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { findEditedTalk, type TalkVersion } from '../talk/talk-version.ts'
import { parseWorkList, requirePage } from './list-query.ts'
import { ParkButton } from './park.tsx'
import { type ListRow, readRows } from './read-list.ts'

const pageTitle = 'Possible duplicates'

const reasonTexts = {
  same_video: {
    tab: 'Same video',
    explain: 'Talks whose source is the same video. One of them may be a duplicate, or link to the wrong video.',
    none: 'No two talks have the same video.',
  },
  same_title: {
    tab: 'Same title in one event',
    explain: 'Talks of one event that have the same title.',
    none: 'No event has two talks with the same title.',
  },
} as const

/** One page of a work list can hold the talks of all groups. */
const [groupsPerPage, shownTalks] = [20, 5] as const

const fields = [
  ...(['id', 'title', 'state', 'category', 'speakers', 'language'] as const),
  ...(['recorded', 'duration', 'source_url', 'added'] as const),
] as const
type Row = ListRow<(typeof fields)[number]>

/** `/edit/duplicates`: talks that may be the same, side by side; `?compare=1,2` shows where two of them differ. */
export async function showDuplicates(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const compared = call.query().get('compare')
  if (compared !== null) return compareTalks(call, deps, compared)
  const site = await openSite(call, deps)
  const reason = duplicateReasons.find((known) => known === call.query().get('reason')) ?? 'same_video'
  const query = { reason, page: requirePage(call), pageSize: groupsPerPage }
  const found = requireRead(await deps.store.listDuplicates(query, call.signal))
  const last = Math.max(1, Math.ceil(found.count / groupsPerPage))
  const toHref = (page: number) => toReasonHref(site, reason, page)
  if (found.page > last) return seeOther(call, toHref(last))
  const rows = await readShown(call, deps, found.lines)
  const body = (
    <div class="edit-page">
      <h1>
        {pageTitle} <span class="muted">{toCounted(found.count, 'group')}</span>
      </h1>
      <Reasons site={site} reason={reason} />
      <p>{found.count === 0 ? reasonTexts[reason].none : reasonTexts[reason].explain}</p>
      {found.lines.map((group) => (
        <Group key={`${group.reason} ${group.ids[0]}`} site={site} group={group} rows={rows} />
      ))}
      <Pager page={found.page} last={last} toHref={toHref} />
    </div>
  )
  const frame = { site, caller: requireCaller(call), section: 'lists' } as const
  return respondEditPage(call, renderEditPage(frame, pageTitle, body))
}

type Reason = Duplicates['reason']

const toReasonHref = ({ urls }: Site, reason: Reason, page = 1) =>
  urls.duplicates({ reason: reason === 'same_video' ? null : reason, page: page === 1 ? null : page })

function Reasons({ site, reason }: { readonly site: Site; readonly reason: Reason }) {
  return (
    <ul class="tabs">
      {duplicateReasons.map((choice) => (
        <li key={choice}>
          <a href={toReasonHref(site, choice)} aria-current={choice === reason ? 'page' : undefined}>
            {reasonTexts[choice].tab}
          </a>
        </li>
      ))}
    </ul>
  )
}

const listShown = ({ ids }: Duplicates) => ids.slice(0, shownTalks)

async function readShown(call: Call, { store }: SiteDeps, groups: readonly Duplicates[]) {
  const ids = [...new Set(groups.flatMap(listShown))]
  const parsed = parseWorkList(new URLSearchParams({ id: ids.join(','), page_size: '100' }))
  if (!parsed.ok || ids.length === 0) return new Map<number, Row>()
  const { rows } = await readRows<(typeof fields)[number]>(store, parsed.query, fields, call.signal)
  return new Map((rows ?? []).map((row) => [row.record.id, row]))
}

interface GroupProps {
  readonly site: Site
  readonly group: Duplicates
  readonly rows: ReadonlyMap<number, Row>
}

function Group({ site, group, rows }: GroupProps) {
  const { ids } = group
  const shown = listShown(group)
  const [first = 0] = shown
  const list = `id=${ids.slice(0, 100).join(',')}`
  return (
    <div class="duplicates">
      <ul>
        {shown.flatMap((id) => {
          const row = rows.get(id)
          return row === undefined ? [] : [<Talk key={id} {...{ site, row, list, first }} />]
        })}
      </ul>
      {ids.length > shown.length && (
        <p>
          and {toNumber(ids.length - shown.length)} more:{' '}
          <a href={`${site.urls.workList()}?${new URLSearchParams({ id: ids.slice(0, 100).join(',') })}`}>As a list</a>
        </p>
      )}
    </div>
  )
}

interface TalkProps {
  readonly site: Site
  readonly row: Row
  readonly list: string
  /** The talk that the others are compared with. */
  readonly first: number
}

function Talk({ site: { urls }, row: { record, by }, list, first }: TalkProps) {
  const { id, title, state, category, speakers, language, recorded, duration, source_url, added } = record
  const facts = [
    ...(recorded === null ? [] : [toShortDay(recorded)]),
    ...(duration === null ? [] : [toLength(duration)]),
    state === live ? 'live' : 'draft',
    `added ${toShortDay(added.slice(0, 10))}`,
    `by ${by}`,
  ]
  return (
    <li>
      <a href={urls.edit(id, { list })} lang={toLanguageCode(language) ?? undefined} dir="auto">
        {title}
      </a>
      <p dir="auto">{[category, ...speakers].join(' · ')}</p>
      <p class="muted" dir="auto">
        {facts.join(' · ')}
      </p>
      {source_url !== '' && <p class="muted address">{source_url}</p>}
      {id !== first && (
        <p>
          <a href={urls.duplicates({ compare: `${first},${id}` })}>Compare</a>
        </p>
      )}
    </li>
  )
}

/** Where two talks differ, field by field. `compared` is their two ids, separated by a comma. */
async function compareTalks(call: Call, deps: SiteDeps, compared: string): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const [first, second, ...more] = await Promise.all(compared.split(',', 3).map((word) => readTalk(deps, word)))
  if (first == null || second == null || more.length > 0)
    throw new Refused({ code: 'not_found', detail: 'A comparison needs the numbers of two talks.' })
  const title = `Talks ${first.id} and ${second.id} compared`
  const isSame = toDifferingNames(first.record, second.record).length === 0
  const body = (
    <div class="edit-page">
      <p>
        <a href={site.urls.duplicates()}>All possible duplicates</a>
      </p>
      <h1>{title}</h1>
      <div class="compared-talks">
        <ComparedTalk {...{ site, caller }} talk={first} side="first" />
        <ComparedTalk {...{ site, caller }} talk={second} side="second" />
      </div>
      {isSame ? (
        <p>Both talks have the same values in every field.</p>
      ) : (
        <RecordDiff before={first.record} after={second.record} budget={createSingleBudget()} />
      )}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

async function readTalk({ store }: SiteDeps, word: string): Promise<TalkVersion | null> {
  const id = parseRecordId(word.trim())
  return id === null ? null : findEditedTalk(store, id)
}

interface ComparedProps {
  readonly site: Site
  readonly caller: Caller
  readonly talk: TalkVersion
  /** The first talk is shown as the text before a change, the second as the text after it. */
  readonly side: 'first' | 'second'
}

/** One of the talks: how its values are marked below, its editor, and a button that withdraws it. */
function ComparedTalk({ site, caller, talk: { id, record, etag }, side }: ComparedProps) {
  const Mark = side === 'first' ? 'del' : 'ins'
  const isLive = record.state === live
  const facts = [record.category, isLive ? 'live' : 'draft', `added ${toShortDay(record.added.slice(0, 10))}`]
  return (
    <section aria-labelledby={`talk-${side}`}>
      <h2 id={`talk-${side}`}>Talk {id}</h2>
      <p class="value-diff">
        Only in this talk: <Mark>{side === 'first' ? 'struck through' : 'underlined'}</Mark>
      </p>
      <p>
        <a href={site.urls.edit(id)} lang={toLang(record)} dir="auto">
          {record.title}
        </a>
      </p>
      <p class="muted" dir="auto">
        {facts.join(' · ')}
      </p>
      <div class="compared-actions">
        <a href={site.urls.edit(id)} aria-describedby={`talk-${side}`}>
          Edit
        </a>
        {isLive && hasRole(caller.role, 'publisher') && (
          <PostForm caller={caller} action={site.urls.edit(id)}>
            <input type="hidden" name="etag" value={etag} />
            <button type="submit" class="button quiet" name="do" value="withdraw" aria-describedby={`talk-${side}`}>
              Withdraw this one
            </button>
          </PostForm>
        )}
        <ParkButton {...{ site, caller, record }} list="" />
      </div>
    </section>
  )
}
