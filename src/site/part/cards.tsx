import type { Child } from '#jsx/jsx-runtime'
import type { EntryKind } from '../../record/name.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { toClock } from '../../record/text/clock.ts'
import type { Site } from '../site.ts'
import type { NamedLink, Talk } from '../talk/talk.ts'
import { toLongDay } from '../text/format.ts'

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

interface TitleProps {
  readonly text: string
  /** Marks the words of a search. */
  readonly mark?: ((text: string) => Child) | undefined
}

const ticked = /`([^`]{1,200})`/
/** A run of hyphens, within which browsers would break a line. */
const dashed = /(-{2,9})/

/** The title of a talk: words in Markdown ticks as code, and `--` in one piece. */
export function Title({ text, mark = asText }: TitleProps) {
  if (!ticked.test(text) && !dashed.test(text)) return <>{mark(text)}</>
  return (
    <>
      {text
        .split(ticked)
        .map((piece, i) =>
          i % 2 === 1 ? <code key={i}>{mark(piece)}</code> : <Plain key={i} text={piece} mark={mark} />,
        )}
    </>
  )
}

/** The title without ticks, where no markup is possible. */
export const toPlainTitle = (text: string) => text.replaceAll(/`([^`]{1,200})`/g, '$1')

function Plain({ text, mark = asText }: TitleProps) {
  return (
    <>
      {text.split(dashed).map((piece, i) => {
        if (piece === '') return null
        return i % 2 === 1 ? (
          <span key={i} class="unbroken">
            {piece}
          </span>
        ) : (
          mark(piece)
        )
      })}
    </>
  )
}

interface PictureProps {
  readonly site: Site
  /** The title of the event, whose colour it has. */
  readonly event: string
  /** Selects the pattern. */
  readonly seed: number
  /** The address of an image; `''` for none. */
  readonly url: string
  /** On the generated picture; never what stands beside it. */
  readonly label: string
  readonly isMonogram?: boolean
  /** In the upper corner. */
  readonly badge?: string | undefined
  /** In seconds. */
  readonly duration?: number | null
}

/**
 * A 16:9 picture. A generated one lies under the image, so that nothing looks broken while the image loads or if it
 * fails. Hidden from screen readers: the card says the same.
 */
export function Picture({ site, event, seed, url, label, isMonogram = false, badge, duration = null }: PictureProps) {
  const length = toPlausibleDuration(duration)
  return (
    <div class={`thumbnail ${toHueClass(event)} pattern-${seed % patterns}`} aria-hidden="true">
      {label !== '' && (
        <div class={isMonogram ? 'generated monogram' : 'generated'}>
          <span dir="auto">{label}</span>
        </div>
      )}
      {site.settings.hasThumbnails && url !== '' && (
        <img src={url} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />
      )}
      {badge !== undefined && <span class="badge">{badge}</span>}
      {length !== null && <span class="length">{toClock(length)}</span>}
    </div>
  )
}

/** In place of a portrait: the initials of a speaker or event, or the sign of a tag. */
export function Sign({ kind, text }: { readonly kind: EntryKind; readonly text: string }) {
  return (
    <span class={`sign ${kind} ${toHueClass(text)}`} aria-hidden="true">
      {toSign(kind, text)}
    </span>
  )
}

function toSign(kind: EntryKind, text: string): string {
  if (kind === 'tag') return '#'
  return kind === 'category' ? toMonogram(text) : toInitials(text)
}

/** `PyCon US 2019` -> `PCUS`: what stands on the generated picture of an event, beside its title. */
export function toMonogram(title: string): string {
  const words = title.replace(/\d/g, ' ')
  const capitals = words.match(/\p{Lu}/gu) ?? []
  if (capitals.length > 0) return capitals.slice(0, 4).join('')
  return (words.match(/\p{L}/gu) ?? []).slice(0, 2).join('').toLocaleUpperCase('en')
}

/** `Ada Nova` -> `AN`: the first letters of the first and the last word. */
function toInitials(name: string): string {
  const letters = name.split(' ').flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('')
}

const [hues, patterns] = [24, 4]

/** The CSS class with the colour of an event. */
export function toHueClass(event: string): string {
  return `hue-${toHash(event) % BigInt(hues)}`
}

/** A number that is always the same for a text. */
export const toSeed = (text: string) => Number(toHash(text) % 1_000_003n)

const toHash = (text: string) => BigInt(Bun.hash(text))
