import { type FileFormat, fileFormats } from '../../record/player/player-source.ts'
import type { FileKind } from '../../record/query/query.ts'
import { toClock } from '../../record/text/clock.ts'
import { type Site, toAbsolute } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { type UrlParameters, withParameters } from '../urls.ts'

/** The feed of a page, and a podcast for each format that its talks have. */
export interface Subscription {
  readonly title: string
  /** The path of the Atom feed. */
  readonly href: string
  readonly podcasts: readonly { readonly format: FileFormat; readonly href: string }[]
}

interface SubscriptionPlan {
  readonly title: string
  /** The path of the feed without its ending. */
  readonly stem: string
  readonly parameters?: UrlParameters
  /** Of the talks; undefined if they are unknown. */
  readonly kinds: readonly FileKind[] | undefined
}

export function toSubscription({ title, stem, parameters = {}, kinds = [] }: SubscriptionPlan): Subscription {
  const podcasts = fileFormats.filter((format) => kinds.includes(format))
  return {
    title,
    href: withParameters(`${stem}.atom`, parameters),
    podcasts: podcasts.map((format) => ({ format, href: withParameters(`${stem}.rss`, { ...parameters, format }) })),
  }
}

/** For the head of a page, where feed readers and podcast apps look. */
export function SubscriptionLinks({ feed: { title, href, podcasts } }: { readonly feed: Subscription }) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" href={href} title={title} />
      {podcasts.map((podcast) => (
        <link
          key={podcast.format}
          rel="alternate"
          type="application/rss+xml"
          href={podcast.href}
          title={`${title} (${formatNames[podcast.format]} podcast)`}
        />
      ))}
    </>
  )
}

interface SubscribeProps {
  readonly site: Site
  readonly feed: Subscription
  /** What the addresses are of, such as `this search`. */
  readonly of?: string
}

/** A menu with the addresses to subscribe to. It opens without a script, which adds the buttons that copy. */
export function Subscribe(props: SubscribeProps) {
  return (
    <details class="menu-button subscribe">
      <summary>Subscribe</summary>
      <div class="panel">
        <p>Get new talks automatically: paste one of these URLs into your feed reader or podcast app.</p>
        <Subscriptions {...props} />
      </div>
    </details>
  )
}

const formatNames: { readonly [F in FileFormat]: string } = { mp4: 'MP4', webm: 'WebM', ogv: 'Ogg' }

const formatTexts: { readonly [F in FileFormat]: string } = {
  mp4: 'For podcast apps: talks with an MP4 file, which every app plays.',
  webm: 'For apps that play WebM: talks with a WebM file.',
  ogv: 'For apps that play Ogg: talks with an Ogg file.',
}

/** Each address with its name and one line that explains it. */
export function Subscriptions({ site, feed, of }: SubscribeProps) {
  const suffix = of === undefined ? '' : ` of ${of}`
  const rows = [
    {
      id: 'feed',
      name: `Feed${suffix}`,
      text: 'For feed readers: the newest talks with their descriptions.',
      href: feed.href,
    },
    ...feed.podcasts.map(({ format, href }) => ({
      id: format,
      name: `${formatNames[format]} podcast${suffix}`,
      text: formatTexts[format],
      href,
    })),
  ]
  return (
    <ul class="subscriptions">
      {rows.map(({ id, name, text, href }) => (
        <li key={id}>
          <a id={`subscribe-${id}`} href={href} rel="nofollow">
            {name}
          </a>
          <p>{text}</p>
          <CopyLine id={`subscribe-${id}-url`} labelledBy={`subscribe-${id}`} value={toAbsolute(site, href)} />
        </li>
      ))}
    </ul>
  )
}

interface CopyLineProps {
  readonly id: string
  /** The id of the element that names the field. */
  readonly labelledBy: string
  readonly value: string
}

/** An address in a field, with a button to copy it that the script shows. */
function CopyLine({ id, labelledBy, value }: CopyLineProps) {
  return (
    <div class="copy-line">
      <input id={id} type="text" value={value} readonly aria-labelledby={labelledBy} spellcheck="false" />
      <button
        type="button"
        data-copy={id}
        data-done="Copied"
        data-failed="Could not copy"
        aria-describedby={labelledBy}
        hidden
      >
        Copy
      </button>
    </div>
  )
}

interface TalkShareProps {
  readonly site: Site
  readonly talk: Talk
  /** In seconds. */
  readonly start: number
  /** Of the recording; null if it is not known. */
  readonly length: number | null
}

/**
 * A menu with links to the talk, from its beginning and from a time. Without a script, a form leads to the page at that
 * time. The script fills in the time of the player, copies, and opens the share sheet of phones.
 */
export function TalkShare({ site, talk: { record }, start, length }: TalkShareProps) {
  const page = site.urls.video(record)
  const problem = length !== null && start >= length ? toLateText(length) : ''
  return (
    <details class="menu-button share" data-share={length ?? ''} open={problem !== ''}>
      <summary>Share</summary>
      <div class="panel">
        <p id="share-link">Link to this talk</p>
        <CopyLine id="share-url" labelledBy="share-link" value={toAbsolute(site, page)} />
        <form action={page} method="get" data-late={length === null ? undefined : toLateText(length)}>
          <label for="share-time">Link starting at</label>
          <div class="copy-line">
            <input
              id="share-time"
              name="t"
              type="text"
              value={start > 0 ? toClock(start) : ''}
              placeholder="12:34"
              title="Minutes and seconds, such as 12:34"
              maxlength="12"
              autocomplete="off"
              aria-describedby="share-problem"
              required
            />
            <button type="submit" data-done="Copied" data-failed="Could not copy">
              Open
            </button>
          </div>
          <p id="share-problem" class="error" role="alert">
            {problem}
          </p>
        </form>
        <button type="button" class="wide-button" data-share-sheet data-title={record.title} hidden>
          Share with an app …
        </button>
      </div>
    </details>
  )
}

/** About a time after the end of the talk. */
const toLateText = (length: number) => `This talk is ${toClock(length)} long. Enter an earlier time.`
