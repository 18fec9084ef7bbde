import { isJsonObject, type JsonValue } from '../record/json.ts'
import { toDecoded, toPublicAddress, withoutUserInfo } from '../record/text/address.ts'
import type { ArchiveSource, Incoming, IncomingProblem } from './incoming.ts'
import { readServedRecord } from './records.ts'
import { type Companioned, findCompanioned, namesIgnored, namesParts, readCompanions } from './server-companions.ts'
import { fetchPatiently, type JsonAnswer, pageSize, toRefused, type Unanswered } from './server-fetch.ts'

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
  async function* readPages(): AsyncIterable<Incoming> {
    let url: string | null = `${base}/api/v2/video/?page_size=${pageSize}&ordering=id`
    const asked = new Set<string>()
    let [allBytes, emptyPages] = [0, 0]
    const ask = (asking: string) => fetchPatiently(asking, authorization, limits.pageBytes, false)
    let companioned: Companioned = {}
    for (let page = 1; url !== null; page++) {
      asked.add(url)
      const given = await fetchPatiently(url, authorization, limits.pageBytes, page === 1)
      const answer: Page | Unanswered = given.is === 'json' ? toPage(given, url) : given
      if (answer.is !== 'page') return yield toProblem(page, null, answer)
      if (page === 1 && namesIgnored(answer)) {
        const found = await findCompanioned(ask, base, (next) => toSameServer(next, base))
        // The records are worth having without them: a server may fail these lists for good.
        if ('is' in found) yield toProblem(page, null, found, unlistedReason)
        else companioned = found
      }
      allBytes += answer.bytes
      for (const [i, value] of answer.results.entries()) {
        for (const each of readServedRecord(value, `page ${page} entry ${i + 1}`)) {
          const read = each.is === 'talk' ? await readCompanions(ask, base, companioned, each) : null
          if (read?.is === 'away') return yield toProblem(page, null, read)
          allBytes += read?.bytes ?? 0
          yield read?.talk ?? each
        }
      }
      emptyPages = answer.results.length === 0 ? emptyPages + 1 : 0
      url = answer.next === null ? null : toSameServer(answer.next, base)
      if (url === null) return
      const reason = toEnd({ allBytes, emptyPages, page }, limits)
      const isLost = url === '' || asked.has(url)
      if (isLost || reason !== null)
        return yield toProblem(page, isLost ? 'next' : null, { reason: reason ?? lostReason })
    }
  }
  const read = () => readPartsFirst(readPages())
  return { name: base, total: null, has: () => true, read, ...(formerName === null ? {} : { formerName }) }
}

/** Talks whose chapters name other records come after those, so that their ids here are known. */
async function* readPartsFirst(all: AsyncIterable<Incoming>): AsyncIterable<Incoming> {
  const later: Incoming[] = []
  for await (const each of all) {
    if (each.is === 'talk' && namesParts(each)) later.push(each)
    else yield each
  }
  yield* later
}

const unlistedReason =
  'Related links, recordings and chapters were not read, and stay as they are here. Import again to get them.'
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

function toProblem(
  page: number,
  field: string | null,
  answer: Unanswered | { readonly reason: string },
  consequence = 'Nothing after this was read.',
): IncomingProblem {
  const problem = { is: 'problem', path: `page ${page}`, field } as const
  return 'reason' in answer
    ? { ...problem, reason: answer.reason }
    : { ...problem, reason: `${answer.url} does not answer. ${consequence}`, isUnreachable: true }
}

interface Page extends Pick<JsonAnswer, 'headers' | 'bytes'> {
  readonly is: 'page'
  readonly results: readonly JsonValue[]
  readonly next: string | null
}

function toPage({ value, headers, bytes }: JsonAnswer, url: string): Page | Unanswered {
  if (!isJsonObject(value) || !Array.isArray(value.results))
    return toRefused(`${url} did not return a list of records.`)
  const next = typeof value.next === 'string' ? value.next : null
  return { is: 'page', results: value.results, next, headers, bytes }
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
      authorization: isPlain ? null : toBasic(toDecoded(username), toDecoded(password)),
      formerName: isPlain ? null : toBase(given),
    },
  }
}

const toBase = (address: string) => address.replace(/\/+$/, '').replace(/\/api\/v2$/, '')

const toBasic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** A % that is not an escape stays. */
