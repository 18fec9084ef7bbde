import type { Problem } from '../http/problem.ts'
import type { Failure } from '../store/store.ts'

/** How a failure of the store is told. */
export function toFailed(failure: Failure): Problem {
  return { code: failure === 'bug' ? 'internal' : failure }
}
