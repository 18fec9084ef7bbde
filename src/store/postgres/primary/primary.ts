import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Host } from '../address.ts'
import { toRefusal } from '../failure.ts'
import { askServer, type Server } from './server.ts'
import type { RefusedServer, Timeline } from './timeline.ts'

/** A host that does not respond within this time is skipped. */
const probeTimeoutSeconds = 2
const probeTimeoutMs = 1_000 * probeTimeoutSeconds

export type ProbeOptions = postgres.Options<Record<string, postgres.PostgresType>>

/**
 * As arrays, which the client accepts although its types do not say so: it would cut a string at the first colon, and
 * so an IPv6 address.
 */
export function toSocketAddress({ host, port }: Host): { readonly host: string; readonly port: number } {
  return { host: [host], port: [port] } as unknown as { host: string; port: number }
}

export interface Hosts {
  readonly all: readonly [Host, ...Host[]]
  /** Options of every connection. */
  readonly options: ProbeOptions
}

/**
 * Gives a client one connection only. When that is lost, reconnecting-client.ts replaces the client; the client itself
 * must not reconnect for queries that still wait in it, nor hundreds of times a second to a server that hangs up at
 * once.
 */
export function createOnlySocket(
  hosts: Hosts,
  timeline: Timeline,
  onHost: (hostIndex: number) => void,
): () => Promise<Socket> {
  let isGiven = false
  return async () => {
    if (isGiven) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
    isGiven = true
    const hostIndex = hosts.all.length === 1 ? 0 : await findPrimary(hosts, timeline)
    onHost(hostIndex)
    const host = hosts.all[hostIndex] ?? hosts.all[0]
    // The client checks the certificate against this host name.
    return Object.assign(connect(host.port, host.host), host)
  }
}

interface Found extends Server {
  readonly hostIndex: number
}

/**
 * The index of the host that takes writes and has the latest timeline; if none takes writes, the first host, whose
 * error is then reported (ADR 33). The client itself would try hosts endlessly without a pause, and accept a standby as
 * primary.
 */
function findPrimary(hosts: Hosts, timeline: Timeline): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const found: Found[] = []
  // In parallel: waiting for two silent hosts in turn would take too long for a read.
  const asked = hosts.all.map(async (host, hostIndex) => {
    const server = await probe(host, hosts.options)
    if (server === null || server.isStandby) return
    found.push({ ...server, hostIndex })
    if (timeline.isCertain(hostIndex, server)) resolve(hostIndex)
  })
  Promise.all(asked)
    .then(() => resolve(choose(found, timeline)))
    .catch(reject)
  return promise
}

function choose(found: readonly Found[], timeline: Timeline): number {
  const inOrder = found.toSorted((a, b) => a.hostIndex - b.hostIndex)
  const good = inOrder.filter((server) => timeline.judge(server) === 'good')
  const [worst] = inOrder
  if (worst !== undefined && good.length === 0) throw refuse(timeline.judge(worst) === 'foreign' ? 'foreign' : 'older')
  // Timelines of different database clusters cannot be compared.
  const ours = good.filter(({ system }) => system === good[0]?.system)
  const best = ours.reduce<Found | null>(
    (best, each) => (best !== null && best.timeline >= each.timeline ? best : each),
    null,
  )
  return best?.hostIndex ?? 0
}

export function refuse(refusal: RefusedServer): Error {
  return refusal === 'older'
    ? toRefusal('OLD_PRIMARY', 'the server that takes writes has an older timeline than one seen before')
    : toRefusal('OTHER_CLUSTER', 'the server that takes writes belongs to another database cluster than before')
}

/** Asks over a new connection; null if there is no response in time. */
export async function probe(host: Host, options: ProbeOptions, timeoutMs = probeTimeoutMs): Promise<Server | null> {
  const client = createProbe(host, options)
  const timer = setTimeout(() => void client.end({ timeout: 0 }), timeoutMs)
  try {
    return await askServer(client)
  } catch {
    // The host cannot be used now. If none can, connecting to the first one reports the reason.
    return null
  } finally {
    clearTimeout(timer)
    await client.end({ timeout: 1 })
  }
}

export function createProbe(host: Host, options: ProbeOptions) {
  const connection = { application_name: 'rostrum probe' }
  return postgres({ ...options, ...toSocketAddress(host), max: 1, connect_timeout: probeTimeoutSeconds, connection })
}
