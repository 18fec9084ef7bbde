import { toErrorCode } from '../error-code.ts'
import { isJsonObject, type JsonValue, parseJson } from '../record/json.ts'
import { toPublicAddress, withoutUserInfo } from '../record/text/address.ts'
import type { ArchiveSource, Incoming, IncomingProblem } from './incoming.ts'
import { readServedRecord } from './records.ts'

const pageSize = 100
/** For servers that refuse a larger page of large records. */
const smallPageSize = 20
const maxTries = 4

/** Limits for what a server may send, as in `rostrum import --help`. */
export interface ServerLimits {
  readonly pageBytes: number
  readonly allBytes: number
  readonly pages: number
  readonly emptyPages: number
}

export const serverLimits: ServerLimits = {
  pageBytes: 64 * 1024 * 1024,
  allBytes: 4 * 1024 * 1024 * 1024,
  pages: 100_000,
  emptyPages: 3,
}

/** A server with the same API: its list, page by page, until there is no next one. */
export function openServer({ base, authorization, formerName }: ServerAddress, limits = serverLimits): ArchiveSource {
  async function* read(): AsyncIterable<Incoming> {
    let url: string | null = `${base}/api/v2/video/?page_size=${pageSize}&ordering=id`
    const asked = new Set<string>()
    let [allBytes, emptyPages] = [0, 0]
    for (let page = 1; url !== null; page++) {
      asked.add(url)
      const answer = await fetchPatiently(url, authorization, limits, page === 1)
      if (answer.is !== 'page') return yield toProblem(page, null, answer)
      for (const [i, value] of answer.results.entries()) yield* readServedRecord(value, `page ${page} entry ${i + 1}`)
      allBytes += answer.bytes
      emptyPages = answer.results.length === 0 ? emptyPages + 1 : 0
      url = answer.next === null ? null : toSameServer(answer.next, base)
      if (url === null) return
      const reason = toEnd({ allBytes, emptyPages, page }, limits)
      const isLost = url === '' || asked.has(url)
      if (isLost || reason !== null)
        return yield toProblem(page, isLost ? 'next' : null, { reason: reason ?? lostReason })
    }
  }
  return { name: base, total: null, has: () => true, read, ...(formerName === null ? {} : { formerName }) }
}

const lostReason = 'The next page has no valid address, or was read before. Nothing after this was read.'

type Read = { readonly allBytes: number; readonly emptyPages: number; readonly page: number }

/** Why a limit stops the import here; null if it may continue. */
function toEnd({ allBytes, emptyPages, page }: Read, limits: ServerLimits): string | null {
  if (allBytes > limits.allBytes) {
    return `The server sent more than ${Math.floor(limits.allBytes / 1024 / 1024)} MiB. Nothing after this was read.`
  }
  if (emptyPages >= limits.emptyPages) {
    return `The server sent ${emptyPages} empty pages in a row, and has more pages. Nothing after this was read.`
  }
  return page >= limits.pages ? `The server has more than ${limits.pages} pages. Nothing after this was read.` : null
}

function toProblem(page: number, field: string | null, answer: Failed | { readonly reason: string }): IncomingProblem {
  const problem = { is: 'problem', path: `page ${page}`, field } as const
  return 'reason' in answer
    ? { ...problem, reason: answer.reason }
    : { ...problem, reason: `${answer.url} does not answer. Nothing after this was read.`, isUnreachable: true }
}

type Page = Extract<PageAnswer, { is: 'page' }>
type Failed = Extract<PageAnswer, { is: 'refused' }> | { readonly is: 'away'; readonly url: string }

/** Retries if that may help; only once if the server has never answered. */
async function fetchPatiently(
  url: string,
  authorization: string | null,
  { pageBytes }: ServerLimits,
  isFirst: boolean,
): Promise<Page | Failed> {
  let asked = url
  for (let attempt = 1; ; attempt++) {
    const answer = await fetchPage(asked, authorization, pageBytes)
    if (answer.is === 'page') return answer
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

/** A server behind a proxy may have another host in `next`, so only its path and query count. `""` if invalid. */
function toSameServer(next: string, base: string): string {
  if (!URL.canParse(next, base)) return ''
  const { pathname, search } = new URL(next, base)
  return `${new URL(base).origin}${pathname}${search}`
}

/** The address of a server, and the credentials for it. */
interface ServerAddress {
  /** Without user name and password: origins, reports and messages may show it. */
  readonly base: string
  /** The Authorization header for the user name and password in the address; null without them. */
  readonly authorization: string | null
  /** The name of this source in stores of Rostrum 0.1, which kept the password; null if it is the same. */
  readonly formerName: string | null
}

type ParsedServer =
  | { readonly ok: true; readonly address: ServerAddress }
  | { readonly ok: false; readonly problem: string }

export function parseServerAddress(given: string): ParsedServer {
  const url = URL.parse(given)
  if (url === null) return { ok: false, problem: `${toPublicAddress(given)} is not a valid address of a server.` }
  if (withoutUserInfo(given).includes('@')) {
    const problem =
      'An address has one @, before the host. Write other special characters in a user name or password as %40, %2F or %20.'
    return { ok: false, problem }
  }
  if (url.search !== '' || url.hash !== '') {
    const problem =
      'An address to import from has no ? and no #. Name the server only, such as https://videos.example.org'
    return { ok: false, problem }
  }
  const { username, password } = url
  const base = toBase(withoutUserInfo(given))
  const isPlain = username === '' && password === ''
  return {
    ok: true,
    address: {
      base,
      authorization: isPlain ? null : toBasic(decode(username), decode(password)),
      formerName: isPlain ? null : toBase(given),
    },
  }
}

const toBase = (address: string) => address.replace(/\/+$/, '').replace(/\/api\/v2$/, '')

const toBasic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** A % that is not an escape stays. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const timeoutMs = 30_000

type PageAnswer =
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
async function fetchPage(url: string, authorization: string | null, maxBytes: number): Promise<PageAnswer> {
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
