import type { Problem } from '../http/problem.ts'
import type { Failure } from '../store/store.ts'

/** How it is told to who wanted to read: nothing was to be changed. */
export function toReadFailure(failure: Failure): Problem {
  if (failure === 'down') return { code: 'unreadable' }
  return failure === 'busy' ? { code: 'too_many_lists' } : toWriteFailure(failure)
}

/** How a failure of the store is told. */
export function toWriteFailure(failure: Failure): Problem {
  return { code: failure === 'bug' ? 'internal' : failure }
}
