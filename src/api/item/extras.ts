import { Refused } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { Store } from '../../store/store.ts'
import { toListAnswer, toVisibility } from '../list/envelope.ts'
import { refuseMissing } from '../problems.ts'

/** Where a record came from, and what came with it that has no field. */
export function readExtras(call: Call<'id'>, { store }: { readonly store: Store }): MaybePromise<TextAnswer> {
  const id = Number(call.params.id)
  const visibility = toVisibility(call)
  return andThen(store.read(id), (stored): MaybePromise<TextAnswer> => {
    if (stored === null) return refuseMissing(store, id)
    if (stored.state !== 1 && visibility !== 'all') throw new Refused({ code: 'not_found' })
    return andThen(store.readExtras(id), (extras) => toListAnswer(call, [toAsciiJson(extras)], visibility))
  })
}
