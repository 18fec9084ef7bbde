import { isOfRun, toTokens, toTokenText } from '../text/search-text.ts'
import type { Cue } from './transcript.ts'

/** Words count as said together within three such slices: about 45 seconds. */
export const sliceMs = 15_000
export const maxSlices = 3

/** If a text repeats more often in a row, speech recognition got stuck; it is indexed once. */
const maxRepeats = 20
/** About 24 hours of speech. The rest of a longer text is not searched. */
const maxTokens = 250_000

/** The tokens of a transcript, as they are indexed. They are numbered from its beginning to its end, across cues. */
interface Spoken {
  /** The numbers of each token, ascending. */
  readonly tokens: ReadonlyMap<string, readonly number[]>
  /** How many tokens each slice of time has. */
  readonly slices: readonly number[]
}

export function toSpoken(cues: readonly Cue[]): Spoken {
  const tokens = new Map<string, number[]>()
  const slices: number[] = []
  let number = 0
  let slice = 0
  for (const { cue, tokens: said } of listSpokenCues(cues)) {
    for (const [i, token] of said.entries()) {
      if (number >= maxTokens) return { tokens, slices }
      // Cues may overlap, but numbers and slices must both ascend.
      slice = Math.max(slice, toSlice(cue, i / said.length))
      while (slices.length <= slice) slices.push(0)
      slices[slice] = (slices[slice] ?? 0) + 1
      const known = tokens.get(token)
      if (known === undefined) tokens.set(token, [number])
      else known.push(number)
      number++
    }
  }
  return { tokens, slices }
}

/** Assumes an even pace within a cue. */
const toSlice = ({ start, end }: Cue, share: number) => Math.floor((start + Math.max(0, end - start) * share) / sliceMs)

interface SpokenCue {
  readonly cue: Cue
  readonly tokens: readonly string[]
}

/** The cues that are indexed, with their tokens. */
function* listSpokenCues(cues: readonly Cue[]): Generator<SpokenCue> {
  const kept = dropLoops(cues)
  for (const [i, cue] of kept.entries()) yield { cue, tokens: toCueTokens(cue.text, kept[i + 1]?.text ?? '') }
}

/** One cue for each text that is repeated too often in a row. */
export function dropLoops(cues: readonly Cue[]): readonly Cue[] {
  const kept: Cue[] = []
  for (let from = 0; from < cues.length; ) {
    let to = from + 1
    while (to < cues.length && cues[to]?.text === cues[from]?.text) to++
    kept.push(...cues.slice(from, to - from > maxRepeats ? from + 1 : to))
    from = to
  }
  return kept
}

/**
 * In scripts without spaces a token is a pair of characters, and the last one of a cue pairs with the first one of the
 * next: sentences run across cues.
 */
function toCueTokens(text: string, nextText: string): readonly string[] {
  const first = toRunStart(text, nextText)
  if (first !== '') return toTokens(text + first).slice(0, -1)
  const joined = toTokenText(text)
  return joined === '' ? [] : joined.split(' ')
}

/** The first character of the next text if it continues a run at the end of this one, else nothing. */
export function toRunStart(text: string, nextText: string): string {
  const [first = ''] = nextText
  if (first <= '\u007f' || !isOfRun(first)) return ''
  const last = text.slice(-2).match(/.$/su)?.[0] ?? ''
  return isOfRun(last) ? first : ''
}
