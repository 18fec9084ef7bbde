import { execute } from '../../http/execute.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import { type Call, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { type LinkState, toArchiveUrl, troubledStates } from '../../record/link/link.ts'
import type { LinkCounts, LinkFilters, LinkLine, LinkReportLine } from '../../record/query/links.ts'
import { hasRole } from '../../record/role.ts'
import { isHttpUrl } from '../../record/text/address.ts'
import { toNumber } from '../../record/text/counted.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import { Pager } from '../../site/part/list-controls.tsx'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { readTitles } from '../changes/batch-view.ts'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { AcceptForm, applyMoved, findMoved, previewMoved, readMoved } from './accept-moved.tsx'
import { linkStateTexts, toStateSince } from './known-lists.ts'
import { type LinksPage, readFilters, toParameters } from './link-filters.ts'
import { requirePage } from './list-query.ts'

const pageSize = 50
const fineMs = 365 * 86_400_000

/** `/edit/links`: dead and moved addresses, by event and host; with a filter, each of them. */
export async function showLinks(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const filters = readFilters(call.query())
  const page = { site, caller: requireCaller(call), filters }
  const isNarrowed = Object.keys(filters).length > 0
  const { count, last, number, body } = await (isNarrowed ? readAddresses : readReport)(call, deps, page)
  const toHref = (to: number) => site.urls.links({ ...toParameters(filters), page: to === 1 ? null : to })
  if (number > last) return seeOther(call, toHref(last))
  const html = (
    <div class="edit-page">
      <h1>{toTitle(filters)}</h1>
      <FineNotice {...page} url={call.query().get('fine')} />
      {isNarrowed && (
        <p>
          <a href={site.urls.links()}>All events and hosts</a>
        </p>
      )}
      {count === 0 ? <p class="empty">No dead or moved addresses are known here.</p> : body}
      <Pager page={number} last={last} toHref={toHref} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller: page.caller, section: 'lists' }, 'Links', html))
}

function toTitle({ states = [], host, category }: LinkFilters): string {
  const named = [category, host, ...states.map((state) => linkStateTexts[state])].filter((each) => each !== undefined)
  return named.length === 0 ? 'Dead and moved addresses' : `Addresses: ${named.join(' · ')}`
}

const toLast = (count: number) => Math.max(1, Math.ceil(count / pageSize))

async function readReport(call: Call, { store }: SiteDeps, page: LinksPage) {
  const query = { page: requirePage(call), pageSize, isTroubled: true } as const
  const { count, page: number, lines, totals } = requireRead(await store.reportLinks(query, call.signal))
  const body = (
    <>
      <StateBadges counts={totals} toHref={(state) => page.site.urls.links({ state })} />
      <ReportTable {...page} lines={lines} />
    </>
  )
  return { count, number, last: toLast(count), body }
}

function StateBadges({ counts, toHref }: { readonly counts: LinkCounts; toHref(state: LinkState): string }) {
  return (
    <ul class="badges">
      {troubledStates
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <li key={state}>
            <a class="badge" href={toHref(state)}>
              {linkStateTexts[state]} {toNumber(counts[state])}
            </a>
          </li>
        ))}
    </ul>
  )
}

function ReportTable({ site: { urls }, lines }: LinksPage & { readonly lines: readonly LinkReportLine[] }) {
  return (
    <div class="edit-table link-table">
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Host</th>
            <th scope="col">Addresses</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ category, slug, host, ...counts }) => (
            <tr key={`${slug} ${host}`}>
              <th scope="row">
                <a href={urls.links({ category: slug })} dir="auto">
                  {category}
                </a>
              </th>
              <td>
                <a href={urls.links({ host })}>{host}</a>
              </td>
              <td>
                <StateBadges counts={counts} toHref={(state) => urls.links({ category: slug, host, state })} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

async function readAddresses(call: Call, { store }: SiteDeps, page: LinksPage) {
  const { states = troubledStates, ...others } = page.filters
  const query = { ...others, states, page: requirePage(call), pageSize }
  const { count, page: number, lines } = requireRead(await store.listLinks(query, call.signal))
  const moved = await readMoved(call, { store }, others, 1)
  const titles = await readTitles(
    store,
    lines.flatMap(({ videos }) => videos.slice(0, shownTalks)),
  )
  const mayAccept = moved.count > 0 && states.includes('moved') && hasRole(page.caller.role, 'publisher')
  const body = (
    <>
      {mayAccept && <AcceptForm {...page} count={moved.count} />}
      <ul class="link-lines">
        {lines.map((line) => (
          <Address key={line.url} {...page} line={line} titles={titles} />
        ))}
      </ul>
    </>
  )
  return { count, number, last: toLast(count), body }
}

interface AddressProps extends LinksPage {
  readonly line: LinkLine
  readonly titles: ReadonlyMap<number, string>
}

function Address({ site, caller, filters, line, titles }: AddressProps) {
  const { url, target, videos, evidence } = line
  return (
    <li>
      <p>
        <a href={url} rel="nofollow noopener">
          {url}
        </a>
      </p>
      {target !== null && (
        <p>
          {'→ '}
          <a href={isHttpUrl(target) ? target : undefined} rel="nofollow noopener">
            {target}
          </a>
        </p>
      )}
      <p>{toStateSince(line)}</p>
      {evidence !== '' && (
        <p class="link-evidence" title={evidence}>
          {toShownEvidence(line)}
        </p>
      )}
      <div class="link-actions">
        {videos.slice(0, shownTalks).map((id) => (
          <a key={id} href={site.urls.edit(id)} dir="auto">
            {titles.get(id) ?? `Talk ${id}`}
          </a>
        ))}
        {videos.length > shownTalks && <span>{`and ${toNumber(videos.length - shownTalks)} more`}</span>}
        <a href={toArchiveUrl(url)} rel="nofollow noopener">
          Web archive
        </a>
        {hasRole(caller.role, 'publisher') && (
          <PostForm caller={caller} action={site.urls.links()} hidden={{ ...toParameters(filters), url }}>
            <button type="submit" class="button quiet small" name="do" value="fine">
              It is fine
            </button>
          </PostForm>
        )}
      </div>
    </li>
  )
}

/** Without the addresses that are above it. */
const toShownEvidence = ({ evidence, url, target }: LinkLine) =>
  evidence
    .split(' ')
    .filter((word) => word !== url && word !== target)
    .join(' ')

/** Of one address. */
const shownTalks = 3

function FineNotice({ site, caller, filters, url }: LinksPage & { readonly url: string | null }) {
  if (url === null) return null
  return (
    <div class="notice" role="status">
      <p>{`${url} is marked as fine for a year, and is not checked until then.`}</p>
      <PostForm caller={caller} action={site.urls.links()} hidden={{ ...toParameters(filters), url }}>
        <button type="submit" class="button quiet small" name="do" value="ask">
          Take back
        </button>
      </PostForm>
    </div>
  )
}

/** `POST /edit/links`: marks an address as fine or undoes that, or accepts moved addresses after a preview. */
export async function changeLinks(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const form = requireForm(call)
  const filters = readFilters(new URLSearchParams([...form].map(([name, value]): [string, string] => [name, value])))
  const page = { site, caller: requireCaller(call), filters }
  const action = form.get('do')
  if (action === 'fine' || action === 'ask')
    return decideLink(call, deps, page, form.get('url') ?? '', action === 'fine')
  if (action !== 'preview' && action !== 'apply') throw new Refused({ code: 'bad_form' })
  const moved = await findMoved(call, deps, filters)
  return action === 'apply' ? applyMoved(call, deps, page, form, moved) : previewMoved(call, deps, page, moved)
}

async function decideLink(
  call: HttpCall,
  deps: SiteHttpDeps,
  { site, caller, filters }: LinksPage,
  url: string,
  isFine: boolean,
): Promise<TextAnswer> {
  const until = isFine ? toTimestamp(Date.now() + fineMs) : null
  await execute(deps, call, { kind: 'ignore link', url, until, author: toAuthor(caller) })
  return seeOther(call, site.urls.links({ ...toParameters(filters), fine: isFine ? url : null }))
}
