import { type Route, toTarget } from './call.ts'

export interface Found {
  readonly route: Route
  readonly parameter: string
}

/** Finds the route of an address: repeated slashes count as one, one at the end as none, each segment decoded once. */
export function createRouter(routes: readonly Route[], notFound: Route): (url: string) => Found {
  const table = routes.map((route) => ({ route, segments: toSegments(route.path) }))
  return (url) => {
    const segments = toSegments(toTarget(url).split('?')[0] ?? '')
    for (const each of table) {
      const parameter = match(each.segments, segments)
      if (parameter !== null) return { route: each.route, parameter }
    }
    return { route: notFound, parameter: '' }
  }
}

function toSegments(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
}

/** What cannot be decoded stays as it is, and so fits nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The parameter's value, `""` where the pattern has none, several joined by slashes; null where it does not fit. */
function match(pattern: readonly string[], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null
  const parameters: string[] = []
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (expected.startsWith(':')) parameters.push(segment)
    else if (expected !== segment) return null
  }
  return parameters.join('/')
}
