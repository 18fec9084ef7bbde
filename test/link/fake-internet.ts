import { createGuardedFetch, type FetchDeps, type GuardedFetch, type Resolve } from '../../src/link/guarded-fetch.ts'
import { type Clock, createPacer } from '../../src/link/pacer.ts'
import { createCertificate } from '../postgres/certificate.ts'

/** What a host replies. */
export type Host = (url: URL, method: string) => Response | Promise<Response>

export interface FakeInternet {
  readonly fetch: GuardedFetch
  /** Of the pacer: it never waits, and time goes on by what it would have waited. */
  readonly clock: Clock & { set(ms: number): void }
  /** Requests that reached hosts, as `HEAD conf.example/1`. */
  readonly requests: string[]
  /** Requests that reached an address that is not public. */
  privateRequests(): number
  stop(): Promise<void>
}

export interface FakeOptions {
  /** Instead of one public address for each host. */
  readonly addresses?: {
    readonly [name: string]: readonly string[] | (() => readonly string[] | Promise<readonly string[]>)
  }
  /** Addresses at which nobody listens, besides `closedAddress`. */
  readonly closed?: readonly string[]
  /** A host with the certificate of another name. */
  readonly impostor?: string
  readonly allowsPrivate?: boolean
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Instead of the servers for the names. */
  readonly connectTo?: FetchDeps['connectTo']
}

/** Nobody listens there. */
export const closedAddress = '93.184.255.1'

const endless = new Uint8Array(16_384).fill(120)

export const endlessBody = () =>
  new Response(new ReadableStream({ pull: (stream) => stream.enqueue(endless) }), {
    headers: { 'Content-Type': 'text/plain' },
  })

export const redirect = (to: string, status = 301) => new Response(null, { status, headers: { Location: to } })

/**
 * Servers on loopback that play hosts of the internet. Each name has a public address, which the guard judges; what is
 * connected to is a server that answers for the name. Any other address leads to a server that counts.
 */
export function startInternet(hosts: { readonly [name: string]: Host }, options: FakeOptions = {}): FakeInternet {
  const names = Object.keys(hosts)
  const requests: string[] = []
  const answer = (request: Request) => {
    const url = new URL(request.url)
    requests.push(`${request.method} ${url.hostname}${url.pathname}${url.search}`)
    return hosts[url.hostname]?.(url, request.method) ?? new Response('no such host', { status: 421 })
  }
  const listen = { hostname: '127.0.0.1', port: 0, fetch: answer, idleTimeout: 0 } as const
  const certificates = names.map((serverName) => {
    const name = serverName === options.impostor ? 'elsewhere.example' : serverName
    const { certificate: cert, key } = createCertificate({ name })
    return { serverName, cert, key }
  })
  const [http, https] = [Bun.serve(listen), Bun.serve({ ...listen, tls: certificates })]
  let inside = 0
  const secret = Bun.serve({ ...listen, fetch: () => new Response(String(++inside)) })
  const publicAddresses = new Map(names.map((name, i) => [name, `93.184.${i >> 8}.${i & 0xff}`]))
  const known = new Set([...publicAddresses.values(), '2606:2800::1'])
  const clock = createFakeClock()
  const { signal = new AbortController().signal } = options
  const pacer = createPacer(clock, signal)

  const resolve: Resolve = async (name) => {
    const given = options.addresses?.[name] ?? publicAddresses.get(name)
    if (given === undefined) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    return typeof given === 'function' ? given() : [given].flat()
  }

  const fetch = createGuardedFetch({
    ...{ resolve, pacer, userAgent: 'Rostrum/test (link check)', allowsPrivate: options.allowsPrivate ?? false },
    signal,
    timeoutMs: options.timeoutMs ?? 10_000,
    ca: certificates.map(({ cert }) => cert),
    connectTo(address, port) {
      if (options.connectTo !== undefined) return options.connectTo(address, port)
      if (address === closedAddress || options.closed?.includes(address)) return { host: '127.0.0.1', port: 1 }
      const server = known.has(address) ? (port === 443 ? https : http) : secret
      return { host: '127.0.0.1', port: server.port ?? 0 }
    },
  })
  const stop = async () => void (await Promise.all([http, https, secret].map((server) => server.stop(true))))
  return { fetch, clock, requests, privateRequests: () => inside, stop }
}

function createFakeClock(): FakeInternet['clock'] {
  let now = Date.parse('2026-01-01T00:00:00Z')
  return {
    now: () => now,
    set(ms) {
      now = ms
    },
    async sleep(ms) {
      now += ms
    },
  }
}
