import type { Call, TextAnswer } from '../../http/route.ts'
import { type FindingCode, findingCodes, missingKinds, toMissingCode } from '../../record/quality/finding-codes.ts'
import type { FindingTotal } from '../../record/query/findings.ts'
import { toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { changedBy, changedOn, drafts, parkedDrafts, toFindingList, toToday, withNote } from './known-lists.ts'
import { listTexts } from './lists-texts.ts'
import { countLists, type OverviewCounts } from './overview-counts.ts'

const { overview: texts, lists } = listTexts

/** `/edit`: every work list with its count. */
export async function showOverview(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const today = toToday(Date.now())
  const counts = await countLists(deps.store, caller.name, today, call.signal)
  const body = (
    <div class="edit-page overview">
      <header class="list-head">
        <h1>{texts.title}</h1>
        <FindForm site={site} />
      </header>
      <section class="notice kept-unsaved" aria-label={texts.kept} data-kept-unsaved={site.urls.editHome} hidden />
      <div class="overview-groups">
        <WorkGroup {...{ site, counts, today }} name={caller.name} />
        <Group title={texts.groups.missing} entries={toFindingEntries(site, counts, missing)} />
        <Group title={texts.groups.wrong} entries={toWrongEntries(site, counts)} />
        <EventGroup site={site} counts={counts} />
      </div>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, texts.title, body))
}

const missing: readonly FindingCode[] = missingKinds.map(toMissingCode)
/** The last one is `same_video`. */
const wrong = findingCodes.filter((code) => !missing.includes(code))

function FindForm({ site: { urls } }: { readonly site: Site }) {
  return (
    <form class="find-form" action={urls.workList()}>
      <label for="find">{texts.find}</label>
      <input id="find" type="search" name="q" data-key="/" dir="auto" placeholder={texts.findHint} autocomplete="off" />
      <button type="submit" class="button quiet">
        {texts.submit}
      </button>
      <a href={urls.workList()}>{texts.all}</a>
    </form>
  )
}

interface Entry {
  readonly text: string
  readonly href: string
  readonly count: number
}

interface GroupProps {
  readonly site: Site
  readonly counts: OverviewCounts
}

function WorkGroup({
  site: { urls },
  counts,
  name,
  today,
}: GroupProps & { readonly name: string; readonly today: string }) {
  const { parked } = counts.lists
  const entries: readonly Entry[] = [
    { text: lists.drafts, href: urls.workList(drafts), count: counts.lists.drafts },
    { text: lists.parked, href: urls.workList(parkedDrafts), count: parked },
    { text: lists.whiteboard, href: urls.workList(withNote), count: counts.lists.whiteboard },
    {
      text: lists.today,
      href: urls.workList({ ...changedOn(today), ordering: '-updated' }),
      count: counts.lists.today,
    },
    {
      text: lists.mine,
      href: urls.workList({ ...changedBy(name, today), ordering: '-updated' }),
      count: counts.lists.mine,
    },
  ]
  return <Group title={texts.groups.work} entries={entries} />
}

function toFindingEntries({ urls }: Site, { findings }: OverviewCounts, codes: readonly FindingCode[]): Entry[] {
  return codes.map((code) => ({
    text: listTexts.findings[code].title,
    href: urls.workList(toFindingList(code)),
    count: findings.get(code) ?? 0,
  }))
}

/** Talks with the same video are best looked at side by side. */
function toWrongEntries(site: Site, counts: OverviewCounts): Entry[] {
  const entries = toFindingEntries(site, counts, wrong)
  const duplicates = {
    text: texts.duplicates,
    href: site.urls.duplicates(),
    count: counts.findings.get('same_video') ?? 0,
  }
  return [...entries.slice(0, -1), duplicates]
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="counted">
        {entries.map(({ text, href, count }) => (
          <li key={href} class={count === 0 ? 'is-empty' : undefined}>
            <a href={href}>
              {text} <span class="count">{toNumber(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function EventGroup({ site, counts: { events } }: GroupProps) {
  return (
    <section class="events">
      <h2>
        {texts.events}{' '}
        {events.length > 0 && (
          <span class="unit" aria-hidden="true">
            {texts.unit()}
          </span>
        )}
      </h2>
      {events.length === 0 ? (
        <p class="muted">{texts.done}</p>
      ) : (
        <>
          <ul class="counted">
            {events.map(({ category, slug, total, findings }) => (
              <li key={slug}>
                <a href={site.urls.workList({ category: slug })}>
                  <span dir="auto">{category}</span> <Total count={total} />
                </a>
                <p class="muted">{toWords(findings)}</p>
              </li>
            ))}
          </ul>
          <p>
            <a href={site.urls.eventFindings()}>{texts.allEvents}</a>
          </p>
        </>
      )}
    </section>
  )
}

function Total({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {toNumber(count)}
      <span class="hidden-text"> {texts.unit(count)}</span>
    </span>
  )
}

const shownWords = 3

/** The most frequent findings. */
function toWords(findings: readonly FindingTotal[]): string {
  const words = findings.slice(0, shownWords).map(({ code }) => listTexts.findings[code].badge)
  return [...words, ...(findings.length > shownWords ? ['…'] : [])].join(', ')
}
