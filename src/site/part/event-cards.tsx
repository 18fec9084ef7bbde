import { requireRead } from '../../http/problem.ts'
import { longestConference } from '../../record/quality/event-days.ts'
import { fromBodyText } from '../../record/record.ts'
import { toCounted } from '../../record/text/counted.ts'
import { findTitleYear } from '../../record/text/series.ts'
import type { EventRow } from '../../store/site-reads.ts'
import { toPageQuery } from '../search/search-query.ts'
import type { Site, SiteDeps } from '../site.ts'
import { toDays } from '../text/format.ts'
import { Picture, toMonogram, toSeed } from './cards.tsx'

/** The address of a picture by the slug of its event. */
export type EventPictures = ReadonlyMap<string, string>

interface EventCardProps {
  readonly site: Site
  readonly event: EventRow
  readonly pictures: EventPictures
}

/** Events side by side, each as a row with a picture. */
export function EventGrid({
  events,
  ...props
}: Omit<EventCardProps, 'event'> & { readonly events: readonly EventRow[] }) {
  return (
    <ul class="event-grid">
      {events.map((event) => (
        <li key={event.slug}>
          <EventCard {...props} event={event} />
        </li>
      ))}
    </ul>
  )
}

/** As many ids as a list takes. */
const maxPictures = 100

/** The thumbnail of one talk of each event; events of which no talk has one are missing. */
export async function findEventPictures(
  { store, settings }: Pick<SiteDeps, 'store' | 'settings'>,
  events: readonly EventRow[],
): Promise<EventPictures> {
  const slugs = new Map(events.flatMap(({ pictureId, slug }) => (pictureId === null ? [] : [[pictureId, slug]])))
  const ids = [...slugs.keys()].slice(0, maxPictures)
  if (!settings.hasThumbnails || ids.length === 0) return new Map()
  const query = toPageQuery({ filters: { ids }, pageSize: ids.length, fields: ['id', 'thumbnail_url'] })
  const records = (requireRead(await store.list(query)).records ?? []).map(fromBodyText)
  const dead = requireRead(await store.findDeadLinks(ids))
  const loaded = records.filter(({ id, thumbnail_url: url }) => !dead.get(id)?.urls.includes(url))
  return new Map(loaded.map(({ id, thumbnail_url: url }) => [slugs.get(id) ?? '', url]))
}

/** Talks may be dated by the day on which they were put online. */
const msAround = longestConference * 86_400_000

/** Whether a talk of this event may have been recorded on a day; a few are misdated by years. */
export function isPlausibleDay(event: EventRow | null, day: string): boolean {
  const { startDate = null, endDate = null, firstDay = null, lastDay = null } = event ?? {}
  if (startDate === null) return firstDay === null || lastDay === null || (firstDay <= day && day <= lastDay)
  const at = Date.parse(day)
  return Date.parse(startDate) - msAround <= at && at <= Date.parse(endDate ?? startDate) + msAround
}

/** The days of an event as people have said, else those of its talks. */
export const toEventDays = ({ startDate, endDate, firstDay, lastDay }: EventRow) =>
  toDays(startDate ?? firstDay, endDate ?? lastDay)

/**
 * The year of an event: of its first day, else the one in its title, else of its last talk. So one talk with a wrong day
 * does not move `EuroPython 2011` to another year. Null if nothing says it.
 */
export function toEventYear({ title, startDate, lastDay }: EventRow): string | null {
  return startDate?.slice(0, 4) ?? findTitleYear(title) ?? lastDay?.slice(0, 4) ?? null
}

function EventCard({ site, event, pictures }: EventCardProps) {
  const days = toEventDays(event)
  return (
    <article class="event-card">
      <Picture
        site={site}
        event={event.title}
        seed={toSeed(event.title)}
        url={pictures.get(event.slug) ?? ''}
        label={toMonogram(event.title)}
        isMonogram
      />
      <div class="about">
        <h3 dir="auto">
          <a href={site.urls.category(event.slug)}>{event.title}</a>
        </h3>
        {days !== '' && <p>{days}</p>}
        {event.place !== '' && <p dir="auto">{event.place}</p>}
        <p>{toCounted(event.count, 'talk')}</p>
      </div>
    </article>
  )
}
