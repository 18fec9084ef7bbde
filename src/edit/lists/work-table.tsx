import type { FindingCode } from '../../record/quality/finding-codes.ts'
import { isParked, toUnparked } from '../../record/quality/quality.ts'
import type { OrderField } from '../../record/query/ordering.ts'
import { live } from '../../record/state.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Site } from '../../site/site.ts'
import { toLength, toMoment, toShortDay } from '../../site/text/format.ts'
import type { Schedule } from '../../store/activity-reads.ts'
import { fineLabel } from './decide-findings.tsx'
import { findingTexts } from './known-lists.ts'
import { toListHref, type WorkQuery } from './list-query.ts'
import { ScheduleCell } from './publish-later.tsx'
import type { ListRow } from './read-list.ts'

/** The fields that a row shows. */
export const shownFields = [
  ...(['id', 'title', 'state', 'category', 'speakers'] as const),
  ...(['recorded', 'duration', 'language', 'updated', 'whiteboard'] as const),
] as const
type ShownRow = ListRow<(typeof shownFields)[number]>

interface TableProps {
  readonly site: Site
  readonly parameters: URLSearchParams
  readonly query: WorkQuery
  readonly caption: string
  readonly rows: readonly ShownRow[]
  /** The name of the list, for the editor. */
  readonly list: string
  /** The findings that the list is narrowed to: each row has them. */
  readonly own: readonly FindingCode[]
  /** Whether the caller can call the finding of a row fine as it is. */
  canAccept(row: ShownRow): boolean
  /** By the id of the talk. */
  readonly schedules: ReadonlyMap<number, Schedule>
  /** Whether the caller can take back that a talk goes live. */
  readonly canKeep: boolean
}

/** One table for all work lists, with tick boxes for the form around it. */
export function WorkTable(props: TableProps) {
  const { caption, rows } = props
  return (
    <div class="edit-table work-table">
      <table>
        <caption class="hidden-text">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="tick">
              <span class="hidden-text">Select</span>
              <label class="page-tick">
                <input type="checkbox" data-select-all data-key="a" aria-label="Select all on this page" hidden />
                <span>All on this page</span>
              </label>
            </th>
            <SortHead {...props} field="title" text="Talk" />
            <th scope="col">Event</th>
            <th scope="col">Speakers</th>
            <SortHead {...props} field="recorded" text="Day" isNewestFirst />
            <th scope="col">State</th>
            <th scope="col">To do</th>
            <SortHead {...props} field="updated" text="Changed" isNewestFirst />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TalkRow key={row.record.id} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps extends TableProps {
  readonly field: OrderField
  readonly text: string
  readonly isNewestFirst?: boolean
}

/** Sorts by its column; a second click reverses the order. */
function SortHead({ site: { urls }, parameters, query, field, text, isNewestFirst = false }: HeadProps) {
  const [step] = query.order
  const isSorted = step?.field === field
  const isDescending = isSorted ? !step.isDescending : isNewestFirst
  const direction = step?.isDescending === true ? 'descending' : 'ascending'
  const ordering = `${isDescending ? '-' : ''}${field}`
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined}>
      <a
        href={toListHref(urls, parameters, { ordering: ordering === '-recorded' ? null : ordering })}
        title={`Sort by ${text}`}
      >
        {text}
      </a>
    </th>
  )
}

function TalkRow({ site, parameters, list, own, canAccept, row, ...props }: TableProps & { readonly row: ShownRow }) {
  const { urls } = site
  const { id, title, language, category, speakers, recorded, updated, state, whiteboard } = row.record
  // The state already shows that a draft is parked.
  const note = state === live ? whiteboard : toUnparked(whiteboard)
  return (
    <tr data-row={String(id)}>
      <td class="tick">
        <input type="checkbox" name="id" value={String(id)} aria-label={`Select ${title}`} />
      </td>
      <th scope="row">
        <a href={urls.edit(id, { list })} lang={toLanguageCode(language) ?? undefined} dir="auto">
          {title}
        </a>
        {note !== '' && (
          <p class="note" dir="auto">
            {note}
          </p>
        )}
      </th>
      <td class="event">
        <a href={toListHref(urls, parameters, { category })} dir="auto">
          {category}
        </a>
      </td>
      <td class="speakers" dir="auto">
        <Speakers names={speakers} />
      </td>
      <td class="day">{recorded !== null && <time datetime={recorded}>{toShortDay(recorded)}</time>}</td>
      <td class="state">
        <State site={site} row={row} />
        <ScheduleCell {...{ site, id, title }} schedule={props.schedules.get(id)} canKeep={props.canKeep} />
      </td>
      <td class="findings">
        <Findings row={row} own={own} />
        {canAccept(row) && (
          <button
            type="submit"
            class="button quiet small"
            formaction={urls.acceptFindings}
            name="fine"
            value={String(id)}
            aria-label={`${fineLabel}: ${title}`}
            data-key="f"
          >
            {fineLabel}
          </button>
        )}
      </td>
      <td class="updated">
        <time datetime={`${updated}Z`} title={toMoment(updated)}>
          {toShortDay(updated.slice(0, 10))}
        </time>{' '}
        <bdi>by {row.by}</bdi>
      </td>
    </tr>
  )
}

function State({ site: { urls }, row: { record, mergedInto } }: { readonly site: Site; readonly row: ShownRow }) {
  if (record.state === live) return <span class="badge is-live">live</span>
  if (mergedInto !== null) {
    return (
      <a class="badge is-draft" href={urls.edit(mergedInto)}>
        merged into talk {mergedInto}
      </a>
    )
  }
  return <span class="badge is-draft">{isParked(record.whiteboard) ? 'set aside' : 'draft'}</span>
}

/** Keeps rows low: further speakers and findings are in tooltips and for screen readers. */
const [maxSpeakers, maxBadges] = [3, 2] as const

function Speakers({ names }: { readonly names: readonly string[] }) {
  const shown = names.slice(0, maxSpeakers).join(', ')
  const rest = names.slice(maxSpeakers).join(', ')
  if (rest === '') return <>{shown}</>
  return (
    <>
      {shown}{' '}
      <span class="badge" title={rest}>
        <span aria-hidden="true">+{names.length - maxSpeakers}</span>
        <span class="hidden-text">{rest}</span>
      </span>
    </>
  )
}

/** In the list of an issue, it stands alone, beside the number of others, so that a row has one line. */
function Findings({ row, own }: { readonly row: ShownRow; readonly own: readonly FindingCode[] }) {
  const codes = [...own, ...row.findings.filter((code) => !own.includes(code))]
  if (codes.length === 0) return null
  const badges = codes.map((code) => toBadge(code, row))
  const shown = own.length === 0 ? maxBadges : own.length
  const rest = badges.slice(shown).join(', ')
  return (
    <ul class="badges">
      {badges.slice(0, shown).map((badge, i) => (
        <li key={badge} class={i < own.length ? 'badge is-own' : 'badge'}>
          {badge}
        </li>
      ))}
      {rest !== '' && (
        <li class="badge" title={rest}>
          <span aria-hidden="true">+{badges.length - shown}</span>
          <span class="hidden-text">{rest}</span>
        </li>
      )}
    </ul>
  )
}

function toBadge(code: FindingCode, { record: { duration } }: ShownRow): string {
  const { badge } = findingTexts[code]
  return code === 'odd_duration' && duration !== null ? `${badge}: ${toLength(duration)}` : badge
}
