import type { Child } from '#jsx/jsx-runtime'
import type { Site } from '../site.ts'
import type { NamedLink, Talk } from '../talk/talk.ts'
import { toLongDay } from '../text/format.ts'
import { Picture } from './picture.tsx'
import { Title } from './title.tsx'

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
  /** Without the event, the day may still be shown. */
  readonly hasDay?: boolean
  /** A speaker who is left out, because the page is theirs. */
  readonly ownSpeaker?: string | undefined
  /** In the corner of the picture, such as the year with which the card begins. */
  readonly badge?: string | undefined
}

/** A talk in a grid or list. Picture and title link to its page. */
export function TalkCard(props: TalkCardProps) {
  const { site, talk, mark = asText, children, level = 3, hasEvent = true, hasDay = hasEvent, badge } = props
  const { record, languageCode } = talk
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article class="talk-card">
      <Picture
        site={site}
        event={record.category}
        seed={record.id}
        url={record.thumbnail_url}
        label={hasEvent ? record.category : ''}
        badge={badge}
        duration={record.duration}
      />
      <div class="about">
        <Heading lang={languageCode} dir="auto">
          <a href={site.urls.video(record)}>
            <Title text={record.title} mark={mark} />
          </a>
        </Heading>
        <Speakers {...props} />
        {(hasEvent || hasDay) && <EventAndDay {...props} />}
        {talk.dead?.isLost === true && <p>Video no longer available</p>}
        {children}
      </div>
    </article>
  )
}

function Speakers({ site, talk, mark = asText, ownSpeaker }: TalkCardProps) {
  const others = talk.speakers.filter(({ name }) => name !== ownSpeaker)
  if (others.length === 0) return null
  return (
    <p class="speakers">
      {others.length < talk.speakers.length && 'with '}
      <NameLinks names={others} toHref={site.urls.speaker} mark={mark} />
    </p>
  )
}

function EventAndDay({ site, talk: { record, categorySlug }, mark = asText, hasEvent = true }: TalkCardProps) {
  const { category, recorded } = record
  return (
    <p class="when">
      {hasEvent && (
        <bdi>
          {categorySlug === null ? mark(category) : <a href={site.urls.category(categorySlug)}>{mark(category)}</a>}
        </bdi>
      )}
      {hasEvent && recorded !== null && ' · '}
      {recorded !== null && <time datetime={recorded}>{toLongDay(recorded)}</time>}
    </p>
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

interface TalkGridProps extends Omit<TalkCardProps, 'talk' | 'badge'> {
  readonly talks: readonly Talk[]
  /** Whether the first talk of each year says so. */
  readonly hasYears?: boolean
  /** Whether pictures are at the side of the text, as they always are on a phone. */
  readonly isDense?: boolean
}

/** Cards side by side, as many as fit; rows on a phone. */
export function TalkGrid({ talks, hasYears = false, isDense = false, ...props }: TalkGridProps) {
  return (
    <ul class={isDense ? 'talk-grid dense' : 'talk-grid'}>
      {talks.map((talk, i) => {
        const year = hasYears ? toYear(talk) : undefined
        return (
          <li key={talk.record.id}>
            <TalkCard {...props} talk={talk} badge={year === toYear(talks[i - 1]) ? undefined : year} />
          </li>
        )
      })}
    </ul>
  )
}

const asText = (text: string): Child => text

const toYear = (talk: Talk | undefined) => talk?.record.recorded?.slice(0, 4)
