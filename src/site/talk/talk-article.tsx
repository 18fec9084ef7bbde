import type { Child } from '#jsx/jsx-runtime'
import { findExtension, type Recording } from '../../record/companion/recordings.ts'
import { toArchiveUrl } from '../../record/link/link.ts'
import type { DeadRecording } from '../../record/link/watch.ts'
import { type PlayerSource, toHostLabel } from '../../record/player/player-source.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import type { VideoRecord } from '../../record/record.ts'
import { NameLinks, Title } from '../part/cards.tsx'
import { Folded } from '../part/list-controls.tsx'
import { TalkShare } from '../part/menus.tsx'
import type { Site } from '../site.ts'
import { toLength, toLongDay, toSize } from '../text/format.ts'
import { findLicence } from './licence.ts'
import type { LabelledLink, Talk, TalkDetails } from './talk.ts'

interface TalkHeadProps {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  readonly slides?: LabelledLink | null
  /** In seconds. */
  readonly start?: number
  /** The record whose recording the page plays. */
  readonly owner?: VideoRecord
  /** Below the facts. */
  readonly note?: Child
  /** Inside another page, which has an `h1`. */
  readonly isPreview?: boolean
}

/** Title, speakers, event and actions. */
export function TalkHead(props: TalkHeadProps) {
  const { site, talk, isPreview = false } = props
  const { record, languageCode } = talk
  const Heading = isPreview ? 'h2' : 'h1'
  return (
    <header class="talk-head">
      <Heading lang={languageCode} dir="auto" class="talk-title">
        <Title text={record.title} />
      </Heading>
      {talk.speakers.length > 0 && (
        <p class="speakers">
          <NameLinks names={talk.speakers} toHref={site.urls.speaker} max={talk.speakers.length} />
        </p>
      )}
      <Facts {...props} />
      {props.source.watchable !== null && <p class="printed recording">{`Recording: ${props.source.watchable.url}`}</p>}
      {props.note}
      {!isPreview && <Actions {...props} />}
    </header>
  )
}

interface TalkProseProps {
  readonly details: TalkDetails
  readonly chapters?: Child
}

/** Descriptions are not always in the language of the talk, so only the title has `lang`. */
export function TalkProse({ details: { summary, description }, chapters }: TalkProseProps) {
  return (
    <>
      {summary !== '' && <div class="prose lead" dir="auto" dangerouslySetInnerHTML={{ __html: summary }} />}
      {chapters}
      {description !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: description }} />}
    </>
  )
}

interface TalkFactsProps {
  readonly site: Site
  readonly talk: Talk
  readonly details: TalkDetails
  readonly source: PlayerSource
  /** Recordings that nobody can watch any more. */
  readonly dead?: readonly DeadRecording[]
  /** Without actions, slides are among the links. */
  readonly isPreview?: boolean
}

/** Below the text: tags, downloads, licence, links, and the same as JSON. */
export function TalkFacts(props: TalkFactsProps) {
  const { site, talk, details } = props
  return (
    <div class="talk-facts">
      <Tags {...props} />
      <Downloads {...props} />
      {talk.record.copyright_text.trim() !== '' && <LicenceNote text={talk.record.copyright_text} />}
      <OtherRecordings {...props} />
      <Links {...props} />
      {details.qualityNotes !== '' && (
        <section>
          <h2>Quality notes</h2>
          <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: details.qualityNotes }} />
        </section>
      )}
      <p class="machines">
        <a href={site.urls.api(`video/${talk.record.id}`, { format: 'json' })}>This talk as JSON</a>
      </p>
    </div>
  )
}

function Facts({ site: { urls }, talk: { record, categorySlug, languageCode } }: TalkHeadProps) {
  const { category, recorded, language } = record
  const duration = toPlausibleDuration(record.duration)
  return (
    <ul class="talk-line">
      <li>
        <bdi>{categorySlug === null ? category : <a href={urls.category(categorySlug)}>{category}</a>}</bdi>
      </li>
      {recorded !== null && (
        <li>
          <time datetime={recorded}>{toLongDay(recorded)}</time>
        </li>
      )}
      {duration !== null && <li>{toLength(duration)}</li>}
      {language !== '' && (
        <li>{languageCode === undefined ? language : <a href={urls.language(languageCode)}>{language}</a>}</li>
      )}
    </ul>
  )
}

/** Actions that need the script are hidden until it runs. */
function Actions({ site, talk, source, slides = null, start = 0, owner = talk.record }: TalkHeadProps) {
  const { id } = talk.record
  const hasPlayer = source.files.length > 0
  return (
    <ul class="actions">
      {hasPlayer && <Speed />}
      <li>
        <TalkShare site={site} talk={talk} start={start} length={toPlausibleDuration(owner.duration)} />
      </li>
      {slides !== null && (
        <li>
          <a href={slides.url} rel="nofollow noopener ugc">
            Slides
          </a>
        </li>
      )}
      <li data-later={id} hidden>
        <button type="button" aria-pressed="false">
          Watch later
        </button>
      </li>
      <li data-watched={id} hidden>
        <button type="button" data-on="Watched" data-off="Mark as watched">
          Mark as watched
        </button>
      </li>
      {source.downloads.length > 0 && (
        <li>
          <a href="#download">Download</a>
        </li>
      )}
      {source.original !== null && (
        <li>
          <a class="primary" href={source.original.url} rel="noopener">
            {`Watch on ${source.original.host}`}
          </a>
        </li>
      )}
    </ul>
  )
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]

function Speed() {
  return (
    <li data-speed hidden>
      <label>
        <span class="hidden-text">Speed</span>
        <select>
          {speeds.map((speed) => (
            <option key={speed} value={speed} selected={speed === 1}>
              {`${speed}×`}
            </option>
          ))}
        </select>
      </label>
    </li>
  )
}

/** Further tags are folded. */
const shownTags = 30

function Tags({ site, details: { tags } }: TalkFactsProps) {
  if (tags.length === 0) return null
  return (
    <section>
      <h2>Tags</h2>
      <Folded items={tags} shown={shownTags} toList={(some) => <TagList site={site} tags={some} />} />
    </section>
  )
}

function TagList({ site, tags }: Pick<TalkFactsProps, 'site'> & Pick<TalkDetails, 'tags'>) {
  return (
    <ul class="tags">
      {tags.map(({ name, page }) => (
        <li key={name} dir="auto">
          {page === null ? <span>{name}</span> : <a href={site.urls.tag(page)}>{name}</a>}
        </li>
      ))}
    </ul>
  )
}

function Downloads({ source: { downloads } }: TalkFactsProps) {
  if (downloads.length === 0) return null
  return (
    <section id="download">
      <h2>Download</h2>
      <ul class="downloads">
        {downloads.map(({ format, url, bytes }) => (
          <li key={format}>
            <a href={url} rel="noopener nofollow" download>
              <b>{format === 'flv' ? 'Flash video' : format.toUpperCase()}</b>
              {bytes !== null && bytes > 0 && <span>{toSize(bytes)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LicenceNote({ text }: { readonly text: string }) {
  const licence = findLicence(text)
  return (
    <section>
      <h2>Licence</h2>
      {licence === null ? (
        <p class="plain" dir="auto">
          {text}
        </p>
      ) : (
        <p>
          <a href={licence.url} rel="license noopener">
            {licence.name}
          </a>
        </p>
      )}
    </section>
  )
}

/** Further ones are folded. */
const shownLinks = 8

/** Other places where the talk can be watched. */
function OtherRecordings({ details: { recordings }, source: { watchable }, dead = [] }: TalkFactsProps) {
  // The player says so if there is nothing else.
  const lost = dead.filter(({ url }) => watchable !== null && !recordings.some((each) => each.url === url))
  if (recordings.length + lost.length === 0) return null
  const toNote = ({ kind, url, language, note }: Recording) => [
    kind === 'file' ? findExtension(url)?.toUpperCase() : null,
    language,
    note,
  ]
  return (
    <section>
      <h2>Also at</h2>
      <LinkList
        links={[
          ...lost.map(({ url }) => ({ url, label: toHostLabel(url), note: '' })),
          ...recordings.map((each) => ({
            ...{ url: each.url, label: toHostLabel(each.url) },
            note: toNote(each).filter(Boolean).join(' · '),
          })),
        ]}
        dead={dead}
      />
    </section>
  )
}

/** The slides that are among the actions; null if there are none. */
export const findSlides = ({ links: [first] }: TalkDetails) => (first?.kind === 'slides' ? first : null)

function Links({ details, isPreview = false }: TalkFactsProps) {
  const slides = isPreview ? null : findSlides(details)
  const links = details.links.filter((each) => each !== slides)
  if (links.length === 0) return null
  return (
    <section>
      <h2>Links</h2>
      <LinkList links={links.map((link) => ({ ...link, note: toKindNote(link) }))} />
    </section>
  )
}

/** The kind of a link, unless its label says it. */
const toKindNote = ({ kind, label }: LabelledLink) =>
  kind === 'other' || label.toLowerCase().includes(kind) ? '' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

interface LinkListProps {
  readonly links: readonly { readonly url: string; readonly label: string; readonly note: string }[]
  readonly dead?: readonly DeadRecording[]
}

function LinkList({ links, dead = [] }: LinkListProps) {
  const findDead = (url: string) => dead.find((each) => each.url === url)
  return (
    <Folded
      items={links}
      shown={shownLinks}
      toList={(some) => (
        <ul class="links">
          {some.map(({ url, label, note }) => (
            <li key={url}>
              {findDead(url) === undefined ? (
                <a href={url} rel="nofollow noopener ugc" dir="auto">
                  {label}
                </a>
              ) : (
                <DeadLink label={label} {...findDead(url)} />
              )}
              {note !== '' && <span dir="auto">{note}</span>}
            </li>
          ))}
        </ul>
      )}
    />
  )
}

function DeadLink({ label, url = '', since = null }: { readonly label: string } & Partial<DeadRecording>) {
  return (
    <>
      <span dir="auto">{label}</span>
      <span>
        {since === null ? 'no longer available' : `no longer available since ${toLongDay(since.slice(0, 10))}`}
      </span>
      <a href={toArchiveUrl(url)} rel="nofollow noopener ugc">
        Web archive
      </a>
    </>
  )
}
