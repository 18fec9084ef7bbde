import { isCased } from './spelling-keys.ts'

/** The parts of a person's name that initials are compared with. */
interface Person {
  readonly item: number
  readonly first: string
  readonly last: string
  /** The words between, in order. */
  readonly middle: readonly string[]
}

/**
 * Joins names that differ in initials: `John Q. Smith` with `John Smith` or `John Quincy Smith`, and `J. Smith` with
 * either. Only if the initial is unambiguous: `J. Smith` beside `John` and `Jane` joins neither.
 */
interface InitialsFinder {
  add(item: number, name: string, words: readonly string[]): void
  /** Calls `join` with items that are the same person; yields between steps. */
  joinAll(join: (a: number, b: number) => void, find: (item: number) => number): Generator<void>
}

/** Only generated data has more people with the same initial and last name. */
const maxPeople = 1_000
const maxWords = 6

export function createInitialsFinder(): InitialsFinder {
  const bySurname = new Map<string, Person[]>()
  return {
    add(item, name, words) {
      const person = toPerson(item, name, words)
      if (person === null) return
      const key = `${person.first[0]} ${person.last}`
      const known = bySurname.get(key)
      if (known === undefined) bySurname.set(key, [person])
      else known.push(person)
    },
    *joinAll(join, find) {
      let done = 0
      for (const people of bySurname.values()) {
        done += people.length
        if (people.length < 2 || people.length > maxPeople) continue
        if (done > maxPeople) {
          done = 0
          yield
        }
        const byFirst = Map.groupBy(people, ({ first }) => first)
        for (const [first, same] of byFirst) if (first.length > 1) joinMiddles(same, join)
        joinFirsts(byFirst, join, find)
      }
    },
  }
}

/** Not part of a name: `Gardner, PhD`. */
const suffixes = ['jr', 'sr', 'ii', 'iii', 'iv', 'phd', 'md', 'msc', 'mba', 'esq']

function toPerson(item: number, name: string, words: readonly string[]): Person | null {
  const ordered = toFirstNameFirst(name, words)
  const [first, last] = [ordered[0] ?? '', ordered.at(-1) ?? '']
  const isName =
    ordered.length > 1 && ordered.length <= maxWords && isCased(first[0] ?? '') && last.length > 1 && !isInitial(last)
  return isName ? { item, first, last, middle: ordered.slice(1, -1) } : null
}

/** `Smith, John` as `John Smith`; without a suffix. */
function toFirstNameFirst(name: string, words: readonly string[]): readonly string[] {
  if (suffixes.includes(words.at(-1) ?? '')) return words.slice(0, -1)
  const comma = name.indexOf(',')
  // One word before the comma: longer family names are rare, and `Smith John, Berlin` is not a name.
  const isLastFirst = comma !== -1 && comma === name.lastIndexOf(',') && !name.slice(0, comma).trim().includes(' ')
  return isLastFirst ? [...words.slice(1), ...words.slice(0, 1)] : words
}

/** One letter of an alphabet; one character may be a whole name elsewhere. */
const isInitial = (word: string) => word.length === 1 && isCased(word)
const toInitials = (words: readonly string[]) => words.map((word) => word[0]).join(' ')

/** People with the same first and last name. */
function joinMiddles(people: readonly Person[], join: (a: number, b: number) => void): void {
  const byInitials = Map.groupBy(people, ({ middle }) => toInitials(middle))
  for (const [initials, same] of byInitials) if (initials !== '' && isOneMiddle(same)) joinEach(same, join)
  const [one, ...others] = [...byInitials].filter(([initials]) => initials !== '')
  const bare = byInitials.get('')?.[0]
  if (one === undefined || others.length > 0 || bare === undefined) return
  // `Anna Maria Smith` is not `Anna Smith` unless she is also `Anna M. Smith`.
  const short = one[1].find(({ middle }) => middle.every(isInitial))
  if (short !== undefined && isOneMiddle(one[1])) join(bare.item, short.item)
}

/** Whether some of these people abbreviate their middle names, and all others have the same ones. */
function isOneMiddle(people: readonly Person[]): boolean {
  const full = people.filter(({ middle }) => !middle.some(isInitial)).map(({ middle }) => middle.join(' '))
  const isAbbreviated = full.length < people.length
  return isAbbreviated && new Set(full).size < 2 && people.every(({ middle }) => isAllOrNone(middle))
}

const isAllOrNone = (middle: readonly string[]) => middle.every(isInitial) || !middle.some(isInitial)

function joinEach([first, ...others]: readonly Person[], join: (a: number, b: number) => void): void {
  if (first !== undefined) for (const { item } of others) join(first.item, item)
}

/** Joins `J. Smith` with a full first name if only one is possible. */
function joinFirsts(
  byFirst: ReadonlyMap<string, readonly Person[]>,
  join: (a: number, b: number) => void,
  find: (item: number) => number,
): void {
  const [full, ...others] = [...byFirst].filter(([first]) => first.length > 1).map(([, people]) => people)
  const short = [...byFirst].filter(([first]) => first.length === 1).flatMap(([, people]) => people)
  if (full === undefined || others.length > 0) return
  // Without a middle initial it may be any of them; with one, only those that have it too.
  const candidates = new Map([['', toOne(full, find)]])
  for (const [initials, same] of Map.groupBy(full, ({ middle }) => toInitials(middle))) {
    if (initials !== '') candidates.set(initials, toOne(same, find))
  }
  for (const { item, middle } of short) {
    const candidate = candidates.get(toInitials(middle)) ?? null
    if (candidate !== null && middle.every(isInitial)) join(item, candidate.item)
  }
}

/** One of the people, if all are joined already or have the same words; null if they may be different people. */
function toOne(people: readonly Person[], find: (item: number) => number): Person | null {
  const [first] = people
  const firsts = new Map(people.toReversed().map((person) => [person.middle.join(' '), person]))
  const isOne = new Set([...firsts.values()].map(({ item }) => find(item))).size === 1
  return first !== undefined && isOne ? first : null
}
