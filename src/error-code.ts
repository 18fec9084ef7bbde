/** The code by which drivers and the file system tell their errors apart; empty for any other error. */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
