/** One name per line; skips blank lines. */
export function parseNameLines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

interface Added {
  readonly names: readonly string[]
  readonly added: readonly string[]
  /** Names that the list has already: they are not added twice. */
  readonly repeated: readonly string[]
}

/** Inserts names at a position; null means at the end. */
export function withEntries(names: readonly string[], more: readonly string[], position: number | null): Added {
  const unique = [...new Set(more)]
  const added = unique.filter((name) => !names.includes(name))
  return {
    names: names.toSpliced(position ?? names.length, 0, ...added),
    added,
    repeated: unique.filter((name) => names.includes(name)),
  }
}

export function moveEntry(names: readonly string[], from: number, to: number): string[] {
  const [moved] = names.slice(from, from + 1)
  return moved === undefined ? [...names] : names.toSpliced(from, 1).toSpliced(to, 0, moved)
}
