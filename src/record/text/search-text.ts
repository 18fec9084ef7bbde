import type { VideoRecord } from '../record.ts'
import { isLoneCharacter, isOfRun, toQueryTokens, toTokenText } from './tokens.ts'

/** The searched fields, in the order of the columns of the index. */
export const searched = ['title', 'speakers', 'tags', 'category', 'summary', 'description'] as const

type Searched = (typeof searched)[number]
export type SearchTokens = { readonly [N in Searched]: string }

/** Separates names with a token that no query can contain, so that no phrase matches across two names. */
const boundary = ' ¦ '

/** The search tokens of a record, by column of the index. */
export function toSearchTokens({
  title,
  speakers,
  tags,
  category,
  summary,
  description,
}: Pick<VideoRecord, Searched>): SearchTokens {
  return {
    title: toTokenText(title),
    speakers: toNames(speakers),
    tags: toNames(tags),
    category: toTokenText(category),
    summary: toTokenText(summary),
    description: toTokenText(description),
  }
}

function toNames(names: readonly string[]): string {
  return names.map(toTokenText).join(boundary)
}

/** Tokens that must follow each other; the last one may be a prefix of a word. */
export interface Term {
  /** The word or phrase as typed, without quotes and minus, for `match=best`, which splits words by its own rules. */
  readonly text: string
  readonly isPhrase: boolean
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A parsed `q`: records match every term of `all` and none of `none`. If both are empty (`q=!!!`), none does. */
export interface Search {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
}

const maxSearchLength = 200
const maxSearchWords = 16
/** About as many characters of a script without spaces are a word; each is a token. */
const charactersPerWord = 4

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
    const isPhrase = phrase !== undefined
    const typed = phrase ?? word
    const tokens = dropRepeats(toQueryTokens(typed))
    if (tokens.length === 0) continue
    const term = { text: typed, isPhrase, tokens, isPrefix: !isPhrase || isLoneCharacter(tokens.at(-1) ?? '') }
    if (minus === '-') none.push(term)
    else all.push(term)
  }
  const words = [...all, ...none].reduce((sum, { tokens }) => sum + countWords(tokens), 0)
  return words > maxSearchWords ? { ok: false, problem: tooManyWords } : { ok: true, search: { all, none } }
}

const tooManyWords =
  `q can have at most ${maxSearchWords} words. Those of phrases and the parts of words like full-text count, and ` +
  `${charactersPerWord} characters of a script without spaces count as one.`

/**
 * `very very very good` is searched as `very very good`: the engine would read all occurrences of a token once for each
 * of its positions in the phrase (decision 71).
 */
function dropRepeats(tokens: readonly string[]): string[] {
  return tokens.filter((token, i) => token !== tokens[i - 1] || token !== tokens[i - 2])
}

function countWords(tokens: readonly string[]): number {
  const ofRuns = tokens.filter(isOfRun).length
  return tokens.length - ofRuns + Math.ceil(ofRuns / charactersPerWord)
}
