import { hostname } from 'node:os'
import { createGuardedFetch, resolveName } from './guarded-fetch.ts'
import { createPacer, steadyClock, systemClock } from './pacer.ts'
import type { LinkRunDeps } from './run.ts'

interface CheckerSettings {
  readonly version: string
  /** How operators of hosts can reach ours. */
  readonly contact: string | null
  readonly playerHosts: readonly string[]
  readonly allowsPrivate: boolean
  readonly signal: AbortSignal
}

type CheckerParts = Pick<LinkRunDeps, 'fetch' | 'clock' | 'playerHosts' | 'signal'>

/** The network side of one run. */
export function createCheckerParts(settings: CheckerSettings): CheckerParts {
  const { version, contact, playerHosts, allowsPrivate, signal } = settings
  const pacer = createPacer(steadyClock, signal)
  const userAgent = `Rostrum/${version} (link check${contact === null ? '' : `; ${contact}`})`
  const fetch = createGuardedFetch({ resolve: resolveName, pacer, userAgent, allowsPrivate, signal })
  return { fetch, clock: systemClock, playerHosts, signal }
}

/**
 * How a run names its holder, for those who find it under way. Containers may share a host name and a process id, so the
 * end tells holders apart.
 */
export const toHolder = (command: string) =>
  `rostrum ${command}, process ${process.pid} on ${hostname()} (${crypto.randomUUID().slice(0, 8)})`
