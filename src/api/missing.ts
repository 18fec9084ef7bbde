import type { Problem } from '../http/problem.ts'
import { type Soon, whenKnown } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'

/** Why there is no such record: there never was, or it was erased. */
export function toMissing(store: Store, id: number): Soon<Problem> {
  return whenKnown(store.isErased(id), (isErased) => ({ code: isErased ? 'gone' : 'not_found' }))
}
