import { requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { isFindingCode } from '../../record/quality/finding-codes.ts'
import type { EventFindings, EventFindingsQuery, FindingTotal } from '../../record/query/findings.ts'
import { toNumber } from '../../record/text/counted.ts'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { findingChoices, findingTexts, toFindingList } from './known-lists.ts'
import { requirePage } from './list-query.ts'

const pageTitle = 'Issues by event'
const pageSize = 50

type Order = EventFindingsQuery['order']

/** `/edit/findings`: the findings of each event. */
export async function showEventFindings(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const order = readOrder(call.query().get('sort') ?? '')
  const page = requirePage(call)
  const found = requireRead(await deps.store.listEventFindings({ order, page, pageSize }, call.signal))
  const last = Math.max(1, Math.ceil(found.count / pageSize))
  const toHref = (sort: Order, number = 1) =>
    site.urls.eventFindings({ sort: sort === 'total' ? null : sort, page: number === 1 ? null : number })
  if (found.page > last) return seeOther(call, toHref(order, last))
  const body = (
    <div class="edit-page">
      <h1>{pageTitle}</h1>
      <SortForm site={site} order={order} />
      {found.lines.length === 0 ? (
        <p class="empty">No event has any issues.</p>
      ) : (
        <EventTable {...{ site, order, toHref }} events={found.lines} />
      )}
      <Pager page={found.page} last={last} toHref={(number) => toHref(order, number)} />
    </div>
  )
  const frame = { site, caller: requireCaller(call), section: 'lists' } as const
  return respondEditPage(call, renderEditPage(frame, pageTitle, body))
}

/** An unknown order means the first one: a page must not fail because of an old link. */
function readOrder(text: string): Order {
  return text === 'talks' || text === 'title' || isFindingCode(text) ? text : 'total'
}

function SortForm({ site: { urls }, order }: { readonly site: Site; readonly order: Order }) {
  const choices = [...Object.entries({ total: 'Most issues', talks: 'Most talks', title: 'Title' }), ...findingChoices]
  return (
    <form class="find-form" action={urls.eventFindings()}>
      <label for="sort">Sort by</label>
      <select id="sort" name="sort" autocomplete="off">
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === order}>
            {text}
          </option>
        ))}
      </select>
      <button type="submit" class="button quiet">
        Sort
      </button>
    </form>
  )
}

interface TableProps {
  readonly site: Site
  readonly order: Order
  readonly events: readonly EventFindings[]
  toHref(order: Order): string
}

function EventTable({ site, order, events, toHref }: TableProps) {
  const sorted = (name: Order, direction: 'ascending' | 'descending') => (order === name ? direction : undefined)
  return (
    <div class="edit-table event-table">
      <table>
        <thead>
          <tr>
            <th scope="col" aria-sort={sorted('title', 'ascending')}>
              <a href={toHref('title')}>Event</a>
            </th>
            <th scope="col" class="number" aria-sort={sorted('talks', 'descending')}>
              <a href={toHref('talks')}>Talks</a>
            </th>
            <th scope="col" class="number" aria-sort={sorted('total', 'descending')}>
              <a href={toHref('total')}>Issues</a>
            </th>
            <th scope="col">Which</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ category, slug, talks, total, findings }) => (
            <tr key={slug}>
              <th scope="row">
                <a href={site.urls.workList({ category: slug })} dir="auto">
                  {category}
                </a>
              </th>
              <td class="number">{toNumber(talks)}</td>
              <td class="number">{toNumber(total)}</td>
              <td>
                <FindingCounts {...{ site, slug, findings }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CountsProps {
  readonly site: Site
  /** Of the event. */
  readonly slug: string
  readonly findings: readonly FindingTotal[]
}

/** What there is to do in an event, the most frequent first; each links to its list. */
function FindingCounts({ site: { urls }, slug, findings }: CountsProps) {
  return (
    <ul class="badges">
      {findings.map(({ code, count }) => (
        <li key={code}>
          <a class="badge" href={urls.workList({ category: slug, ...toFindingList(code) })}>
            {findingTexts[code].badge} {toNumber(count)}
          </a>
        </li>
      ))}
    </ul>
  )
}
