import type { Term } from '../../record/text/search-text.ts'
import { toQueryWords } from '../../record/text/words.ts'
import { findWord } from './segment.ts'
import type { WordsIndex } from './words-index.ts'

/**
 * The words that a literal term stands for, such as `C++`; null for other terms. The engine's index has no such words:
 * there, `C++` is the beginning of any word with a C.
 */
export function toLiteralWords({ text }: Term): readonly string[] | null {
  const [word, ...others] = toQueryWords(text)
  return word?.isLiteral === true && others.length === 0 ? word.words : null
}

/** Clears the flags of the slots whose records have one of these words. */
export function dropWithWords({ dictionary, segments }: WordsIndex, texts: readonly string[], flags: Uint8Array): void {
  const words = texts.map(dictionary.find).filter((word) => word >= 0)
  for (const segment of segments()) {
    const { slots, dead, positions, starts } = segment
    for (const at of words.map((word) => findWord(segment, word)).filter((found) => found >= 0)) {
      for (let i = starts[at] ?? 0; i < (starts[at + 1] ?? 0); i++) {
        const position = positions[i] ?? 0
        if (dead[position] === 0) flags[slots[position] ?? 0] = 0
      }
    }
  }
}
