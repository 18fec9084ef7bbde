import type { Site } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { TalkGrid } from './talk-card.tsx'

/** Talks in their order, with a heading wherever a year begins. */
export function TalksByYear({ site, talks }: { readonly site: Site; readonly talks: readonly Talk[] }) {
  const years = [...new Set(talks.map(toYear))]
  return (
    <div class="years">
      {years.map((year) => (
        <section key={year}>
          <h2>{year}</h2>
          <TalkGrid site={site} talks={talks.filter((talk) => toYear(talk) === year)} />
        </section>
      ))}
    </div>
  )
}

const toYear = ({ record }: Talk) => record.recorded?.slice(0, 4) ?? 'Year unknown'
