import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toHttpUrl } from '../http/host.ts'
import { contentTypes } from '../http/respond.ts'
import type { Config } from '../settings/config.ts'
import { toListenProblem } from './listen-check.ts'

export type MetricsAddress = NonNullable<Config['metricsAddress']>

/** What `localhost` may stand for, on its own or by listening on everything. */
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

/** Serves `/metrics` alone, on main: it answers while HTTP threads are busy, and is the only one. Returns its URL. */
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
