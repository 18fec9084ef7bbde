import { toTarget } from './call.ts'
import type { Params, Route } from './route.ts'

export interface FoundRoute {
  readonly route: Route
  readonly params: Params
}

/**
 * Finds the route of a URL; `findMissing` gives the one of a path that no route has. Repeated slashes count as one, a trailing slash is ignored, each segment is decoded once.
 */
export function createRouter(
  routes: readonly Route[],
  findMissing: (path: string) => Route,
): (url: string) => FoundRoute {
  // Names before parameters: /video/duplicates is not the record with that id.
  const table = routes
    .map((route) => ({ route, pattern: toSegments(route.path) }))
    .sort((one, other) => countParameters(one.pattern) - countParameters(other.pattern))
  const byLength = Map.groupBy(table, ({ pattern }) => pattern.length)
  return (url) => {
    const path = toTarget(url).split('?')[0] ?? ''
    const segments = toSegments(path)
    for (const { route, pattern } of byLength.get(segments.length) ?? []) {
      const params = match(pattern, segments)
      if (params !== null) return { route, params }
    }
    return { route: findMissing(path), params: {} }
  }
}

const countParameters = (pattern: readonly string[]) => pattern.filter((each) => each.startsWith(':')).length

function toSegments(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
}

/** A segment that cannot be decoded stays as it is, so it matches no path. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The values of the parameters of a pattern with as many segments; null if it does not match. */
function match(pattern: readonly string[], segments: readonly string[]): Params | null {
  const params: { [name: string]: string } = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (expected.startsWith(':')) params[expected.slice(1)] = segment
    else if (expected !== segment) return null
  }
  return params
}
