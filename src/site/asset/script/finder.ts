/** Why there is no answer: the session has ended, or the server fails. */
export type FetchFailure = 'session' | 'server'

/** Null if a later text has superseded this one. */
export type Found<T> = readonly T[] | FetchFailure | null

/** Null if the response is usable. Without a session, the server redirects to the sign-in form or refuses. */
export function findFailure({ ok, redirected, status }: Response): FetchFailure | null {
  if (redirected || status === 401 || status === 403) return 'session'
  return ok ? null : 'server'
}

/** Queries the server, one text at a time: a new text aborts the previous request. Caches results, never failures. */
export function createFinder<T>(url: string): (text: string) => Promise<Found<T>> {
  const cache = new Map<string, readonly T[]>()
  let request = new AbortController()
  return async (text) => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const found = await findOnce<T>(url, text, signal)
    if (typeof found !== 'string') cache.set(text, found)
    return signal.aborted ? null : found
  }
}

/** Results of a URL that answers `?q=` as JSON. */
export async function findOnce<T>(
  url: string,
  text: string,
  signal: AbortSignal | null = null,
): Promise<readonly T[] | FetchFailure> {
  try {
    const sign = url.includes('?') ? '&' : '?'
    const response = await fetch(`${url}${sign}q=${encodeURIComponent(text)}`, { signal })
    const failure = findFailure(response)
    if (failure !== null) return failure
    // Our own server.
    const { results } = (await response.json()) as { results: readonly T[] }
    return results
  } catch {
    return 'server'
  }
}
