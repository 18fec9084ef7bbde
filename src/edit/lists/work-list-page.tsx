import type { JSX } from '#jsx/jsx-runtime'
import { Refused } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import type { FieldErrors } from '../../record/record.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { FilterForm } from './filter-form.tsx'
import { parkedDrafts, toListTitle, toToday } from './known-lists.ts'
import { toCleanParameters, toListHref } from './list-address.ts'
import { ListBody } from './list-body.tsx'
import { findListEvent } from './list-event.ts'
import { readRows } from './list-rows.ts'
import { listTexts } from './lists-texts.ts'
import { countList } from './overview-counts.ts'
import { defaultSize, parseNamedList, toListFilters, type WorkQuery } from './work-list.ts'
import { shownFields } from './work-table.tsx'

/** `/edit/list?…`: a work list, named by its address. */
export async function showWorkList(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const given = call.query()
  const parameters = toCleanParameters(given)
  // A form sends what is not filled in, too. The address of a list has only what is.
  if ([...given].some(([, value]) => value === '')) return seeOther(call, toListHref(site.urls, parameters))
  const caller = requireCaller(call)
  const read = parseShown(parameters)
  if (!read.ok) return respondWrong(call, { site, caller, parameters, title: listTexts.lists.some }, read.errors)
  const { query } = read
  const found = await readRows<(typeof shownFields)[number]>(deps.store, query, shownFields, call.signal)
  const last = Math.max(1, Math.ceil(found.count / query.pageSize))
  // The list has become shorter since.
  if (found.page > last) return seeOther(call, toListHref(site.urls, parameters, { page: String(last) }))
  const event = await findListEvent(deps.store, parameters, found.rows)
  const title = toListTitle(toListFilters(parameters), caller.name, toToday(Date.now()), event)
  const view = { site, caller, parameters, title }
  const isDrafts = title === listTexts.lists.drafts
  const parkedCount = isDrafts ? await countList(deps.store, parkedDrafts, call.signal) : 0
  return respond(call, view, <ListBody {...view} {...{ event, query, found, last, parkedCount }} />)
}

type Shown = { readonly ok: true; readonly query: WorkQuery } | { readonly ok: false; readonly errors: FieldErrors }

function parseShown(parameters: URLSearchParams): Shown {
  const sized = new URLSearchParams(parameters)
  if (!sized.has('page_size')) sized.set('page_size', String(defaultSize))
  sized.delete('cursor')
  const parsed = parseNamedList(sized)
  if (!parsed.ok && parsed.problem === 'no_such_page') throw new Refused({ code: 'no_such_page' })
  return parsed
}

interface View {
  readonly site: Site
  readonly caller: Caller
  readonly parameters: URLSearchParams
  readonly title: string
}

function respond(call: Call, { site, caller, title }: View, body: JSX.Element): TextAnswer {
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

/** The form with what is wrong with it. */
function respondWrong(call: Call, view: View, errors: FieldErrors): TextAnswer {
  const body = (
    <div class="edit-page work-list">
      <h1>{listTexts.lists.some}</h1>
      <div class="error-summary" role="alert">
        <h2>{listTexts.filters.problems}</h2>
        <ul>
          {[...errors].map(([name, problems]) => (
            <li key={name}>{problems.join(' ')}</li>
          ))}
        </ul>
        <p>
          <a href={view.site.urls.workList()}>{listTexts.filters.clear}</a>
        </p>
      </div>
      <FilterForm {...view} errors={errors} />
    </div>
  )
  return { ...respond(call, view, body), status: 400 }
}
