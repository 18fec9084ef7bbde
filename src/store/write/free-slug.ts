import { listSlugs } from '../../record/text/slug.ts'

/** Maximum number of cached numbers. */
const maxNumbers = 10_000

/** Caches the last free number of each slug: slugs become free only when a record is erased. */
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

/** The slug itself, or with the first free number from `from` on. */
export async function findFreeSlug(wanted: string, isTaken: (slug: string) => Promise<boolean>, from = 2) {
  for (const candidate of listSlugs(wanted, from)) if (!(await isTaken(candidate.slug))) return candidate
  throw new Error('there is always another number')
}
