import type { Finding } from '../../store/maintain/check/finding.ts'

/** One line, by which a record can be found. */
export function toFindingText({ id, what }: Finding): string {
  return id === null ? what : `record ${id}: ${what}`
}
