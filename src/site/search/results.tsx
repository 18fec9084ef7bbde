import type { Child } from '#jsx/jsx-runtime'
import type { Match } from '../../record/query/query.ts'
import { createHighlighter, type HighlightedRecord, type Hits, type Mark, toHits } from '../../record/text/highlight.ts'
import type { Search } from '../../record/text/search-text.ts'
import { TalkCard } from '../part/cards.tsx'
import type { Site } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { toPlainText } from '../text/plain-text.ts'

export interface SearchResult {
  readonly talk: Talk
  /** An excerpt of its text. */
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

const noHits: Hits = { words: new Set(), prefixes: [], phrases: [] }
const nothing: HighlightedRecord = { title: '', summary: '', description: '', speakers: [], tags: [], category: '' }

/** Talks with a passage of each and, after a search, marks. `hits` are those of `match=best`, if the search had words. */
export function toResults(talks: readonly Talk[], search: Search | null, hits: Hits | undefined): SearchResult[] {
  const [matched, match]: [Hits, Match] =
    hits === undefined ? [search === null ? noHits : toHits(search), 'all'] : [hits, 'best']
  const highlight = createHighlighter(matched, match)
  const mark = (text: string): Child => <MarkedText text={text} marks={highlight({ ...nothing, title: text }).title} />
  return talks.map((talk) => {
    const shown = toShown(talk)
    const { passage } = highlight(shown)
    return {
      talk,
      passage: passage === null ? null : toPassage(talk, shown, passage),
      ...(search === null ? {} : { mark }),
    }
  })
}

/** The fields that a passage can come from. The card marks speakers and event itself. */
function toShown({ record: { summary, description, tags } }: Talk): HighlightedRecord {
  return { ...nothing, summary: toPlainText(summary), description: toPlainText(description), tags }
}

function toPassage({ languageCode }: Talk, shown: HighlightedRecord, { field, text, marks }: Passage): Child {
  const whole = field === 'tags' ? shown.tags.join(', ') : String(shown[field]).trim()
  return (
    <p class="passage" lang={field === 'tags' ? undefined : languageCode} dir="auto">
      {field === 'tags' && 'Tags: '}
      {!whole.startsWith(text) && '… '}
      <MarkedText text={text} marks={marks} />
      {!whole.endsWith(text) && ' …'}
    </p>
  )
}

type Passage = NonNullable<ReturnType<ReturnType<typeof createHighlighter>>['passage']>

interface MarkedTextProps {
  readonly text: string
  /** In code points, in order. */
  readonly marks: readonly Mark[]
}

/** A text with its hits as `<mark>`. */
function MarkedText({ text, marks }: MarkedTextProps) {
  if (marks.length === 0) return <>{text}</>
  const characters = Array.from(text)
  const pieces: Child[] = []
  let end = 0
  for (const [from, to] of marks) {
    pieces.push(characters.slice(end, from).join(''))
    pieces.push(<mark key={from}>{characters.slice(from, to).join('')}</mark>)
    end = to
  }
  return (
    <>
      {pieces}
      {characters.slice(end).join('')}
    </>
  )
}
