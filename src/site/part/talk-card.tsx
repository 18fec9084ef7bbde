import type { Child } from '#jsx/jsx-runtime'
import type { Site } from '../site.ts'
import type { NamedLink, Talk } from '../talk/talk.ts'
import { toShortDay } from '../text/format.ts'
import { Thumbnail } from './thumbnail.tsx'

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

/** A talk in a grid or list. The whole picture and the title lead to its page. */
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

const asText = (text: string): Child => text

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
