import type { CallOptions, Result, Transport } from './transport.ts'

/** Results one by one, fetched page by page. A failure is yielded last. */
export type Results<T> = AsyncGenerator<Result<T>, void, undefined>

interface Page<T> {
  readonly next: string | null
  readonly results: readonly T[]
}

export async function* walkPages<T>(send: Transport, path: string, first: string, options?: CallOptions): Results<T> {
  let search: string | null = first
  while (search !== null) {
    const page: Result<Page<T>> = await send<Page<T>>('GET', `${path}${search}`, options)
    if (!page.ok) {
      yield page
      return
    }
    for (const value of page.value.results) yield { ok: true, value, etag: null }
    search = page.value.next === null ? null : new URL(page.value.next).search
  }
}

/** The query of a URL, with its question mark. Values in an array repeat the parameter. */
export function toSearch(parameters: object): string {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) all.append(name, String(each))
    }
  }
  const search = all.toString()
  return search === '' ? '' : `?${search}`
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
