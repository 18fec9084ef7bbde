import type { NameKind } from '../name.ts'

interface UsedName {
  readonly name: string
  readonly count: number
}

/** The name to keep of names that are the same: the one that is written best; of several, the most used. */
export function findKeptName<Name extends UsedName>(kind: NameKind, names: readonly Name[]): Name | undefined {
  const judged = names.map((each) => ({ each, flaws: countFlaws(kind, each, names) }))
  return judged.sort((a, b) => a.flaws - b.flaws || b.each.count - a.each.count)[0]?.each
}

function countFlaws(kind: NameKind, { name, count }: UsedName, others: readonly UsedName[]): number {
  const words = name.split(/[\s-]+/u)
  const flaws: readonly (readonly [weight: number, isFound: boolean])[] = [
    [8, oddSpaces.test(name) || oddStart.test(name)],
    [4, kind === 'speaker' && hasLowerName(words) && !isPhrase(words, count)],
    [2, kind === 'speaker' && words.some((word) => shouted.test(word) || slipped.test(word))],
    [1, kind === 'speaker' && name.includes(',')],
    [1, others.some((other) => isBetterCased(other, { name, count }))],
  ]
  return flaws.reduce((sum, [weight, isFound]) => sum + (isFound ? weight : 0), 0)
}

const oddSpaces = /^\s|\s$|\s\s|[^\S ]/u
/** `#MicroPython`, `"Alex"`; not `.NET`. */
const oddStart = /^[^\p{L}\p{N}.]/u
/** `KIYOHARA`; three capitals may be initials. */
const shouted = /^\p{Lu}{4,}$/u
/** `JIm`. */
const slipped = /^\p{Lu}{2,}\p{Ll}/u
const startsLower = /^\p{Ll}/u
const startsUpper = /^\p{Lu}/u

/** `ann lee`; between first and last name stand `van` and `de`. A single word may be a nickname. */
const hasLowerName = (words: readonly string[]) =>
  words.length > 1 && (startsLower.test(words[0] ?? '') || startsLower.test(words.at(-1) ?? ''))

/** More than any person speaks. */
const manyTalks = 100

/** `Various speakers` stands for people, and is spelt like a sentence. */
const isPhrase = ([first = '']: readonly string[], count: number) => count >= manyTalks && startsUpper.test(first)

/** Nobody types it by accident more often than this. */
const maxAccident = 0.1

/** `Andy McKay` and `JavaScript`, unless the name without the capital is far more common. */
function isBetterCased(other: UsedName, { name, count }: UsedName): boolean {
  const isSame =
    other.name.toLowerCase() === name.toLowerCase() && startsUpper.test(name) && startsUpper.test(other.name)
  return isSame && countInner(other.name) > countInner(name) && other.count > count * maxAccident
}

/** Capitals within a word: `McKay`, `O’Brien`. */
const countInner = (name: string) => name.match(/(?<=[\p{Ll}'’])\p{Lu}/gu)?.length ?? 0
