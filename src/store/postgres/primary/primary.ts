import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Host } from '../address.ts'
import { toRefusal } from '../failure.ts'
import { askServer, type Server } from './server.ts'
import type { RefusedServer, Timeline } from './timeline.ts'

/** A host that does not answer within that is passed over. */
const probeTimeoutSeconds = 2
const probeTimeoutMs = 1_000 * probeTimeoutSeconds

export type ProbeOptions = postgres.Options<Record<string, postgres.PostgresType>>

/** As lists, which the client takes although its types do not say so: of a text it would cut off what follows a colon. */
export function toSocketAddress({ host, port }: Host): { readonly host: string; readonly port: number } {
  return { host: [host], port: [port] } as unknown as { host: string; port: number }
}

export interface Hosts {
  readonly all: readonly [Host, ...Host[]]
  /** What every connection says of itself. */
  readonly options: ProbeOptions
}

/**
 * The one connection that a client ever gets. Where it is lost the client is given up with it (`wire.ts`), and must not get
 * another one behind our back, for what still waits in it; or, of a server that hangs up at once, hundreds in a second.
 */
export function createOnlySocket(
  hosts: Hosts,
  timeline: Timeline,
  onPlace: (place: number) => void,
): () => Promise<Socket> {
  let isGiven = false
  return async () => {
    if (isGiven) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
    isGiven = true
    const place = hosts.all.length === 1 ? 0 : await findPrimary(hosts, timeline)
    onPlace(place)
    const host = hosts.all[place] ?? hosts.all[0]
    // The client looks at the name when it checks a certificate.
    return Object.assign(connect(host.port, host.host), host)
  }
}

interface Found extends Server {
  readonly place: number
}

/**
 * The place of the host that takes writes, and has the latest timeline of those that do; where none does, the first,
 * whose refusal is then told. The client itself would try one after the other without end or pause, and take a standby
 * for a primary.
 */
function findPrimary(hosts: Hosts, timeline: Timeline): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const found: Found[] = []
  // All are asked at once: to wait for two that are silent, one after the other, would be too long for a reader.
  const asked = hosts.all.map(async (host, place) => {
    const server = await probe(host, hosts.options)
    if (server === null || server.isStandby) return
    found.push({ ...server, place })
    if (timeline.isCertain(place, server)) resolve(place)
  })
  Promise.all(asked)
    .then(() => resolve(choose(found, timeline)))
    .catch(reject)
  return promise
}

function choose(found: readonly Found[], timeline: Timeline): number {
  const inOrder = found.toSorted((a, b) => a.place - b.place)
  const good = inOrder.filter((server) => timeline.judge(server) === 'good')
  const [worst] = inOrder
  if (worst !== undefined && good.length === 0) throw refuse(timeline.judge(worst) === 'foreign' ? 'foreign' : 'older')
  // Timelines of another database cluster are not to be compared with those of this one.
  const ours = good.filter(({ system }) => system === good[0]?.system)
  const best = ours.reduce<Found | null>(
    (best, each) => (best !== null && best.timeline >= each.timeline ? best : each),
    null,
  )
  return best?.place ?? 0
}

export function refuse(refusal: RefusedServer): Error {
  return refusal === 'older'
    ? toRefusal('OLD_PRIMARY', 'the server that takes writes has an older timeline than one seen before')
    : toRefusal('OTHER_CLUSTER', 'the server that takes writes belongs to another database cluster than before')
}

/** Asks through a connection of its own; null where there is no answer in time. */
export async function probe(host: Host, options: ProbeOptions, timeoutMs = probeTimeoutMs): Promise<Server | null> {
  const client = createProbe(host, options)
  const timer = setTimeout(() => void client.end({ timeout: 0 }), timeoutMs)
  try {
    return await askServer(client)
  } catch {
    // Whatever the reason is, it is not the one to use now; if none is, a connection to the first tells why.
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
