import type { Answer, Call, Route } from '../../http/call.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { Store } from '../../store/store.ts'
import { toListResponse, toVisibility } from '../list/envelope.ts'
import { toMissing } from '../missing.ts'
import { readHeaders } from '../path-headers.ts'
import { toDescribedRoute } from '../read-route.ts'
import { parseRecordId } from './item.ts'

/** `/api/v2/video/<id>/extras`: where a record came from, and what came with it that no field has a place for. */
export function createExtrasRoute({ store }: { readonly store: Store }): Route {
  function get(call: Call): MaybePromise<Answer> {
    const id = Number(call.parameter)
    const sight = toVisibility(call)
    return andThen(store.read(id), (stored): MaybePromise<Answer> => {
      if (stored === null) return toMissing(store, id)
      if (stored.state !== 1 && sight !== 'all') return { code: 'not_found' }
      return andThen(store.readExtras(id), (extras) => toListResponse(call, [toAsciiJson(extras)], sight, readHeaders))
    })
  }

  const acceptsParameter = (value: string) => parseRecordId(value) !== null
  const shape = { name: 'other', path: '/api/v2/video/:id/extras', headers: readHeaders, negotiates: true } as const
  return toDescribedRoute({ ...shape, acceptsParameter }, { role: null, run: get })
}
