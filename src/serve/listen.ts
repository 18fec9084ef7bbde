import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { toHttpUrl } from '../http/host.ts'
import { contentTypes } from '../http/respond.ts'
import type { Config } from '../settings/config.ts'

interface ReservedPort {
  readonly port: number
  /** To be called once the threads listen. */
  release(): void
}

/** Tries for port 0: another server that is starting may have reserved the port that the system picks. */
const maxTries = 5

/**
 * Binds the port once without `reusePort`, which would hide another process on it, then frees it for the threads. Also
 * picks the number for port 0, so that all threads get the same one.
 */
export async function reservePort(hostname: string, port: number, triesLeft = maxTries): Promise<ReservedPort> {
  try {
    return await tryToReserve(hostname, port)
  } catch (error) {
    if (port === 0 && triesLeft > 1 && toErrorCode(error) === 'EADDRINUSE') {
      return reservePort(hostname, port, triesLeft - 1)
    }
    throw new CommandFailure(exitCodes.unavailable, toListenProblem(error, hostname, port, '--port'))
  }
}

export type MetricsAddress = NonNullable<Config['metricsAddress']>

/** The addresses that `localhost` may mean; listening on all interfaces covers them. */
const localAddresses = ['127.0.0.1', '::1', '0.0.0.0']

/** Whether the metrics would listen where everything else is served. Port 0 is any free one. */
export function isServiceAddress(metrics: MetricsAddress, service: MetricsAddress): boolean {
  if (metrics.port !== service.port || service.port === 0) return false
  const hosts = [metrics.host, service.host].map((host) => host.toLowerCase().replace(/\.$/, ''))
  // `::` listens for IPv4, too.
  if (hosts[0] === hosts[1] || hosts.includes('::')) return true
  if (hosts.includes('localhost')) return hosts.some((host) => localAddresses.includes(host))
  return hosts.includes('0.0.0.0') && !hosts.some((host) => host.includes(':'))
}

/** Serves only `/metrics`, on the main thread, so that it responds while HTTP threads are busy. Returns its URL. */
export function startMetricsServer({ host, port }: MetricsAddress, toText: () => string): string {
  const headers = { 'Content-Type': contentTypes.metrics, 'Cache-Control': 'no-store' }
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      fetch: () => new Response('Not found. The metrics are at /metrics.\n', { status: 404 }),
      routes: { '/metrics': { GET: () => new Response(toText(), { headers }) } },
    })
    return `${toHttpUrl(host, server.port ?? port)}/metrics`
  } catch (error) {
    throw new CommandFailure(exitCodes.unavailable, toListenProblem(error, host, port, '--metrics-address'))
  }
}

async function tryToReserve(hostname: string, port: number): Promise<ReservedPort> {
  const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response(null, { status: 503 }) })
  try {
    const chosen = probe.port ?? port
    return { port: chosen, release: holdName(hostname, chosen) }
  } finally {
    await probe.stop(true)
  }
}

/**
 * Another Rostrum could bind the port after we free it and before the threads bind it. An abstract socket named after
 * the port prevents that; it has no file and ends with the process. Only Linux has abstract sockets, and only there do
 * threads share a port.
 */
function holdName(hostname: string, port: number): () => void {
  if (process.platform !== 'linux') return () => undefined
  const holder = Bun.listen({
    unix: `\0rostrum-${process.getuid?.() ?? 0}-${hostname}-${port}`,
    socket: { data: () => undefined },
  })
  return () => holder.stop(true)
}

/** `flag` is the one that sets the port. */
function toListenProblem(error: unknown, hostname: string, port: number, flag: string): string {
  const code = toErrorCode(error)
  const url = toHttpUrl(hostname, port)
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: something else listens at ${url}. Stop it, or choose another with ${flag}.`
  if (code === 'EACCES') return `Listening at ${url} is not permitted. Choose a port above 1023 with ${flag}.`
  return `Cannot listen at ${url}: is ${flag === '--port' ? '--host' : flag} an address of this machine?`
}
