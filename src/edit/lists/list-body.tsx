import type { Caller } from '../../http/route.ts'
import { Pager } from '../../site/part/pager.tsx'
import { Chips } from '../../site/search/facet-list.tsx'
import type { Site } from '../../site/site.ts'
import { PostForm } from '../post-form.tsx'
import { FilterForm } from './filter-form.tsx'
import { parkedDrafts } from './known-lists.ts'
import { ListActions } from './list-actions.tsx'
import { toCsvHref, toListHref, toParameters } from './list-address.ts'
import { toListChips } from './list-chips.ts'
import { ListNotice } from './list-notice.tsx'
import type { RowPage } from './list-rows.ts'
import { listTexts } from './lists-texts.ts'
import { toListName, type WorkQuery } from './work-list.ts'
import { type shownFields, WorkTable } from './work-table.tsx'

interface BodyProps {
  readonly site: Site
  readonly caller: Caller
  readonly parameters: URLSearchParams
  readonly title: string
  readonly event: string | null
  readonly query: WorkQuery
  readonly found: RowPage<(typeof shownFields)[number]>
  /** The number of the last page. */
  readonly last: number
  /** How many drafts are parked, if the list has all that are not; else 0. */
  readonly parkedCount: number
}

const noErrors = new Map()

export function ListBody(props: BodyProps) {
  const { site, parameters, title, found, last } = props
  const { at } = site
  return (
    <div class="edit-page work-list">
      <header class="list-head">
        <h1>
          {title} <span class="muted">{listTexts.talks(found.count)}</span> <ParkedLink {...props} />
        </h1>
        <Files {...props} />
      </header>
      <ListNotice parameters={parameters} />
      <FilterForm site={site} parameters={parameters} errors={noErrors} />
      <Chips chips={toListChips(at, parameters, props.event)} clearHref={at.workList()} />
      <Rows {...props} />
      <Pager
        hasKeys
        page={found.page}
        last={last}
        toHref={(page) => toListHref(at, parameters, { page: String(page) })}
      />
    </div>
  )
}

/** The same list for programs. */
function Files({ site: { at }, parameters }: BodyProps) {
  const filters = new URLSearchParams(toListName(parameters))
  return (
    <p class="machines">
      <a href={toCsvHref(at, parameters)} download>
        {listTexts.actions.csv}
      </a>
      <a href={at.api('video', toParameters(filters, {}))}>{listTexts.actions.json}</a>
    </p>
  )
}

function Rows(props: BodyProps) {
  const { site, caller, parameters, title, query, found } = props
  const { table: texts } = listTexts
  const list = toListName(parameters)
  if (found.rows === null) {
    return (
      <p>
        {texts.tooLarge} <a href={toListHref(site.at, parameters, { page_size: '20' })}>{texts.fewer}</a>
      </p>
    )
  }
  if (found.rows.length === 0) return <p class="empty">{texts.none}</p>
  const from = (found.page - 1) * query.pageSize + 1
  // Otherwise a reload would keep ticks that nobody sees.
  const attributes = { 'data-list-form': props.last === 1 ? 'whole' : 'part', autocomplete: 'off' }
  const caption = texts.caption(title, from, from + found.rows.length - 1, found.count)
  return (
    <PostForm caller={caller} action={site.at.bulk()} class="list-form" attributes={attributes}>
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="scope" value="ticked" />
      <ListActions {...{ site, caller, list }} count={found.count} isParked={parameters.get('parked') === '1'} />
      <WorkTable {...{ site, parameters, query, caption, list }} rows={found.rows} />
    </PostForm>
  )
}

/** Parked drafts are no part of the drafts to finish. */
function ParkedLink({ site: { at }, parkedCount }: BodyProps) {
  if (parkedCount === 0) return null
  return (
    <a class="muted" href={at.workList(parkedDrafts)}>
      {listTexts.overview.parked(parkedCount)}
    </a>
  )
}
