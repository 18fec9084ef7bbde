import { requireRead } from '../../../http/problem.ts'
import type { Call, TextAnswer } from '../../../http/route.ts'
import { type Duplicates, duplicateReasons } from '../../../record/query/findings.ts'
import { toLanguageCode } from '../../../record/text/language.ts'
import { Pager } from '../../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import { toLength, toShortDay } from '../../../site/text/format.ts'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../../edit-page.tsx'
import { type ListRow, readRows } from '../list-rows.ts'
import { listTexts } from '../lists-texts.ts'
import { requirePage } from '../require-page.ts'
import { parseWorkList } from '../work-list.ts'
import { compareTalks } from './compare-talks.tsx'

const { duplicates: texts } = listTexts

/** Together the ids of at most one list. */
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
  const reason = duplicateReasons.find((each) => each === call.query().get('reason')) ?? 'same_video'
  const asked = { reason, page: requirePage(call), pageSize: groupsPerPage }
  const found = requireRead(await deps.store.listDuplicates(asked, call.signal))
  const last = Math.max(1, Math.ceil(found.count / groupsPerPage))
  const toHref = (page: number) => toReasonHref(site, reason, page)
  if (found.page > last) return seeOther(call, toHref(last))
  const rows = await readShown(call, deps, found.lines)
  const body = (
    <div class="edit-page">
      <h1>
        {texts.title} <span class="muted">{listTexts.overview.pairs(found.count)}</span>
      </h1>
      <Reasons site={site} reason={reason} />
      <p>{found.count === 0 ? texts.none[reason] : texts.texts[reason]}</p>
      {found.lines.map((group) => (
        <Group key={`${group.reason} ${group.ids[0]}`} site={site} group={group} rows={rows} />
      ))}
      <Pager page={found.page} last={last} toHref={toHref} />
    </div>
  )
  const frame = { site, caller: requireCaller(call), section: 'lists' } as const
  return respondEditPage(call, renderEditPage(frame, texts.title, body))
}

type Reason = Duplicates['reason']

const toReasonHref = ({ urls }: Site, reason: Reason, page = 1) =>
  urls.duplicates({ reason: reason === 'same_video' ? null : reason, page: page === 1 ? null : page })

function Reasons({ site, reason }: { readonly site: Site; readonly reason: Reason }) {
  return (
    <ul class="tabs">
      {duplicateReasons.map((each) => (
        <li key={each}>
          <a href={toReasonHref(site, each)} aria-current={each === reason ? 'page' : undefined}>
            {texts.reasons[each]}
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
          {texts.more(ids.length - shown.length)}:{' '}
          <a href={`${site.urls.workList()}?${new URLSearchParams({ id: ids.slice(0, 100).join(',') })}`}>
            {texts.all}
          </a>
        </p>
      )}
    </div>
  )
}

interface TalkProps {
  readonly site: Site
  readonly row: Row
  readonly list: string
  /** What the others are compared with. */
  readonly first: number
}

function Talk({ site: { urls }, row: { record, by }, list, first }: TalkProps) {
  const { id, title, state, category, speakers, language, recorded, duration, source_url, added } = record
  const facts = [
    ...(recorded === null ? [] : [toShortDay(recorded)]),
    ...(duration === null ? [] : [toLength(duration)]),
    state === 1 ? listTexts.table.live : listTexts.table.draft,
    `${texts.added} ${toShortDay(added.slice(0, 10))}`,
    listTexts.table.by(by),
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
          <a href={urls.duplicates({ compare: `${first},${id}` })}>{texts.compare}</a>
        </p>
      )}
    </li>
  )
}
