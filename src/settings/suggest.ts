import { createEditCount } from '../record/text/spelling.ts'

const maxEdits = 2
/** The prefix that all options, or all variables, share does not count as similarity. */
const prefixes = /^(?:--|ROSTRUM_)/

/** " Did you mean --port?" with the nearest name; empty if none is near. */
export function suggest(given: string, names: readonly string[]): string {
  const word = given.replace(prefixes, '')
  const max = Math.min(maxEdits, Math.floor(word.length / 3))
  const near = names.map((name) => ({ name, edits: createEditCount(name)(given, max) }))
  const [best] = near.toSorted((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= max ? ` Did you mean ${best.name}?` : ''
}
