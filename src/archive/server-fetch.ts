import { toErrorCode } from '../error-code.ts'
import { type JsonValue, parseJson } from '../record/json.ts'
import { withoutUserInfo } from '../record/text/address.ts'

export const pageSize = 100
/** For servers that refuse a larger page of large records. */
const smallPageSize = 20
const maxTries = 4

export interface JsonAnswer {
  readonly is: 'json'
  readonly value: JsonValue
  readonly headers: Headers
  readonly bytes: number
}

type Refused = { readonly is: 'refused'; readonly reason: string; readonly status: number | null }
/** A refusal, or no answer after several tries. */
export type Unanswered = Refused | { readonly is: 'away'; readonly url: string }

/** Retries if that may help; only once if the server has never answered. */
export async function fetchPatiently(
  url: string,
  authorization: string | null,
  pageBytes: number,
  isFirst: boolean,
): Promise<JsonAnswer | Unanswered> {
  let asked = url
  for (let attempt = 1; ; attempt++) {
    const answer = await fetchJson(asked, authorization, pageBytes)
    if (answer.is === 'json') return answer
    const smaller = answer.is === 'refused' && answer.status === 400 ? toSmallerPages(asked) : null
    if (answer.is === 'refused' && smaller === null) return answer
    if (attempt >= (isFirst ? 2 : maxTries)) return answer.is === 'refused' ? answer : { is: 'away', url: asked }
    if (smaller === null) await Bun.sleep(500 * 2 ** attempt)
    else asked = smaller
  }
}

/** The address of the same records in smaller pages; null if the page size is not ours. */
function toSmallerPages(url: string): string | null {
  const address = new URL(url)
  if (address.searchParams.get('page_size') !== String(pageSize)) return null
  const page = Number(address.searchParams.get('page') ?? 1)
  if (!Number.isSafeInteger(page)) return null
  address.searchParams.set('page_size', String(smallPageSize))
  address.searchParams.set('page', String(((page - 1) * pageSize) / smallPageSize + 1))
  return address.href
}

const timeoutMs = 30_000

/** Trying again may help. */
type Away = { readonly is: 'away' }

/** Requests a page once. `maxBytes` counts after decompression. */
async function fetchJson(
  url: string,
  authorization: string | null,
  maxBytes: number,
): Promise<JsonAnswer | Refused | Away> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', 'Accept-Encoding': 'gzip', ...(authorization && { authorization }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      // Decompressed here with a limit: a few kilobytes of gzip may become gigabytes.
      decompress: false,
    })
    const refusal = checkStatus(response, url)
    if (refusal !== null) {
      await response.body?.cancel()
      return refusal
    }
    const bytes = await readPage(response, maxBytes)
    if (typeof bytes === 'string') return toRefused(`${url} ${bytes}`)
    const parsed = parseJson(bytes)
    return { is: 'json', value: parsed.ok ? parsed.value : null, headers: response.headers, bytes: bytes.length }
  } catch {
    return { is: 'away' }
  }
}

function checkStatus({ status, headers }: Response, url: string): Refused | Away | null {
  if (status >= 500 || status === 429) return { is: 'away' }
  const moved = headers.get('Location')
  if (moved !== null) {
    return toRefused(
      `${url} redirects to ${withoutUserInfo(moved).slice(0, 300)}. Import from that address instead.`,
      status,
    )
  }
  return status === 200 ? null : toRefused(`${url} returned status ${status}.`, status)
}

export const toRefused = (reason: string, status: number | null = null): Refused => ({ is: 'refused', reason, status })

/** The bytes of a page, or the problem with them. */
async function readPage(response: Response, maxBytes: number): Promise<Uint8Array | string> {
  const tooLarge = `has a page of more than ${Math.floor(maxBytes / 1024 / 1024)} MiB. Nothing after this was read.`
  const encoding = response.headers.get('Content-Encoding')?.trim().toLowerCase() ?? ''
  const isPlain = encoding === '' || encoding === 'identity'
  if (!isPlain && !/^(x-)?gzip$/.test(encoding)) {
    await response.body?.cancel()
    return 'uses a Content-Encoding that was not requested.'
  }
  const bytes = await readBounded(response, maxBytes)
  if (bytes === null) return tooLarge
  if (isPlain) return bytes
  const { gunzipSync } = await import('node:zlib')
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isLarge = toErrorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    return isLarge ? tooLarge : 'sent damaged gzip data.'
  }
}

/** Null if there are more bytes. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array()
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const part of response.body) {
    length += part.length
    if (length > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
