import type { Problem } from '../http/problem.ts'
import type { Store } from '../store/store.ts'

/** Why there is no such record: there never was, or it was erased. */
export function toMissing(store: Store, id: number): Problem {
  return { code: store.isErased(id) ? 'gone' : 'not_found' }
}
