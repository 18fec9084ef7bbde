import { Refused, requireRead, toParameterProblem } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { parseIds } from '../../record/query/parameter.ts'
import { fileKinds } from '../../record/query/query.ts'
import { fromBodyText } from '../../record/record.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { ReadStore } from '../../store/store.ts'
import { TalkGrid } from '../part/cards.tsx'
import { renderPage } from '../part/layout.tsx'
import { type Subscription, toSubscription } from '../part/menus.tsx'
import { openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { findLiveRecord, linkTalks, type Talk } from '../talk/talk.ts'
import { toLength } from '../text/format.ts'
import { MachineLinks } from './talk-collection.tsx'

/** `/list?ids=3,1,2`: these talks in this order. Without ids, what a list is; the script opens that of the visitor. */
export async function showList(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  if ((call.query().get('ids') ?? '') === '') return respondNoList(call, site, await findExample(deps.store))
  const ids = parseListIds(call)
  return respondList(call, site, { ids, talks: await findListed(deps.store, ids) })
}

const notIds =
  'This URL is not a list of talks. A list has the numbers of up to 100 talks, separated by commas, such as ' +
  '/list?ids=3,1,2.'

/** Refuses anything but ids, of which there may be 100. */
export function parseListIds(call: Call): readonly number[] {
  const read = parseIds(call.query().get('ids') ?? '')
  if (typeof read === 'string') throw new Refused(toParameterProblem(new Map([['ids', [notIds]]])))
  return read.value
}

/** In the order of the ids. A draft is left out like an id that no talk has. */
async function findListed(store: ReadStore, ids: readonly number[]): Promise<Talk[]> {
  const records = await Promise.all(ids.map((id) => findLiveRecord(store, id)))
  return linkTalks(
    store,
    records.filter((record) => record !== null),
  )
}

/** The ids of talks that exist, as long as there are any. */
async function findExample(store: ReadStore): Promise<readonly number[]> {
  const recent = requireRead(await store.listRecent({ limit: 3, perCategory: 3 }))
  return recent.length === 0 ? [3, 1, 2] : recent.map((text) => fromBodyText(text).id)
}

function respondNoList(call: Call, site: Site, example: readonly number[]): TextAnswer {
  const head = { title: 'Watch later', canonical: site.urls.list([]), isIndexed: false }
  const body = <NoList site={site} example={example} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

interface TalkList {
  readonly ids: readonly number[]
  readonly talks: readonly Talk[]
}

function respondList(call: Call, site: Site, list: TalkList): TextAnswer {
  const feed = toListFeed(site, list)
  const head = {
    title: 'List of talks',
    canonical: site.urls.list(list.ids),
    isIndexed: false,
    ...{ feed, json: toJsonHref(site, list.ids) },
  }
  const body = <ListPage site={site} list={list} feed={feed} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

const toJsonHref = ({ urls }: Site, ids: readonly number[]) => urls.api('video', { id: ids.join(',') })

function toListFeed({ urls }: Site, { ids, talks }: TalkList): Subscription {
  const kinds = fileKinds.filter((kind) => talks.some(({ record }) => (record[`video_${kind}_url`] ?? '') !== ''))
  return toSubscription({ title: 'List of talks', stem: urls.path('/list'), parameters: { ids: ids.join(',') }, kinds })
}

interface ListPageProps {
  readonly site: Site
  readonly list: TalkList
  readonly feed: Subscription
}

/**
 * The script shows what fits: that the list is the visitor's own, or a button to add its talks to it. All of that has its
 * place from the start, so that nothing moves.
 */
function ListPage({ site, list: { ids, talks }, feed }: ListPageProps) {
  const missing = ids.length - talks.length
  const seconds = talks.reduce((sum, { record }) => sum + (toPlausibleDuration(record.duration) ?? 0), 0)
  return (
    <div data-list={talks.map(({ record }) => record.id).join(',')}>
      <header class="page-head">
        <h1 data-own-title="Watch later">List of talks</h1>
        <ul class="facts">
          <li>{toCounted(talks.length, 'talk')}</li>
          {seconds > 0 && <li>{toLength(seconds)}</li>}
          <MachineLinks site={site} feed={feed} jsonHref={toJsonHref(site, ids)} />
        </ul>
        {missing > 0 && (
          <p class="notice">{`${toNumber(missing)} of ${toCounted(ids.length, 'talk')} ${missing === 1 ? 'is' : 'are'} not available.`}</p>
        )}
        <div class="alternatives">
          <p data-others>{keepText}</p>
          <p data-own hidden>
            {`Your list is stored in this browser only. ${keepText}`}
          </p>
        </div>
        <ListActions />
      </header>
      <TalkGrid site={site} talks={talks} level={2}>
        <button type="button" class="remove in-place" data-remove hidden>
          Remove
        </button>
      </TalkGrid>
    </div>
  )
}

const keepText = "Bookmark or share this page's URL to keep the list."

/** Buttons that need the script. */
function ListActions() {
  return (
    <ul class="actions">
      <li class="in-place" data-copy-link hidden>
        <button type="button" data-done="Copied" data-failed="Could not copy">
          Copy link
        </button>
      </li>
      <li class="alternatives">
        <button type="button" class="in-place" data-add hidden>
          Add these to my list
        </button>
        <button type="button" class="in-place" data-clear hidden>
          Clear list
        </button>
      </li>
      <li class="in-place" data-undo hidden>
        <button type="button">Undo</button>
      </li>
    </ul>
  )
}

interface NoListProps {
  readonly site: Site
  readonly example: readonly number[]
}

/** Without ids. */
function NoList({ site, example }: NoListProps) {
  const { urls } = site
  return (
    <div class="page-head" data-own-list>
      <h1>Watch later</h1>
      <p class="in-place" data-empty hidden>
        Your list is empty. Use the <b>Watch later</b> button on any talk to add it here.
      </p>
      <ul class="actions">
        <li>
          <a href={urls.search()}>See all talks</a>
        </li>
        <li class="in-place" data-undo hidden>
          <button type="button">Undo</button>
        </li>
      </ul>
      <p class="prose">
        Your list stays in your browser and needs JavaScript, but no account and no cookies. You can also make a list by
        hand: put the numbers of up to 100 talks in a URL, such as{' '}
        <a href={urls.list(example)}>{toAbsolute(site, urls.list(example))}</a>. The number of a talk is part of its
        URL.
      </p>
    </div>
  )
}
