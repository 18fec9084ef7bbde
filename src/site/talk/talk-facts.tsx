import { toNumber } from '../../record/text/counted.ts'
import type { PlayerSource } from '../media/player-source.ts'
import type { Site } from '../site.ts'
import { toSize } from '../text/format.ts'
import { findLicence } from './licence.ts'
import type { Talk } from './talk.ts'
import type { TalkDetails } from './talk-details.ts'

interface TalkFactsProps {
  readonly site: Site
  readonly talk: Talk
  readonly details: TalkDetails
  readonly source: PlayerSource
}

/** Below the text: tags, downloads, licence and links. */
export function TalkFacts(props: TalkFactsProps) {
  const { talk, details } = props
  return (
    <div class="talk-facts">
      <Tags {...props} />
      <Downloads {...props} />
      {talk.record.copyright_text.trim() !== '' && <LicenceNote text={talk.record.copyright_text} />}
      <Links {...props} />
      {details.qualityNotes !== '' && (
        <section>
          <h2>About the quality</h2>
          <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: details.qualityNotes }} />
        </section>
      )}
    </div>
  )
}

/** Talks with more tags than this show the others on demand. */
const shownTags = 30

function Tags({ site, details: { tags } }: TalkFactsProps) {
  if (tags.length === 0) return null
  const others = tags.slice(shownTags)
  return (
    <section>
      <h2>Tags</h2>
      <TagList site={site} tags={tags.slice(0, shownTags)} />
      {others.length > 0 && (
        <details class="more-tags">
          <summary>{`${toNumber(others.length)} more`}</summary>
          <TagList site={site} tags={others} />
        </details>
      )}
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

function Links({ details: { links } }: TalkFactsProps) {
  if (links.length === 0) return null
  return (
    <section>
      <h2>Links</h2>
      <ul class="links">
        {links.map(({ url, label }) => (
          <li key={url}>
            <a href={url} rel="nofollow noopener ugc" dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
