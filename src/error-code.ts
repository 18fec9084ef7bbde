/** The code by which drivers and the file system tell their errors apart; empty for any other error. */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether the disk or the database failed, by the driver's error code; anything else is a bug. */
export function isStoreFailure(error: unknown): boolean {
  return /^(?:SQLITE|POSTGRES)_/.test(toErrorCode(error))
}

/** A store failure in one line: its origin in our code says nothing about a disk or a database. */
export function toFailureText(error: unknown): string {
  return `${toErrorCode(error)}: ${error instanceof Error ? error.message : String(error)}`
}
