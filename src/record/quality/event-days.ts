/** Days since 1970-01-01 in ascending order, each with the number of records on it. */
export type CountedDays = readonly (readonly [day: number, count: number])[]

/** The first and the last. */
type DayRange = readonly [first: number, last: number]

/** Longer ones are meetups and the like, which last for years. */
export const longestConference = 31
const mostMisdated = 0.1
/** So many others must be close to each other for one that is taken for misdated. */
const leastOthers = 3

/**
 * The days of an event. If nearly all of its records lie within a month, the others are misdated, and do not count: one
 * wrong year would make a weekend last for hundreds of days. Null if no day is known.
 */
export function findMainDays(days: CountedDays): DayRange | null {
  const [first, last] = [days[0]?.[0], days.at(-1)?.[0]]
  if (first === undefined || last === undefined) return null
  if (last - first <= longestConference) return [first, last]
  const total = days.reduce((sum, [, count]) => sum + count, 0)
  const { range, count } = findFullestMonth(days)
  const misdated = total - count
  const isConference = misdated <= Math.max(1, mostMisdated * total) && count >= leastOthers * misdated
  return isConference ? range : [first, last]
}

function findFullestMonth(days: CountedDays): { readonly range: DayRange; readonly count: number } {
  let best: { range: DayRange; count: number } = { range: [0, 0], count: 0 }
  let [from, sum] = [0, 0]
  for (const [day, count] of days) {
    sum += count
    for (let left = days[from]; left !== undefined && day - left[0] > longestConference; left = days[from]) {
      sum -= left[1]
      from++
    }
    if (sum > best.count) best = { range: [days[from]?.[0] ?? day, day], count: sum }
  }
  return best
}
