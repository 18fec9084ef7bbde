import { isLoneCharacter, toQueryTokens } from '../text/search-text.ts'

/** Tokens that must follow each other; the last one may be a prefix of a word. */
export interface Term {
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A parsed `q`: records match every term of `all` and none of `none`. If both are empty (`q=!!!`), none does. */
export interface Search {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
}

const maxSearchLength = 200
const maxSearchTerms = 16

export type ParsedSearch =
  | { readonly ok: true; readonly search: Search }
  | { readonly ok: false; readonly problem: string }

/** Words, `"phrases"` and `-exclusions`. There is no other syntax, so only the length can be invalid. */
export function parseSearch(text: string): ParsedSearch {
  if ([...text].length > maxSearchLength)
    return { ok: false, problem: `q can have at most ${maxSearchLength} characters.` }
  const all: Term[] = []
  const none: Term[] = []
  for (const [, minus, phrase, word = ''] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const tokens = toQueryTokens(phrase ?? word)
    if (tokens.length === 0) continue
    const term = { tokens, isPrefix: phrase === undefined || isLoneCharacter(tokens.at(-1) ?? '') }
    if (minus === '-') none.push(term)
    else all.push(term)
  }
  const isTooMany = all.length + none.length > maxSearchTerms
  if (isTooMany) return { ok: false, problem: `q can have at most ${maxSearchTerms} words and phrases.` }
  return { ok: true, search: { all, none } }
}
