import type { PlayerSource } from '../media/player-source.ts'
import { NameLinks } from '../part/talk-card.tsx'
import type { Site } from '../site.ts'
import { toLength, toLongDay } from '../text/format.ts'
import type { Talk } from './talk.ts'

interface TalkHeadProps {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  /** On a page about the talk that is not its own. */
  readonly isPreview?: boolean
}

/** Title, speakers, event and what one can do with the talk. */
export function TalkHead(props: TalkHeadProps) {
  const { site, talk, isPreview = false } = props
  const { record, languageCode } = talk
  const Title = isPreview ? 'h2' : 'h1'
  return (
    <header class="talk-head">
      <Title lang={languageCode} dir="auto" class="talk-title">
        {record.title}
      </Title>
      {talk.speakers.length > 0 && (
        <p class="speakers">
          <NameLinks names={talk.speakers} toHref={site.urls.speaker} max={talk.speakers.length} />
        </p>
      )}
      <Facts {...props} />
      {!isPreview && <Actions {...props} />}
    </header>
  )
}

function Facts({ site: { urls }, talk: { record, categorySlug, languageCode } }: TalkHeadProps) {
  const { category, recorded, duration, language } = record
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

/** What needs the script appears with it. */
function Actions({ site: { urls }, talk: { record }, source }: TalkHeadProps) {
  const hasPlayer = source.files.length > 0
  return (
    <ul class="actions">
      {hasPlayer && <PlayerActions />}
      {source.downloads.length > 0 && (
        <li>
          <a href="#download">Download</a>
        </li>
      )}
      {source.original !== null && (
        <li>
          <a href={source.original.url} rel="noopener">
            {`Watch on ${source.original.host}`}
          </a>
        </li>
      )}
      <li class="quiet">
        <a href={urls.edit(record.id)} rel="nofollow">
          Edit
        </a>
      </li>
      <li class="quiet">
        <a href={urls.api(`video/${record.id}`, { format: 'json' })}>JSON</a>
      </li>
    </ul>
  )
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]

function PlayerActions() {
  return (
    <>
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
      <li data-copy-time hidden>
        <button type="button" data-done="Copied" data-failed="Could not copy">
          Copy link at this time
        </button>
      </li>
    </>
  )
}
