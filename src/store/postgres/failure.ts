import { toErrorCode } from '../../error-code.ts'

/** A failure of PostgreSQL or of the network. The code is `POSTGRES_` and the SQLSTATE or the network error code. */
export class PostgresFailure extends Error {
  readonly code: string
  /** The connection was lost: an open transaction is rolled back, and the result of a COMMIT is unknown. */
  readonly isLost: boolean

  constructor(code: string, message: string, isLost: boolean) {
    super(message)
    this.name = 'PostgresFailure'
    this.code = `POSTGRES_${code}`
    this.isLost = isLost
  }
}

/** For connections that we refuse; the code is used like a network error code. */
export function toRefusal(code: RefusedConnection, message: string): Error {
  return Object.assign(new Error(message), { code })
}

export type RefusedConnection = 'NO_WARNINGS' | 'STANDBY_ONLY' | 'OLD_PRIMARY' | 'OTHER_CLUSTER' | 'MOVED_ON'

/** The parts of an error that callers distinguish. */
export interface FailureReport {
  readonly code: string
  readonly message: string
  readonly isLost: boolean
}

/** SQLSTATEs of a server that shuts down, starts or is demoted: the connection is lost. */
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
