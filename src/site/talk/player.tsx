import { toArchiveUrl } from '../../record/link/link.ts'
import type { DeadRecording } from '../../record/link/watch.ts'
import { type PlayerSource, toFileUrl, toHostLabel } from '../../record/player/player-source.ts'
import { toHueClass } from '../part/cards.tsx'
import type { Site } from '../site.ts'
import { toLongDay } from '../text/format.ts'
import type { Talk } from './talk.ts'

interface PlayerProps {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  /** In seconds. */
  readonly start: number
  /** Where a part of a longer recording ends. */
  readonly end?: number | null
  /** The id of the record whose chapters are those of the recording; null if it has none. */
  readonly chaptersOf?: number | null
  /** Recordings that nobody can watch any more. */
  readonly dead?: readonly DeadRecording[]
  /** The languages of its transcripts. */
  readonly spoken?: readonly string[]
  /** In a frame of another site, links open a new tab. */
  readonly isFramed?: boolean
}

/**
 * Plays files itself. A video at a known host is a link, which the script replaces with the host's player. Before the
 * viewer presses play, nothing but the picture is loaded from a host (decision 50).
 */
export function Player(props: PlayerProps) {
  const { site, talk, source, end } = props
  const page = site.urls.video(talk.record)
  return (
    <div class={`player ${toHueClass(talk.record.category)}`} data-player={page} data-end={end ?? undefined}>
      <Backdrop {...props} />
      {source.files.length > 0 ? <FilePlayer {...props} /> : <PlayLink {...props} />}
    </div>
  )
}

/** The picture of the talk, with the generated one under it. The title stands below, so it is not on the picture. */
function Backdrop({ site, talk: { record } }: PlayerProps) {
  const hasImage = site.settings.hasThumbnails && record.thumbnail_url !== ''
  return (
    <div class="backdrop" aria-hidden="true">
      <div class="generated">
        <span dir="auto">{record.category}</span>
      </div>
      {hasImage && <img src={record.thumbnail_url} alt="" decoding="async" referrerpolicy="no-referrer" />}
    </div>
  )
}

/** The large button appears with the script; the controls of the video do the same. */
function FilePlayer({
  site,
  talk: { record },
  source,
  start,
  end = null,
  chaptersOf = null,
  spoken = [],
}: PlayerProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: talks without a transcript have no captions */}
      <video controls playsinline preload="none" aria-label={record.title}>
        {source.files.map(({ url, type }) => (
          <source key={url} src={toFileUrl(url, start, end)} type={type} />
        ))}
        {spoken.map((language) => (
          <track
            key={language}
            kind="captions"
            srclang={language}
            src={site.urls.api(`video/${record.id}/transcripts/${language}.vtt`)}
          />
        ))}
        {chaptersOf !== null && <track kind="chapters" src={site.urls.chapters(chaptersOf, 'vtt')} />}
      </video>
      <div class="play big-play" aria-hidden="true" hidden>
        <PlayIcon />
      </div>
    </>
  )
}

function PlayIcon() {
  return (
    <svg viewBox="0 0 64 64" width="72" height="72" aria-hidden="true">
      <circle cx="32" cy="32" r="31" />
      <path d="M25 19.500v25L46 32z" />
    </svg>
  )
}

/** Links to the host, or to a file that this page cannot play. */
function PlayLink({ talk: { record }, source: { hosted, watchable }, start, dead, isFramed = false }: PlayerProps) {
  if (watchable === null) return <NoRecording dead={dead ?? []} isFramed={isFramed} />
  const { url: href, host } = watchable
  const inFrame = hosted && {
    'data-frame': hosted.frame,
    'data-host': hosted.kind,
    'data-start': String(start > 0 ? start : hosted.start),
    'data-title': record.title,
  }
  return (
    <a class="play" href={href} rel="noopener" target={isFramed ? '_blank' : undefined} {...inFrame}>
      <PlayIcon />
      <span class="hidden-text">{`Play “${record.title}”`}</span>
      <span class="on-host">{hosted === null ? `Opens on ${host}` : `Plays from ${host}`}</span>
    </a>
  )
}

/** Says since when the first of its recordings is gone. */
function NoRecording({ dead: [first], isFramed }: Required<Pick<PlayerProps, 'dead' | 'isFramed'>>) {
  if (first === undefined) return <p class="no-recording">No recording available.</p>
  const { url, since } = first
  return (
    <div class="no-recording">
      <p>
        {`This video is no longer available at ${toHostLabel(url)}`}
        {since !== null && (
          <>
            {', since '}
            <time datetime={since.slice(0, 10)}>{toLongDay(since.slice(0, 10))}</time>
          </>
        )}
        .
      </p>
      <p>
        <a href={toArchiveUrl(url)} rel="nofollow noopener" target={isFramed ? '_blank' : undefined}>
          Look for a copy in the web archive
        </a>
      </p>
    </div>
  )
}
