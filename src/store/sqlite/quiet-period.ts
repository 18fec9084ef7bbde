import type { Counters } from '../counters.ts'

/** So long nothing must have been committed. */
const calmMs = 1_000

/** Tells whether nobody changes records just now. */
export function createQuietPeriod(
  versions: Pick<Counters, 'loadCommits'>,
  now = () => performance.now(),
): () => boolean {
  let seen = versions.loadCommits()
  let sinceMs = Number.NEGATIVE_INFINITY
  return () => {
    const commits = versions.loadCommits()
    if (commits === seen) return now() - sinceMs >= calmMs
    seen = commits
    sinceMs = now()
    return false
  }
}
