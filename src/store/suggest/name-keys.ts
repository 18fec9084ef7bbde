import { isOfRun } from '../../record/text/tokens.ts'
import { isWordCode } from '../../record/text/words.ts'
import { type NameIndex, type NameKind, nameKinds } from './name-index.ts'

/** The folded texts of all names of a kind, one behind the other. */
interface Keys {
  readonly revision: number
  readonly text: string
  /** Where each begins, and its number. */
  readonly starts: Int32Array
  readonly numbers: Int32Array
}

/** No text of a name has it. */
const separator = '\u0000'

/**
 * Finds names by the beginning of any of their words, as `toWordStartTest` does. One search through one long string
 * takes a small part of the time of a test per name; it is built again after a name has changed.
 */
export function createNameKeys(names: NameIndex): (kind: NameKind, part: string) => number[] {
  const known = new Map<NameKind, Keys>()

  function ensureKeys(kind: NameKind): Keys {
    const found = known.get(kind)
    if (found?.revision === names.revision()) return found
    const keys = readKeys(names, kind)
    known.set(kind, keys)
    return keys
  }

  return (kind, part) => {
    const { text, starts, numbers } = ensureKeys(kind)
    if (part === '' || part.includes(separator)) return part === '' ? [...numbers] : []
    const isAnywhere = isOfRun(part)
    const found: number[] = []
    let entry = 0
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      if (!isAnywhere && isWordCode(text, at - 1)) continue
      while ((starts[entry + 1] ?? text.length) <= at) entry++
      const number = numbers[entry] ?? 0
      if (found.at(-1) !== number) found.push(number)
    }
    return found
  }
}

function readKeys(names: NameIndex, kind: NameKind): Keys {
  const revision = names.revision()
  const wanted = nameKinds.indexOf(kind)
  const { kinds } = names.arrays()
  const [texts, starts, numbers]: [string[], number[], number[]] = [[], [], []]
  let length = separator.length
  for (let number = 0; number < names.end(); number++) {
    const key = kinds[number] === wanted ? names.get(number)?.key : undefined
    if (key === undefined) continue
    texts.push(key)
    starts.push(length)
    numbers.push(number)
    length += key.length + separator.length
  }
  const text = `${separator}${texts.join(separator)}${separator}`
  return { revision, text, starts: Int32Array.from(starts), numbers: Int32Array.from(numbers) }
}
