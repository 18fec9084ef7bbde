import type { Initial } from '../../../record/query/vocabulary.ts'
import { otherInitial, toInitial } from '../../../record/text/words.ts'
import { compareCodePoints } from '../../columns/numbering.ts'

/** The initials of folded names, in the order of the alphabet, `other` last. */
export function countInitials(keys: readonly string[]): Initial[] {
  const counted = new Map<string, number>()
  for (const key of keys) {
    const initial = toInitial(key)
    counted.set(initial, (counted.get(initial) ?? 0) + 1)
  }
  const rank = ({ initial }: Initial) => (initial === otherInitial ? 1 : 0)
  return [...counted]
    .map(([initial, count]) => ({ initial, count }))
    .sort((a, b) => rank(a) - rank(b) || compareCodePoints(a.initial, b.initial))
}
