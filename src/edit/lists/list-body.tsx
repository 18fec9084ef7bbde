import type { FormAttributes } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import { Pager } from '../../site/part/pager.tsx'
import { Chips } from '../../site/search/filters.tsx'
import type { Site } from '../../site/site.ts'
import { PostForm } from '../edit-page.tsx'
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
  const { urls } = site
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
      <Chips chips={toListChips(urls, parameters, props.event)} clearHref={urls.workList()} />
      <Rows {...props} />
      <Pager
        hasKeys
        page={found.page}
        last={last}
        toHref={(page) => toListHref(urls, parameters, { page: String(page) })}
      />
    </div>
  )
}

/** The same list for programs. */
function Files({ site: { urls }, parameters }: BodyProps) {
  const filters = new URLSearchParams(toListName(parameters))
  return (
    <p class="machines">
      <a href={toCsvHref(urls, parameters)} download>
        {listTexts.actions.csv}
      </a>
      <a href={urls.api('video', toParameters(filters, {}))}>{listTexts.actions.json}</a>
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
        {texts.tooLarge} <a href={toListHref(site.urls, parameters, { page_size: '20' })}>{texts.fewer}</a>
      </p>
    )
  }
  if (found.rows.length === 0) return <p class="empty">{texts.none}</p>
  const from = (found.page - 1) * query.pageSize + 1
  // Otherwise a reload would keep ticks that nobody sees.
  const attributes: FormAttributes = { 'data-list-form': props.last === 1 ? 'whole' : 'part', autocomplete: 'off' }
  const caption = texts.caption(title, from, from + found.rows.length - 1, found.count)
  return (
    <PostForm caller={caller} action={site.urls.bulk()} class="list-form" attributes={attributes}>
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="scope" value="ticked" />
      <ListActions {...{ site, caller, list }} count={found.count} isParked={parameters.get('parked') === '1'} />
      <WorkTable {...{ site, parameters, query, caption, list }} rows={found.rows} />
    </PostForm>
  )
}

/** Parked drafts are no part of the drafts to finish. */
function ParkedLink({ site: { urls }, parkedCount }: BodyProps) {
  if (parkedCount === 0) return null
  return (
    <a class="muted" href={urls.workList(parkedDrafts)}>
      {listTexts.overview.parked(parkedCount)}
    </a>
  )
}
