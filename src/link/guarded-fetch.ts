import { isUtf8 } from 'node:buffer'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { toErrorCode } from '../error-code.ts'
import type { LinkReply } from '../record/link/rules.ts'
import { isPublicAddress, parseAskedUrl } from './guard.ts'
import type { Pacer } from './pacer.ts'

/** The IP addresses of a name. Throws with the code of the system if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface FetchDeps {
  readonly resolve: Resolve
  readonly pacer: Pacer
  readonly userAgent: string
  /** Whether private addresses and other ports than 80 and 443 may be contacted, too. */
  readonly allowsPrivate: boolean
  /** Cuts off requests in progress, which throw then. */
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** For tests: where to connect for an address, and a certificate authority to trust. */
  connectTo?(address: string, port: number): { readonly host: string; readonly port: number }
  readonly ca?: readonly string[]
}

/** The pacer has closed this host, which is that of the URL or of a redirect. */
export interface Paused {
  readonly is: 'paused'
  readonly host: string
}

export type GuardedFetch = (url: string, method: 'HEAD' | 'GET', headers?: Headers) => Promise<LinkReply | Paused>
type Headers = { readonly [name: string]: string }

const defaultTimeoutMs = 10_000
/** How long one answer proves that the name server of this machine works. */
const resolverUpMs = 60_000
const maxBytes = 64 * 1024
const maxRedirects = 5
/** Responses of 1xx before the one that counts; the limit of the head is for each. */
const maxInformed = 10
const permanentStatuses = [301, 308]
const redirectStatuses = [...permanentStatuses, 302, 303, 307]

/**
 * The default backend blocks one of very few threads for as long as a name server is silent, so dead names would hold up all
 * others. EAI_AGAIN: the name may exist.
 */
export const resolveName: Resolve = async (name) => {
  try {
    return (await Bun.dns.lookup(name, { backend: 'c-ares' })).map(({ address }) => address)
  } catch (error) {
    const why = toErrorCode(error).replace('DNS_', '')
    throw toNameError(['ENOTFOUND', 'ENODATA'].includes(why) ? why : 'EAI_AGAIN', `${name}: ${why}`)
  }
}

const toNameError = (code: string, message: string) => Object.assign(new Error(message), { code })

/**
 * Requests URLs that anybody may have written into a record (decision 92). It checks every address
 * before it connects, also after a redirect. It resolves a name once per request and connects to the address that it
 * checked. The connection checks the certificate of the name.
 */
export function createGuardedFetch(given: FetchDeps): GuardedFetch {
  const deps = { ...given, resolve: blameName(given.resolve) }
  return async (text, method, headers = {}) => {
    let url = parseAskedUrl(text, deps.allowsPrivate)
    let permanent: string | null = null
    let isPermanent = true
    for (let redirects = 0; url !== null; redirects++) {
      const hop = await askOnce(deps, url, method, headers)
      if ('is' in hop) return hop
      const { location, ...reply } = hop
      if (location === null) return { is: 'reply', method, url: url.href, permanent, ...reply }
      if (redirects === maxRedirects) return { is: 'unreadable', why: `more than ${maxRedirects} redirects` }
      const next: URL | null = URL.parse(location, url.href)
      if (next === null) return { is: 'unreadable', why: `${reply.status} to ${location}` }
      isPermanent &&= permanentStatuses.includes(reply.status)
      next.hash ||= url.hash
      if (isPermanent) permanent = next.href
      url = parseAskedUrl(next.href, deps.allowsPrivate)
    }
    return { is: 'refused' }
  }
}

/** While other names resolve, EAI_AGAIN is no fault of this machine: the name servers of this name do not answer. */
function blameName(resolve: Resolve) {
  let resolvedMs = Number.NEGATIVE_INFINITY
  return async (name: string, signal: AbortSignal): Promise<readonly string[]> => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(toNameError('EAI_AGAIN', `no name server answers for ${name}`)))
    try {
      const addresses = await Promise.race([resolve(name), late])
      resolvedMs = performance.now()
      return addresses
    } catch (error) {
      const isOurs = performance.now() - resolvedMs > resolverUpMs
      if (toErrorCode(error) !== 'EAI_AGAIN' || isOurs) throw error
      throw toNameError('ESERVFAIL', `no name server answers for ${name}`)
    }
  }
}

type Failed = Exclude<LinkReply, { is: 'reply' }>

interface Hop {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly isCut: boolean
  /** Null if it is no redirect. */
  readonly location: string | null
}

/** The same, with a resolver that ends with the request. */
interface AskDeps extends Omit<FetchDeps, 'resolve'> {
  readonly resolve: ReturnType<typeof blameName>
}

async function askOnce(deps: AskDeps, url: URL, method: string, headers: Headers): Promise<Hop | Failed | Paused> {
  const hop = await deps.pacer.inTurn(url.hostname, async (pause) => {
    const { promise: late, resolve: setLate } = Promise.withResolvers<Failed>()
    const aborting = new AbortController()
    const cutOff = () => {
      aborting.abort()
      // First comes what has arrived of a body.
      setImmediate(setLate, tooLate)
    }
    const timer = setTimeout(cutOff, deps.timeoutMs ?? defaultTimeoutMs)
    deps.signal.addEventListener('abort', cutOff)
    const asked = connect(deps, url, method, headers, aborting.signal, pause)
    try {
      const reply = await Promise.race([asked, late])
      if ('is' in reply || reply.isCut) deps.signal.throwIfAborted()
      return reply
    } finally {
      clearTimeout(timer)
      deps.signal.removeEventListener('abort', cutOff)
    }
  })
  return hop === 'closed' ? { is: 'paused', host: url.hostname } : hop
}

type Pause = (retryAfter: string | undefined) => void

/** Resolves the name, checks all of its addresses, and connects to one of them. */
async function connect(
  deps: AskDeps,
  url: URL,
  method: string,
  headers: Headers,
  signal: AbortSignal,
  pause: Pause,
): Promise<Hop | Failed> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  let failure: Failed = { is: 'unresolved', why: `${name} has no address` }
  try {
    const addresses = isIP(name) === 0 ? await deps.resolve(name, signal) : [name]
    if (!deps.allowsPrivate && !addresses.every(isPublicAddress)) return { is: 'refused' }
    for (const address of chooseAddresses(addresses)) {
      if (signal.aborted) break
      const hop = await request(deps, { url, name, address }, method, headers, signal, pause)
      if (!('is' in hop) || !isUnconnected(hop)) return hop
      failure = hop
    }
    return failure
  } catch (error) {
    return toFailure(error)
  }
}

/** One of each family if there are both: this machine may have no route to one of them. */
function chooseAddresses([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return []
  const second = others.find((address) => isIP(address) !== isIP(first)) ?? others[0]
  return second === undefined ? [first] : [first, second]
}

interface Target {
  readonly url: URL
  readonly name: string
  readonly address: string
}

function request(
  deps: AskDeps,
  { url, name, address }: Target,
  method: string,
  headers: Headers,
  signal: AbortSignal,
  pause: Pause,
): Promise<Hop | Failed> {
  const isHttps = url.protocol === 'https:'
  const port = Number(url.port || (isHttps ? 443 : 80))
  const to = deps.connectTo?.(address, port) ?? { host: address, port }
  const options = {
    ...to,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, 'user-agent': deps.userAgent, accept: '*/*', ...headers },
    // A connection is never shared: another name may have the same address and no valid certificate.
    agent: false,
    signal,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(deps.ca === undefined ? {} : { ca: [...deps.ca] }),
  } as const
  return new Promise((resolve) => {
    let hasHead = false
    const client = (isHttps ? https : http).request(options, (message) => {
      hasHead = true
      const { statusCode = 0, headers: replied } = message
      const retryAfter = replied['retry-after']
      // Without it, 503 is an outage, but 429 still asks for a pause.
      if (statusCode === 429 || (statusCode >= 300 && retryAfter !== undefined)) pause(retryAfter)
      readHop(message, signal)
        .then(resolve)
        .finally(() => client.destroy())
    })
    let informed = 0
    client.on('information', () => {
      if (++informed > maxInformed) client.destroy(new Error('too many informational responses'))
    })
    client.on('error', (error) => {
      if (!hasHead) resolve(toFailure(error))
    })
    client.end()
  })
}

/** A body that is too long, stops or breaks off is cut. */
async function readHop(message: http.IncomingMessage, signal: AbortSignal): Promise<Hop> {
  const { statusCode: status = 0, headers } = message
  const chunks: Buffer[] = []
  let length = 0
  let isBroken = false
  try {
    for await (const chunk of message) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBytes) break
    }
  } catch {
    isBroken = true
  }
  return {
    status,
    type: (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase(),
    location: redirectStatuses.includes(status) ? toLocation(headers.location) : null,
    body: Buffer.concat(chunks).toString('utf8', 0, maxBytes),
    isCut: isBroken || signal.aborted || length > maxBytes,
  }
}

/** `node:http` reads headers as Latin-1, but browsers read a Location as UTF-8 if it is that. */
function toLocation(header: string | undefined): string | null {
  const bytes = Buffer.from(header ?? '', 'latin1')
  return header !== undefined && isUtf8(bytes) ? bytes.toString() : (header ?? null)
}

/** Whether the host has seen no request, so that another address may be tried at once. */
const isUnconnected = (hop: Failed) => hop.is === 'unreached' || ('why' in hop && hop.why === 'ECONNREFUSED')

const unreached = ['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EMFILE', 'ENFILE']
const unresolved = ['ENOTFOUND', 'ESERVFAIL', 'EAI_NONAME', 'EAI_NODATA', 'ENODATA']
const late = ['ETIMEDOUT', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE']
const tooLate: Failed = { is: 'timeout', why: 'no answer in time' }

function toFailure(error: unknown): Failed {
  const code = toErrorCode(error)
  if (code === 'ABORT_ERR') return tooLate
  const why = code === '' ? String(error) : code
  if (unreached.includes(code)) return { is: 'unreached', why }
  if (unresolved.includes(code)) return { is: 'unresolved', why }
  return { is: late.includes(code) ? 'timeout' : 'unreadable', why }
}
