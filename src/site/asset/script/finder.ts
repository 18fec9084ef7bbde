/** Why there is no answer: nobody is signed in any more, or the server does not answer. */
export type FetchFailure = 'session' | 'server'

/** Null if a later text is being looked for. */
export type Found<T> = readonly T[] | FetchFailure | null

/** Null for an answer that can be used. Without a session, the server leads to the sign-in form or refuses. */
export function findFailure({ ok, redirected, status }: Response): FetchFailure | null {
  if (redirected || status === 401 || status === 403) return 'session'
  return ok ? null : 'server'
}

/** Asks the server, one text at a time: a new one aborts the last. Only answers are kept, so failures end by themselves. */
export function createFinder<T>(address: string): (text: string) => Promise<Found<T>> {
  const known = new Map<string, readonly T[]>()
  let asked = new AbortController()
  return async (text) => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const before = known.get(text)
    if (before !== undefined) return before
    const found = await findOnce<T>(address, text, signal)
    if (typeof found !== 'string') known.set(text, found)
    return signal.aborted ? null : found
  }
}

/** Results of an address that answers `?q=` as JSON. */
export async function findOnce<T>(
  address: string,
  text: string,
  signal: AbortSignal | null = null,
): Promise<readonly T[] | FetchFailure> {
  try {
    const sign = address.includes('?') ? '&' : '?'
    const response = await fetch(`${address}${sign}q=${encodeURIComponent(text)}`, { signal })
    const failure = findFailure(response)
    if (failure !== null) return failure
    // Our own server.
    const { results } = (await response.json()) as { results: readonly T[] }
    return results
  } catch {
    return 'server'
  }
}
