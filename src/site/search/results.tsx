import type { Child } from '#jsx/jsx-runtime'
import type { Match } from '../../record/query/query.ts'
import { createHighlighter, type HighlightedRecord, type Hits, toHits } from '../../record/text/highlight.ts'
import type { Search } from '../../record/text/search-text.ts'
import type { Talk } from '../talk/talk.ts'
import { toPlainText } from '../text/plain-text.ts'
import { MarkedText } from './marked-text.tsx'
import type { SearchResult } from './result-list.tsx'

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

/** What a passage can come from. Speakers and the event are shown with marks of their own. */
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
