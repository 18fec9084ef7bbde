import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Host } from './address.ts'

/** A host that does not answer within that is passed over. */
const probeTimeoutSeconds = 2

type ProbeOptions = postgres.Options<Record<string, postgres.PostgresType>>

/** As lists, which the client takes although its types do not say so: of a text it would cut off what follows a colon. */
export function toPlace({ host, port }: Host): { readonly host: string; readonly port: number } {
  return { host: [host], port: [port] } as unknown as { host: string; port: number }
}

/** Which of several hosts it was last time, by all their names. */
const known = new Map<string, string>()

/**
 * The one connection that a client ever gets. Where it is lost the client is given up with it (`wire.ts`), and must not get
 * another one behind our back, for what still waits in it; or, of a server that hangs up at once, hundreds in a second.
 */
export function createOnlySocket(hosts: readonly [Host, ...Host[]], options: ProbeOptions): () => Promise<Socket> {
  let isGiven = false
  return async () => {
    if (isGiven) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
    isGiven = true
    const host = hosts.length === 1 ? hosts[0] : await findPrimary(hosts, options)
    // The client looks at the name when it checks a certificate.
    return Object.assign(connect(host.port, host.host), host)
  }
}

/**
 * The one of several hosts that takes writes; where none does, any, whose refusal is then told. The client itself would
 * try one after the other without end or pause, and take a standby for a primary.
 */
async function findPrimary(hosts: readonly [Host, ...Host[]], options: ProbeOptions): Promise<Host> {
  const all = hosts.map(toName).join()
  // The one that it was before is most likely the one that it is.
  const wasIt = (host: Host) => Number(toName(host) === known.get(all))
  const inTurn = hosts.toSorted((a, b) => wasIt(b) - wasIt(a))
  // All are asked at once: to wait for two that are silent, one after the other, would be too long for a reader.
  const asked = inTurn.map((host) => ({ host, isIt: isPrimary(host, options) }))
  for (const { host, isIt } of asked) {
    if (!(await isIt)) continue
    known.set(all, toName(host))
    return host
  }
  return hosts[0]
}

const toName = ({ host, port }: Host) => `${host}:${port}`

async function isPrimary(host: Host, options: ProbeOptions): Promise<boolean> {
  const probe = postgres({ ...options, ...toPlace(host), max: 1, connect_timeout: probeTimeoutSeconds })
  try {
    const [row] = await probe<{ standby: boolean }[]>`SELECT pg_is_in_recovery() AS standby`
    return row?.standby === false
  } catch {
    return false
  } finally {
    await probe.end({ timeout: 1 })
  }
}
