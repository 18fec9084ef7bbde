import { findBadText, ok, type Parsed, wrong } from './field-kind.ts'

const maxReason = 500

/** Why a change is made, in the words of whoever makes it; null where there are none. */
export function parseReason(given: string): Parsed<string | null> {
  const reason = given.trim()
  const problem = findBadText(reason, maxReason)
  return problem === null ? ok(reason === '' ? null : reason) : wrong(problem)
}
