import { type FileFormat, fileFormats } from '../../record/player/file-formats.ts'
import type { FileKind } from '../../record/query/query.ts'
import { type Site, toAbsolute } from '../site.ts'
import { type UrlParameters, withParameters } from '../urls.ts'
import { CopyLine } from './copy-line.tsx'

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
