import { toFreeSlug } from '../../record/text/slug.ts'

/** How many slugs' numbers are remembered. */
const maxNumbers = 10_000

/** Slugs are hardly ever given back (when a record is erased), so the number that was free last time is where to look next time. */
export function createFreeSlugs(isTaken: (slug: string) => boolean) {
  const numbers = new Map<string, number>()
  return {
    toFree(wanted: string): string {
      const { slug, number } = toFreeSlug(wanted, isTaken, numbers.get(wanted))
      if (numbers.size >= maxNumbers) numbers.clear()
      if (number > 1) numbers.set(wanted, number)
      return slug
    },
    forget: () => numbers.clear(),
  }
}
