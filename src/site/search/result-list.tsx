import type { Child } from '#jsx/jsx-runtime'
import { TalkCard } from '../part/talk-card.tsx'
import type { Site } from '../site.ts'
import type { Talk } from '../talk/talk.ts'

export interface SearchResult {
  readonly talk: Talk
  /** Some of its text. */
  readonly passage: Child
  /** Marks the words of a search in a title or name. */
  readonly mark?: (text: string) => Child
}

interface ResultListProps {
  readonly site: Site
  readonly results: readonly SearchResult[]
  /** The number of the first result. */
  readonly start?: number
  readonly level?: 2 | 3
  readonly hasEvent?: boolean
}

/** Talks below each other, with a passage of each. */
export function ResultList({ site, results, start = 1, level = 2, hasEvent = true }: ResultListProps) {
  return (
    <ol class="results" start={start}>
      {results.map(({ talk, passage, mark }) => (
        <li key={talk.record.id}>
          <TalkCard site={site} talk={talk} level={level} hasEvent={hasEvent} mark={mark}>
            {passage}
          </TalkCard>
        </li>
      ))}
    </ol>
  )
}
