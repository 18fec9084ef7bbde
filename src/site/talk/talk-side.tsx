import { TalkCard, TalkGrid } from '../part/talk-card.tsx'
import type { Site } from '../site.ts'
import type { RelatedTalks } from './related-talks.ts'
import type { Talk } from './talk.ts'

interface RelatedProps {
  readonly site: Site
  readonly talk: Talk
  readonly related: RelatedTalks
}

/** Beside the talk: what comes next in its event. */
export function TalkSide({ site, talk, related: { next, event } }: RelatedProps) {
  const others = event.filter(({ record }) => record.id !== next?.record.id)
  return (
    <>
      {next !== null && (
        <section class="watch-next">
          <h2>Watch next</h2>
          <TalkCard site={site} talk={next} hasEvent={false} />
        </section>
      )}
      {others.length > 0 && (
        <section>
          <h2 dir="auto">
            {talk.categorySlug === null ? (
              `More from ${talk.record.category}`
            ) : (
              <a href={site.urls.category(talk.categorySlug)}>{`More from ${talk.record.category}`}</a>
            )}
          </h2>
          <ul class="talk-rows">
            {others.map((other) => (
              <li key={other.record.id}>
                <TalkCard site={site} talk={other} hasEvent={false} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** One row on a wide screen. */
const speakersShown = 4

/** Below the talk: others of its speakers, and others about the same. */
export function MoreTalks({ site, talk, related: { speakers, similar } }: RelatedProps) {
  return (
    <>
      {speakers.length > 0 && (
        <section>
          <div class="section-head">
            <h2 dir="auto">
              {talk.record.speakers.length === 1 ? `More by ${talk.record.speakers[0]}` : 'More by these speakers'}
            </h2>
          </div>
          <TalkGrid site={site} talks={speakers.slice(0, speakersShown)} />
        </section>
      )}
      {similar.length > 0 && (
        <section>
          <div class="section-head">
            <h2>Similar talks</h2>
          </div>
          <TalkGrid site={site} talks={similar} />
        </section>
      )}
    </>
  )
}
