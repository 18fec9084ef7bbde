import { listSlugs } from '../../record/text/slug.ts'

/** How many slugs' numbers are remembered. */
const maxNumbers = 10_000

/** Slugs are hardly ever given back (when a record is erased), so the number that was free last time is where to look next time. */
export function createFreeSlugs(isTaken: (slug: string) => Promise<boolean>) {
  const numbers = new Map<string, number>()
  return {
    async findFree(wanted: string): Promise<string> {
      const { slug, number } = await findFreeSlug(wanted, isTaken, numbers.get(wanted))
      if (numbers.size >= maxNumbers) numbers.clear()
      if (number > 1) numbers.set(wanted, number)
      return slug
    },
    forget: () => numbers.clear(),
  }
}

/** The slug itself, or with the first number from `from` on that is free. */
export async function findFreeSlug(wanted: string, isTaken: (slug: string) => Promise<boolean>, from = 2) {
  for (const candidate of listSlugs(wanted, from)) if (!(await isTaken(candidate.slug))) return candidate
  throw new Error('there is always another number')
}
