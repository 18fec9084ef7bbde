import type { Search, Term } from './query/search-query.ts'
import { toFolded } from './text/fold.ts'
import { isLoneCharacter, toTokens } from './text/search-text.ts'

/** A piece of a text, and whether the search found it. Joined again, the pieces are the text. */
export interface TextPiece {
  readonly text: string
  readonly isHit: boolean
}

interface Spot {
  readonly token: string
  readonly from: number
  readonly to: number
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** What of a text a search found, for pages that show why a record is in the list. */
export function toHighlighted(text: string, search: Search): TextPiece[] {
  const spots = toSpots(text)
  const isHit = new Array<boolean>(text.length).fill(false)
  for (const term of search.all) {
    for (const [i] of spots.entries()) {
      const found = spots.slice(i, i + term.tokens.length)
      if (matches(term, found)) mark(isHit, found, term)
    }
  }
  return toPieces(text, isHit)
}

/** Where each token of the text stands in it; a pair of characters reaches over both. */
function toSpots(text: string): Spot[] {
  const spots: Spot[] = []
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const tokens = toTokens(word)
    if (tokens.length === 1) spots.push({ token: tokens[0] ?? '', from: index, to: index + word.length })
    else spots.push(...toRunSpots(word, index, tokens))
  }
  return spots
}

/** Within a word of several tokens each is looked for behind the one before; folding may have moved it a little. */
function toRunSpots(word: string, start: number, tokens: readonly string[]): Spot[] {
  const folded = toFolded(word)
  const isAligned = folded.length === word.length
  let at = 0
  return tokens.map((token) => {
    at = Math.max(at, folded.indexOf(token, at))
    const spot = { token, from: start + at, to: start + at + token.length }
    at += isAligned ? 1 : 0
    return isAligned ? spot : { token, from: start, to: start + word.length }
  })
}

function matches({ tokens, isPrefix }: Term, spots: readonly Spot[]): boolean {
  if (spots.length < tokens.length) return false
  return tokens.every((token, i) => {
    const isLast = i === tokens.length - 1
    const found = spots[i]?.token ?? ''
    return isLast && isPrefix ? found.startsWith(token) : found === token
  })
}

/** A lone character asked for is all that is shown of the pair that it begins. */
function mark(isHit: boolean[], spots: readonly Spot[], { tokens }: Term): void {
  for (const [i, { from, to }] of spots.entries()) {
    const token = tokens[i] ?? ''
    isHit.fill(true, from, isLoneCharacter(token) ? from + token.length : to)
  }
}

function toPieces(text: string, isHit: readonly boolean[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && isHit[at] === isHit[from]) continue
    pieces.push({ text: text.slice(from, at), isHit: isHit[from] ?? false })
    from = at
  }
  return pieces
}
