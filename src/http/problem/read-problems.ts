import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import type { BadQuery } from '../../record/query/query.ts'
import type { FieldErrors } from '../../record/record.ts'
import type { Failure, Store } from '../../store/store.ts'
import { Refused } from './problem.ts'
import type { Problem } from './problem-codes.ts'

/** Returns what was read; refuses the request if the store failed. */
export function requireRead<T extends object | null>(read: T | Failure): T {
  if (typeof read === 'string') throw new Refused(toReadFailure(read))
  return read
}

/** A query thread that is busy has other clients to serve first. */
const [retryMs, maxTries] = [500, 10] as const

/** Reads again while query threads are busy; for long downloads, which would break off. */
export async function retryRead<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (tries === maxTries || signal.aborted || !isPassing(error)) throw error
    }
    await Bun.sleep(retryMs)
  }
}

const isPassing = (error: unknown) =>
  error instanceof Refused && (error.problem.code === 'too_many_lists' || error.problem.code === 'late')

function toReadFailure(failure: Failure): Problem {
  if (failure === 'down') return { code: 'unreadable' }
  return failure === 'busy' ? { code: 'too_many_lists' } : toWriteFailure(failure)
}

export function toWriteFailure(failure: Failure): Problem {
  return { code: failure === 'bug' ? 'internal' : failure }
}

export function toQueryProblem(bad: BadQuery): Problem {
  return bad.problem === 'no_such_page' ? { code: 'no_such_page' } : toParameterProblem(bad.errors)
}

export function toParameterProblem(errors: FieldErrors): Problem {
  return { code: 'bad_parameter', detail: [...errors.values()].flat().join(' '), errors }
}

/** Refuses a request for a missing record: 410 if it was erased, else 404. */
export function refuseMissing(store: Pick<Store, 'isErased'>, id: number): MaybePromise<never> {
  return andThen(store.isErased(id), (isErased): never => {
    throw new Refused({ code: isErased ? 'gone' : 'not_found' })
  })
}
