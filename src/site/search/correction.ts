/** A search of which some words were matched as other words of the archive. */
export interface Correction {
  /** The search with those words. */
  readonly corrected: string
  /** The search with the words as they were typed and nothing else, in quotes. */
  readonly strict: string
}

/** Null if nothing was corrected. */
export function toCorrection(
  q: string,
  words: { readonly [typed: string]: readonly string[] } = {},
): Correction | null {
  const replaced = Object.entries(words).flatMap(([typed, [first]]) => (first === undefined ? [] : [{ typed, first }]))
  if (replaced.length === 0) return null
  const chunks = q.split(/\s+/)
  const strict = chunks.map((chunk) => (replaced.some(({ typed }) => isIn(chunk, typed)) ? `"${chunk}"` : chunk))
  const corrected = chunks.map((chunk) => {
    const found = replaced.find(({ typed }) => isIn(chunk, typed))
    return found === undefined ? chunk : chunk.replace(found.typed, () => found.first)
  })
  return { corrected: corrected.join(' '), strict: strict.join(' ') }
}

/** Words in quotes are never corrected. */
const isIn = (chunk: string, typed: string) => chunk.includes(typed) && !chunk.includes('"')
