import type { Search } from './search-text.ts'

/** What a search matches in texts. */
export interface Hits {
  /** Words as `locateWords` finds them. */
  readonly words: ReadonlySet<string>
  /** Every word that starts with one of these is a hit. */
  readonly prefixes: readonly string[]
  /** Search tokens that follow each other, as `toTokens` finds them. */
  readonly phrases: readonly (readonly string[])[]
  /** The same, but the last token may be the start of a word. */
  readonly openPhrases?: readonly (readonly string[])[]
}

/** What every word of a search matches, by the tokens of the index that answers `match=all`. */
export function toHits({ all }: Search): Hits {
  const single = all.filter(({ tokens }) => tokens.length === 1)
  const several = all.filter(({ tokens }) => tokens.length > 1)
  const toTokens = (terms: typeof all) => terms.map(({ tokens }) => tokens)
  return {
    words: new Set(toTokens(single.filter(({ isPrefix }) => !isPrefix)).flat()),
    prefixes: toTokens(single.filter(({ isPrefix }) => isPrefix)).flat(),
    phrases: toTokens(several.filter(({ isPrefix }) => !isPrefix)),
    openPhrases: toTokens(several.filter(({ isPrefix }) => isPrefix)),
  }
}
