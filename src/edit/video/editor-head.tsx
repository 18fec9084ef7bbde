import type { Caller } from '../../http/route.ts'
import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import type { StoredVersion } from '../../store/change-log.ts'
import { toLang } from '../diff/record-diff.tsx'
import { toListTitle, toToday } from '../lists/known-lists.ts'
import { toListHref } from '../lists/list-address.ts'
import type { NextInList } from '../lists/next-in-list.ts'
import { ParkButton } from '../lists/park/park-button.tsx'
import { toTalkPages } from '../talk-pages.ts'
import type { ListPlace } from './list-place.ts'
import type { TalkVersion } from './talk-version.ts'

interface HeadProps {
  readonly site: Site
  readonly caller: Caller
  /** Whether something typed is not saved: the talk cannot be parked then. */
  readonly isUnsaved: boolean
  readonly talk: TalkVersion
  readonly place: ListPlace | null
  readonly made: Pick<StoredVersion, 'by' | 'at'> | null
}

/** The title of the talk, where it is in a list, its state and version, and its other pages. */
export function EditorHead({ site, caller, isUnsaved, talk, place, made }: HeadProps) {
  const { record } = talk
  const isLive = record.state === live
  return (
    <header class="editor-head">
      {place !== null && <PlaceInList {...{ site, caller, place }} id={talk.id} />}
      <h1 dir="auto" lang={toLang(record)}>
        {record.title}
      </h1>
      <div class="editor-meta">
        <span class={isLive ? 'state is-live' : 'state is-draft'}>{isLive ? 'Live' : 'Draft'}</span>
        <span class="muted">
          Version {toNumber(talk.version)}
          {made !== null && (
            <>
              , changed <time datetime={`${made.at}Z`}>{toMoment(made.at)}</time> by <bdi>{made.by}</bdi>
            </>
          )}
        </span>
        <TalkLinks {...{ site, talk, place, isLive }} />
        {!isUnsaved && <ParkButton {...{ site, caller, record }} list={place?.list ?? ''} />}
      </div>
    </header>
  )
}

interface TalkLinksProps extends Pick<HeadProps, 'site' | 'talk' | 'place'> {
  readonly isLive: boolean
}

function TalkLinks({ site: { urls }, talk, place, isLive }: TalkLinksProps) {
  const { id, record } = talk
  const pages = toTalkPages(urls, id, place?.list ?? null)
  return (
    <nav class="talk-links" aria-label="This talk">
      {isLive && <a href={urls.video(record)}>Public page</a>}
      <a href={pages.preview}>Preview</a>
      <a href={pages.links}>Related links</a>
      <a href={pages.history()} data-key="h">
        History
      </a>
      {isLive && <a href={urls.api(`video/${id}`, { format: 'json' })}>JSON</a>}
    </nav>
  )
}

interface PlaceProps {
  readonly caller: Caller
  readonly site: Site
  readonly id: number
  readonly place: ListPlace
}

function PlaceInList({ site: { urls }, caller, id, place: { list, from, event, next, isEnd } }: PlaceProps) {
  const filters = new URLSearchParams(list)
  const title = toListTitle(filters, caller.name, toToday(Date.now()), event)
  return (
    <nav
      class="place"
      aria-label="Work list"
      data-list={list}
      data-talk={String(id)}
      data-next={next?.next?.toString()}
    >
      <a href={toListHref(urls, filters)}>{title}</a>
      <Count next={next} isEnd={isEnd} />
      {from !== null && from !== id && (
        <a href={urls.edit(from, { list })} rel="prev" data-key="p">
          Previous
        </a>
      )}
      {next !== undefined && next.next !== null && (
        <a href={urls.edit(next.next, { list, from: id })} rel="next" data-key="n">
          Next
        </a>
      )}
    </nav>
  )
}

/** What was saved may stay in the list, so the number of its talks does not say how many are to come. */
function Count({ next, isEnd }: { readonly next: NextInList | undefined; readonly isEnd: boolean }) {
  if (!isEnd) return next === undefined ? null : <span>{toCounted(next.count, 'talk')} in this list</span>
  return (
    <span role="status">
      <b>End of list.</b>
      {next !== undefined && ` ${toLeftText(next.count)}`}
    </span>
  )
}

const toLeftText = (count: number) =>
  count === 0 ? 'No talk is left in it.' : `${toCounted(count, 'talk is', 'talks are')} still in it.`
