import { type Caller, toAuthor } from '../../http/auth/caller.ts'
import { execute, logBatch } from '../../http/execute.ts'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Form, HttpCall, TextAnswer } from '../../http/route.ts'
import type { BulkCommand } from '../../record/command.ts'
import { toArchiveUrl, troubledStates } from '../../record/link/link.ts'
import { isAcceptable } from '../../record/link/moved.ts'
import {
  type LinkCounts,
  type LinkFilters,
  type LinkLine,
  type LinkReportLine,
  parseLinkFilters,
} from '../../record/query/links.ts'
import { hasRole } from '../../record/role.ts'
import { isHttpUrl } from '../../record/text/address.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import { Pager } from '../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { UrlParameters } from '../../site/urls.ts'
import type { BatchReport } from '../../store/batch-reads.ts'
import { CountInput, isCountTyped } from '../big-step.tsx'
import {
  PostForm,
  renderEditPage,
  requireCaller,
  requireForm,
  respondEditPage,
  StepButtons,
  seeOther,
} from '../edit-page.tsx'
import { linkStateTexts, toStateSince } from './known-lists.ts'
import { requirePage } from './list-query.ts'

const pageSize = 50
/** The most that one form accepts. */
const maxAccepted = 10_000
const fineMs = 365 * 86_400_000

interface LinksPage {
  readonly site: Site
  readonly caller: Caller
  readonly filters: LinkFilters
}

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

/** An unknown filter is left out: a page must not fail because of an old link. */
function readFilters(parameters: URLSearchParams): LinkFilters {
  const parsed = parseLinkFilters(parameters)
  return parsed.ok ? parsed.filters : {}
}

const toParameters = ({ states, host, category }: LinkFilters): UrlParameters => ({
  category: category ?? null,
  host: host ?? null,
  state: states?.join(',') ?? null,
})

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
      <Totals {...page} totals={totals} />
      <ReportTable {...page} lines={lines} />
    </>
  )
  return { count, number, last: toLast(count), body }
}

function Totals({ site: { urls }, totals }: LinksPage & { readonly totals: LinkCounts }) {
  return (
    <ul class="badges">
      {troubledStates.map((state) => (
        <li key={state}>
          <a class="badge" href={urls.links({ state })}>
            {linkStateTexts[state]} {toNumber(totals[state])}
          </a>
        </li>
      ))}
    </ul>
  )
}

function ReportTable({ site: { urls }, lines }: LinksPage & { readonly lines: readonly LinkReportLine[] }) {
  return (
    <div class="edit-table">
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
                <ul class="badges">
                  {troubledStates
                    .filter((state) => counts[state] > 0)
                    .map((state) => (
                      <li key={state}>
                        <a class="badge" href={urls.links({ category: slug, host, state })}>
                          {linkStateTexts[state]} {toNumber(counts[state])}
                        </a>
                      </li>
                    ))}
                </ul>
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
  const mayAccept = moved.count > 0 && states.includes('moved') && hasRole(page.caller.role, 'publisher')
  const body = (
    <>
      {mayAccept && <AcceptForm {...page} count={moved.count} />}
      <ul class="link-lines">
        {lines.map((line) => (
          <Address key={line.url} {...page} line={line} />
        ))}
      </ul>
    </>
  )
  return { count, number, last: toLast(count), body }
}

function HiddenFilters({ filters }: Pick<LinksPage, 'filters'>) {
  return (
    <>
      {Object.entries(toParameters(filters)).map(([name, value]) =>
        value === null ? null : <input key={name} type="hidden" name={name} value={String(value)} />,
      )}
    </>
  )
}

function AcceptForm({ site, caller, filters, count }: LinksPage & { readonly count: number }) {
  return (
    <PostForm caller={caller} action={site.urls.links()}>
      <HiddenFilters filters={filters} />
      <button type="submit" class="button" name="do" value="preview">
        {`Accept ${toCounted(count, 'moved address', 'moved addresses')} …`}
      </button>
    </PostForm>
  )
}

function Address({ site, caller, filters, line }: LinksPage & { readonly line: LinkLine }) {
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
      <p class="muted">{[toStateSince(line), evidence].filter(Boolean).join(' · ')}</p>
      <div class="link-actions">
        {videos.slice(0, shownTalks).map((id) => (
          <a key={id} href={site.urls.edit(id)}>{`Talk ${id}`}</a>
        ))}
        {videos.length > shownTalks && <span>{`and ${toNumber(videos.length - shownTalks)} more`}</span>}
        <a href={toArchiveUrl(url)} rel="nofollow noopener">
          Web archive
        </a>
        {hasRole(caller.role, 'publisher') && (
          <PostForm caller={caller} action={site.urls.links()}>
            <HiddenFilters filters={filters} />
            <input type="hidden" name="url" value={url} />
            <button type="submit" class="button quiet small" name="do" value="fine">
              It is fine
            </button>
          </PostForm>
        )}
      </div>
    </li>
  )
}

/** Of one address. */
const shownTalks = 5

function FineNotice({ site, caller, filters, url }: LinksPage & { readonly url: string | null }) {
  if (url === null) return null
  return (
    <div class="notice" role="status">
      <p>{`${url} is called fine for a year, and is not checked until then.`}</p>
      <PostForm caller={caller} action={site.urls.links()}>
        <HiddenFilters filters={filters} />
        <input type="hidden" name="url" value={url} />
        <button type="submit" class="button quiet small" name="do" value="ask">
          Take back
        </button>
      </PostForm>
    </div>
  )
}

/** `POST /edit/links`: calls an address fine or takes that back, or accepts moved addresses after a preview. */
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

const readMoved = async (call: Call, { store }: Pick<SiteDeps, 'store'>, filters: LinkFilters, pageSize: number) =>
  requireRead(await store.listLinks({ ...filters, states: ['moved'], page: 1, pageSize }, call.signal))

/** Those that may be accepted. */
async function findMoved(call: Call, deps: SiteHttpDeps, filters: LinkFilters): Promise<readonly LinkLine[]> {
  const { lines } = await readMoved(call, deps, filters, maxAccepted)
  return lines.filter(({ url, target }) => target !== null && isAcceptable({ url, target }))
}

const toRequest = (moved: readonly LinkLine[]): BulkCommand['request'] => ({
  select: { is: 'moved', filters: null, urls: moved.map(({ url }) => url) },
  work: { is: 'moved' },
  ...{ expect: null, asOf: null, isPartial: true },
})

async function runMoved(call: HttpCall, deps: SiteHttpDeps, command: Omit<BulkCommand, 'kind'>) {
  const outcome = await execute(deps, call, { kind: 'bulk', ...command })
  if (outcome.is !== 'batch' || outcome.batch === null) throw new Error(`moved addresses were ${outcome.is}`)
  return { batch: outcome.batch, hash: outcome.preview?.hash ?? '' }
}

/** The form that does exactly what it shows. */
async function previewMoved(
  call: HttpCall,
  deps: SiteHttpDeps,
  page: LinksPage,
  moved: readonly LinkLine[],
  sent?: Form,
): Promise<TextAnswer> {
  const { site, caller, filters } = page
  const command = { request: toRequest(moved), author: toAuthor(caller), isDryRun: true }
  const { batch, hash } = await runMoved(call, deps, command)
  const { lines } = await readMoved(call, deps, filters, maxAccepted)
  const [title, back] = ['Accept moved addresses', site.urls.links(toParameters(filters))]
  const body = (
    <div class="edit-page">
      <h1>{title}</h1>
      <PostForm class="apply-form" caller={caller} action={site.urls.links()}>
        <HiddenFilters filters={filters} />
        <input type="hidden" name="hash" value={toSeen(moved, hash)} />
        <input type="hidden" name="key" value={crypto.randomUUID()} />
        <p>{toSentence(moved.length, lines.length - moved.length, batch)}</p>
        <CountInput talks={batch.changed} form={sent} />
        {batch.changed > 0 ? (
          <StepButtons action="apply" label={`Change ${toCounted(batch.changed, 'talk')}`} cancel={back} />
        ) : (
          <a href={back}>Back</a>
        )}
      </PostForm>
      <MovedLines moved={moved} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

const shownMoved = 200

function MovedLines({ moved }: { readonly moved: readonly LinkLine[] }) {
  return (
    <>
      <ul class="link-lines">
        {moved.slice(0, shownMoved).map(({ url, target }) => (
          <li key={url}>
            <p>
              <del>{url}</del>
            </p>
            <p>
              <ins>{target}</ins>
            </p>
          </li>
        ))}
      </ul>
      {moved.length > shownMoved && <p>{`and ${toNumber(moved.length - shownMoved)} more.`}</p>}
    </>
  )
}

const toAddresses = (count: number) => toCounted(count, 'address', 'addresses')

function toSentence(moved: number, left: number, { changed, refused_count }: BatchReport): string {
  const sentences = [
    moved > 0 &&
      `${toAddresses(moved)} of ${toCounted(changed, 'talk')} will change to where their hosts lead now. You can undo this on the next page.`,
    left > 0 && `Not changed: ${toAddresses(left)} whose new one has no https, or cannot be in a record.`,
    refused_count > 0 && `${toCounted(refused_count, 'talk')} cannot be changed.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Differs if addresses, targets or talks do. */
const toSeen = (moved: readonly LinkLine[], hash: string) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([hash, ...moved.map(({ url, target }) => [url, target])]))
    .digest('base64url')

async function applyMoved(
  call: HttpCall,
  deps: SiteHttpDeps,
  page: LinksPage,
  form: Form,
  moved: readonly LinkLine[],
): Promise<TextAnswer> {
  const { site, caller } = page
  const request = toRequest(moved)
  const author = toAuthor(caller)
  const { batch, hash } = await runMoved(call, deps, { request, author, isDryRun: true })
  if (form.get('hash') !== toSeen(moved, hash) || !isCountTyped(form, batch.changed))
    return previewMoved(call, deps, page, moved, form)
  const key = form.get('key') ?? ''
  const done = await runMoved(call, deps, {
    ...{ request: { ...request, expectHash: hash }, author, reason: 'Moved addresses accepted' },
    ...(key === '' ? {} : { idempotencyKey: key }),
  })
  logBatch(deps.log, call, done.batch)
  return seeOther(call, done.batch.id === null ? site.urls.links() : site.urls.batch(done.batch.id, { done: 1 }))
}
