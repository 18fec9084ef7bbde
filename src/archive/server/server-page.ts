import { toErrorCode } from '../../error-code.ts'
import type { JsonValue } from '../../record/json/json-value.ts'
import { isJsonObject } from '../../record/json/json-value.ts'
import { parseJson } from '../../record/json/strict-json.ts'
import { withoutUserInfo } from '../../record/text/address.ts'

const timeoutMs = 30_000

export type PageAnswer =
  | {
      readonly is: 'page'
      readonly results: readonly JsonValue[]
      readonly next: string | null
      readonly bytes: number
    }
  /** Trying again may help. */
  | { readonly is: 'away' }
  | { readonly is: 'refused'; readonly reason: string; readonly status: number | null }

/** Requests a page once. `maxBytes` counts after decompression. */
export async function fetchPage(url: string, authorization: string | null, maxBytes: number): Promise<PageAnswer> {
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
    return typeof bytes === 'string' ? refuse(`${url} ${bytes}`) : toPage(bytes, url)
  } catch {
    return { is: 'away' }
  }
}

function checkStatus({ status, headers }: Response, url: string): PageAnswer | null {
  if (status >= 500 || status === 429) return { is: 'away' }
  const moved = headers.get('Location')
  if (moved !== null) {
    return refuse(
      `${url} redirects to ${withoutUserInfo(moved).slice(0, 300)}. Import from that address instead.`,
      status,
    )
  }
  return status === 200 ? null : refuse(`${url} returned status ${status}.`, status)
}

const refuse = (reason: string, status: number | null = null): PageAnswer => ({ is: 'refused', reason, status })

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

function toPage(bytes: Uint8Array, url: string): PageAnswer {
  const parsed = parseJson(bytes)
  const page = parsed.ok ? parsed.value : null
  if (!isJsonObject(page) || !Array.isArray(page.results)) return refuse(`${url} did not return a list of records.`)
  const next = typeof page.next === 'string' ? page.next : null
  return { is: 'page', results: page.results, next, bytes: bytes.length }
}
