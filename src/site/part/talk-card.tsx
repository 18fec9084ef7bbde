import type { Child } from '#jsx/jsx-runtime'
import type { Site } from '../site.ts'
import type { NamedLink, Talk } from '../talk.ts'
import { toShortDay } from '../text/format.ts'
import { Thumbnail } from './thumbnail.tsx'

interface TalkCardProps {
  readonly site: Site
  readonly talk: Talk
  /** The title with marks, where a search matched. */
  readonly title?: Child
  /** Below the other lines, such as a passage. */
  readonly children?: Child
  readonly level?: 2 | 3
  /** Left out on the page of that event. */
  readonly hasEvent?: boolean
}

/** A talk in a grid or list. The whole picture and the title lead to its page. */
export function TalkCard({ site, talk, title, children, level = 3, hasEvent = true }: TalkCardProps) {
  const { record, languageCode, categorySlug } = talk
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article class="talk-card">
      <Thumbnail site={site} talk={talk} />
      <div class="about">
        <Heading lang={languageCode} dir="auto">
          <a href={site.at.video(record)}>{title ?? record.title}</a>
        </Heading>
        {talk.speakers.length > 0 && (
          <p class="speakers">
            <NameLinks names={talk.speakers} toHref={site.at.speaker} />
          </p>
        )}
        <p class="when">
          {hasEvent &&
            (categorySlug === null ? record.category : <a href={site.at.category(categorySlug)}>{record.category}</a>)}
          {hasEvent && record.recorded !== null && ' · '}
          {record.recorded !== null && <time datetime={record.recorded}>{toShortDay(record.recorded)}</time>}
        </p>
        {children}
      </div>
    </article>
  )
}

interface NameLinksProps {
  readonly names: readonly NamedLink[]
  readonly toHref: Site['at']['speaker']
  /** More names are left out. */
  readonly max?: number
}

/** Names, separated by commas. */
export function NameLinks({ names, toHref, max = 4 }: NameLinksProps) {
  return (
    <>
      {names.slice(0, max).map(({ name, page }, i) => (
        <span key={name} dir="auto">
          {page === null ? name : <a href={toHref(page)}>{name}</a>}
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
