import { toErrorCode } from '../../error-code.ts'

/** A failure of PostgreSQL or of the network. The code is `POSTGRES_` and the SQLSTATE or the network error code. */
export class PostgresFailure extends Error {
  readonly code: string
  /** Whether the connection was lost: whatever was not committed is undone then, of a commit nobody knows. */
  readonly isLost: boolean

  constructor(code: string, message: string, isLost: boolean) {
    super(message)
    this.name = 'PostgresFailure'
    this.code = `POSTGRES_${code}`
    this.isLost = isLost
  }
}

/** A connection that we do not use ourselves, for a reason that has a code as the network's own have. */
export function toRefusal(code: RefusedConnection, message: string): Error {
  return Object.assign(new Error(message), { code })
}

export type RefusedConnection = 'NO_WARNINGS' | 'STANDBY_ONLY' | 'OLD_PRIMARY' | 'OTHER_CLUSTER' | 'MOVED_ON'

/** Plain data, so that it can go from thread to thread. */
export interface FailureReport {
  readonly code: string
  readonly message: string
  readonly isLost: boolean
}

/** SQLSTATEs of a server that is ending, starting or handing over: the connection is of no use any more. */
const lostStates = /^(?:08|57P0)/

export function toFailureReport(error: unknown): FailureReport {
  const code = toErrorCode(error) || 'UNKNOWN'
  const message = error instanceof Error ? error.message : String(error)
  return { code, message, isLost: !/^[0-9A-Z]{5}$/.test(code) || lostStates.test(code) }
}

/** Another node holds the row that writers lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof PostgresFailure && error.code === 'POSTGRES_55P03'
}
