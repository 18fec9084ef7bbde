import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { type Host, toHostName } from '../address.ts'
import { refusedConnection, toFailureReport } from '../failure.ts'
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
export function createOnlySocket(host: Host): () => Promise<Socket> {
  let isGiven = false
  return async () => {
    if (isGiven) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
    isGiven = true
    // The client checks the certificate against this host name.
    return Object.assign(connect(host.port, host.host), host)
  }
}

interface Found extends Server {
  readonly hostIndex: number
}

/** The host to use, and the replies of all hosts so far. */
interface ChosenServer {
  readonly hostIndex: number
  readonly told: readonly Found[]
}

/**
 * The index of the host that takes writes and has the latest timeline (decision 33). If none takes writes, the error says of
 * each host why not. The client itself would try hosts endlessly without a pause, and accept a standby as primary.
 */
export function findPrimary(hosts: Hosts, timeline: Timeline): Promise<ChosenServer> {
  const { promise, resolve, reject } = Promise.withResolvers<ChosenServer>()
  const told: Found[] = []
  const failed: unknown[] = []
  // In parallel: waiting for two silent hosts in turn would take too long for a read.
  const asked = hosts.all.map(async (host, hostIndex) => {
    try {
      const server = await probe(host, hosts.options)
      told.push({ ...server, hostIndex })
      if (server.isStandby) throw refusedConnection('STANDBY_ONLY', `${toHostName(host)} follows another server`)
      if (timeline.isCertain(hostIndex, server)) resolve({ hostIndex, told })
    } catch (error) {
      failed[hostIndex] = error
    }
  })
  Promise.all(asked)
    .then(() => resolve({ hostIndex: choose(told, hosts, timeline) ?? failAll(hosts, failed), told }))
    .catch(reject)
  return promise
}

function choose(told: readonly Found[], { all }: Hosts, timeline: Timeline): number | null {
  const found = told.filter(({ isStandby }) => !isStandby)
  const inOrder = found.toSorted((a, b) => a.hostIndex - b.hostIndex)
  const good = inOrder.filter((server) => timeline.judge(server) === 'good')
  const [worst] = inOrder
  if (worst !== undefined && good.length === 0) {
    throw refusedServer(timeline.judge(worst) === 'foreign' ? 'foreign' : 'older', all[worst.hostIndex] ?? all[0])
  }
  // Timelines of different database clusters cannot be compared.
  const ours = good.filter(({ system }) => system === good[0]?.system)
  const best = ours.reduce<Found | null>(
    (best, each) => (best !== null && best.timeline >= each.timeline ? best : each),
    null,
  )
  return best?.hostIndex ?? null
}

/** A wrong password or a missing database is the same on all hosts, so the SQLSTATE of any of them tells more. */
function failAll({ all }: Hosts, failed: readonly unknown[]): never {
  const reports = all.map((host, hostIndex) => toFailureReport(failed[hostIndex], toHostName(host)))
  const told = reports.find(({ isLost }) => !isLost)
  const text = `no host takes writes: ${reports.map(({ message }) => message).join('; ')}`
  throw told === undefined ? refusedConnection('NO_PRIMARY', text) : Object.assign(new Error(text), { code: told.code })
}

export function refusedServer(refusal: RefusedServer, host: Host): Error {
  const name = toHostName(host)
  return refusal === 'older'
    ? refusedConnection('OLD_PRIMARY', `${name} takes writes, but has an older timeline than one seen before`)
    : refusedConnection('OTHER_CLUSTER', `${name} takes writes, but belongs to another database cluster than before`)
}

/** Why the primary may be a former one, on which writes would be lost; null if it is confirmed (decision 67). */
export function findDoubt({ all }: Hosts, timeline: Timeline): string | null {
  if (timeline.isConfirmed(all.length)) return null
  const silent = all.filter((_, hostIndex) => !timeline.hasReported(hostIndex)).map(toHostName)
  const needed = Math.floor(all.length / 2) + 1
  if (all.length - silent.length < needed) {
    return `${needed} of the ${all.length} hosts must report their timeline before anything is written, and ${silent.join(', ')} did not`
  }
  const known = timeline.loadNewest()
  return `the host that takes writes has timeline ${timeline.loadTimeline()}, but timeline ${known} is known, whose primary did not answer`
}

/** Asks over a new connection. */
export async function probe(host: Host, options: ProbeOptions, timeoutMs = probeTimeoutMs): Promise<Server> {
  const client = createProbe(host, options)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void client.end({ timeout: 0 })
  }, timeoutMs)
  try {
    return await askServer(client)
  } catch (error) {
    throw isLate ? refusedConnection('SILENT', `no answer within ${timeoutMs} ms (${toHostName(host)})`) : error
  } finally {
    clearTimeout(timer)
    await client.end({ timeout: 1 })
  }
}

export function createProbe(host: Host, options: ProbeOptions) {
  const connection = { application_name: 'rostrum probe' }
  return postgres({ ...options, ...toSocketAddress(host), max: 1, connect_timeout: probeTimeoutSeconds, connection })
}
