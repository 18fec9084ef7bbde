import { toCounted } from '../../record/text/counted.ts'
import type { EventRow } from '../../store/site-reads.ts'
import type { Site } from '../site.ts'
import { toDays } from '../text/format.ts'
import { toHueClass } from './thumbnail.tsx'

/** An event as a tile in its colour. */
export function EventCard({
  site,
  event,
  level = 3,
}: {
  readonly site: Site
  readonly event: EventRow
  readonly level?: 2 | 3
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  const days = toDays(event.firstDay ?? event.startDate, event.lastDay)
  return (
    <article class={`event-card ${toHueClass(event.title)}`}>
      <Heading dir="auto">
        <a href={site.urls.category(event.slug)}>{event.title}</a>
      </Heading>
      <p>
        {days !== '' && `${days} · `}
        {toCounted(event.count, 'talk')}
      </p>
    </article>
  )
}

export function EventGrid({
  site,
  events,
  level = 3,
}: {
  readonly site: Site
  readonly events: readonly EventRow[]
  readonly level?: 2 | 3
}) {
  return (
    <ul class="event-grid">
      {events.map((event) => (
        <li key={event.slug}>
          <EventCard site={site} event={event} level={level} />
        </li>
      ))}
    </ul>
  )
}
