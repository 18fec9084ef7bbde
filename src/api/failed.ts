import type { Problem } from '../http/problem.ts'
import type { Failure } from '../store/store.ts'

/** How it is told to who wanted to read: nothing was to be changed. */
export function toUnread(failure: Failure): Problem {
  return failure === 'down' ? { code: 'unreadable' } : toFailed(failure)
}

/** How a failure of the store is told. */
export function toFailed(failure: Failure): Problem {
  return { code: failure === 'bug' ? 'internal' : failure }
}
