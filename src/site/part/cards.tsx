import type { Child } from '#jsx/jsx-runtime'
import { toPlausibleDuration } from '../../record/quality/duration.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { EventRow } from '../../store/site-reads.ts'
import type { Site } from '../site.ts'
import type { NamedLink, Talk } from '../talk/talk.ts'
import { toClock, toDays, toShortDay } from '../text/format.ts'

interface TalkCardProps {
  readonly site: Site
  readonly talk: Talk
  /** Marks the words of a search in the title and in names. */
  readonly mark?: ((text: string) => Child) | undefined
  /** Below the other lines, such as a passage. */
  readonly children?: Child
  readonly level?: 2 | 3
  /** Event and day; left out where a heading says them. */
  readonly hasEvent?: boolean
}

/** A talk in a grid or list. Picture and title link to its page. */
export function TalkCard({ site, talk, mark = asText, children, level = 3, hasEvent = true }: TalkCardProps) {
  const { record, languageCode, categorySlug } = talk
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article class="talk-card">
      <Thumbnail site={site} talk={talk} />
      <div class="about">
        <Heading lang={languageCode} dir="auto">
          <a href={site.urls.video(record)}>{mark(record.title)}</a>
        </Heading>
        {talk.speakers.length > 0 && (
          <p class="speakers">
            <NameLinks names={talk.speakers} toHref={site.urls.speaker} mark={mark} />
          </p>
        )}
        {hasEvent && (
          <p class="when">
            <bdi>
              {categorySlug === null ? (
                mark(record.category)
              ) : (
                <a href={site.urls.category(categorySlug)}>{mark(record.category)}</a>
              )}
            </bdi>
            {record.recorded !== null && ' · '}
            {record.recorded !== null && <time datetime={record.recorded}>{toShortDay(record.recorded)}</time>}
          </p>
        )}
        {children}
      </div>
    </article>
  )
}

interface NameLinksProps {
  readonly names: readonly NamedLink[]
  readonly toHref: Site['urls']['speaker']
  /** More names are left out. */
  readonly max?: number
  readonly mark?: (text: string) => Child
}

/** Names, separated by commas. */
export function NameLinks({ names, toHref, max = 4, mark = asText }: NameLinksProps) {
  return (
    <>
      {names.slice(0, max).map(({ name, page }, i) => (
        <span key={name}>
          <bdi>{page === null ? mark(name) : <a href={toHref(page)}>{mark(name)}</a>}</bdi>
          {i + 1 < Math.min(max, names.length) && ', '}
        </span>
      ))}
      {names.length > max && ` +${names.length - max}`}
    </>
  )
}

/** Cards side by side, as many as fit. */
export function TalkGrid({
  site,
  talks,
  level = 3,
  hasEvent = true,
}: Omit<TalkCardProps, 'talk'> & { readonly talks: readonly Talk[] }) {
  return (
    <ul class="talk-grid">
      {talks.map((talk) => (
        <li key={talk.record.id}>
          <TalkCard site={site} talk={talk} level={level} hasEvent={hasEvent} />
        </li>
      ))}
    </ul>
  )
}

/** Talks in their order, with a heading wherever a year begins. */
export function TalksByYear({ site, talks }: { readonly site: Site; readonly talks: readonly Talk[] }) {
  const years = [...new Set(talks.map(toYear))]
  return (
    <div class="years">
      {years.map((year) => (
        <section key={year}>
          <h2>{year}</h2>
          <TalkGrid site={site} talks={talks.filter((talk) => toYear(talk) === year)} />
        </section>
      ))}
    </div>
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

const hues = 24

/** The CSS class with the colour of an event. */
export function toHueClass(event: string): string {
  return `hue-${BigInt(Bun.hash(event)) % BigInt(hues)}`
}

const asText = (text: string): Child => text

const toYear = ({ record }: Talk) => record.recorded?.slice(0, 4) ?? 'Year unknown'

/** An event as a tile in its colour. */
function EventCard({
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

/**
 * A 16:9 picture. A generated one, with event and title, lies under the image, so that nothing looks broken while the
 * image loads or if it fails. Hidden from screen readers: the card says the same.
 */
function Thumbnail({ site, talk: { record, languageCode } }: Pick<TalkCardProps, 'site' | 'talk'>) {
  const { thumbnail_url: url } = record
  const duration = toPlausibleDuration(record.duration)
  return (
    <div class={`thumbnail ${toHueClass(record.category)}`} aria-hidden="true">
      <div class="generated" lang={languageCode}>
        <span dir="auto">{record.category}</span>
        <b dir="auto">{record.title}</b>
      </div>
      {site.settings.hasThumbnails && url !== '' && (
        <img src={url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />
      )}
      {duration !== null && <span class="length">{toClock(duration)}</span>}
    </div>
  )
}
