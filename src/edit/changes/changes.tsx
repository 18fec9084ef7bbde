import { requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { toLongDay } from '../../site/text/format.ts'
import type { ActivityPage, NamePair } from '../../store/change-log.ts'
import type { ReadStore } from '../../store/store.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { readTitles } from './batch-view.ts'
import { type ChangeFilters, readFilters, toParameters } from './change-filters.ts'
import { ChangeForm } from './change-form.tsx'
import { ChangeLine } from './change-line.tsx'
import { changesTexts } from './changes-texts.ts'

const { changes: texts } = changesTexts
const linesPerPage = 50

/** `/edit/changes`: who did what, newest first. */
export async function showChanges(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const filters = await readFilters(call, deps.store)
  const view = await readView(deps.store, filters)
  const title = filters.event === null ? texts.title : texts.titleOf(filters.event.title)
  const html = renderEditPage(
    { site, caller, section: 'changes' },
    title,
    <Changes {...{ site, caller, filters, view, title }} />,
  )
  return respondEditPage(call, html)
}

/** The lines of a page, and what their records and batches are called. */
export interface ChangesView extends ActivityPage {
  readonly titles: ReadonlyMap<number, string>
  readonly names: ReadonlyMap<number, readonly NamePair[]>
}

async function readView(store: ReadStore, filters: ChangeFilters): Promise<ChangesView> {
  const { by, event, batch, day, cursor, problems } = filters
  if (problems.length > 0) return { lines: [], next: null, titles: new Map(), names: new Map() }
  const query = { by, category: event?.slug ?? null, batch, day, cursor, limit: linesPerPage }
  const { lines, next } = requireRead(await store.listActivity(query))
  const records = lines.flatMap((line) => (line.is === 'version' ? [line.id] : []))
  const batches = lines.flatMap((line) => (line.is === 'batch' ? [line.id] : []))
  const names = requireRead(await store.findBatchNames({ ids: batches }))
  return { lines, next, titles: await readTitles(store, records), names }
}

interface ChangesProps {
  readonly site: Site
  readonly caller: Caller
  readonly filters: ChangeFilters
  readonly view: ChangesView
  readonly title: string
}

function Changes({ site, caller, filters, view, title }: ChangesProps) {
  const { urls } = site
  const { event, cursor, problems } = filters
  return (
    <div class="edit-page">
      <header class="change-head">
        <h1 dir="auto">{title}</h1>
        {event !== null && (
          <p>
            <a href={urls.changesFeed(event.slug)}>{texts.feed}</a>
          </p>
        )}
      </header>
      <ChangeForm {...{ site, caller, filters }} />
      {problems.map((problem) => (
        <p key={problem} class="edit-problem" role="alert">
          {problem}
        </p>
      ))}
      {view.lines.length === 0 && problems.length === 0 && <p>{texts.none}</p>}
      <Days {...{ site, caller, view }} />
      <p class="steps">
        {cursor !== null && <a href={urls.changes(toParameters(filters, null))}>{texts.newest}</a>}
        {view.next !== null && (
          <a rel="next" href={urls.changes(toParameters(filters, view.next))}>
            {texts.older}
          </a>
        )}
      </p>
    </div>
  )
}

function Days({ site, caller, view }: Pick<ChangesProps, 'site' | 'caller' | 'view'>) {
  const days = [...new Set(view.lines.map(({ at }) => at.slice(0, 10)))]
  return (
    <>
      {days.map((day) => (
        <section key={day} class="change-day">
          <h2>{toLongDay(day)}</h2>
          <ul>
            {view.lines
              .filter(({ at }) => at.startsWith(day))
              .map((line, i) => (
                <ChangeLine key={i} {...{ site, caller, line, view }} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}
