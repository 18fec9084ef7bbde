import type { Problem } from '../http/problem.ts'
import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'

/** Why there is no such record: there never was, or it was erased. */
export function toMissing(store: Store, id: number): MaybePromise<Problem> {
  return andThen(store.isErased(id), (isErased) => ({ code: isErased ? 'gone' : 'not_found' }))
}
