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

/**
 * Connects to the one of several hosts that takes writes; where none does, to any, whose refusal is then told. The client
 * itself would try one after the other without end or pause, and take a standby for a primary.
 */
export function createPrimarySocket(hosts: readonly [Host, ...Host[]], options: ProbeOptions): () => Promise<Socket> {
  let last: Host = hosts[0]
  return async () => {
    // The one that it was before is most likely the one that it is.
    for (const each of new Set([last, ...hosts])) {
      if (!(await isPrimary(each, options))) continue
      last = each
      break
    }
    // The client looks at the name when it checks a certificate.
    return Object.assign(connect(last.port, last.host), last)
  }
}

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
