import { expect, test } from 'bun:test'
import { findListPlace } from '../../src/edit/lists/list-place.ts'
import type { Call } from '../../src/http/route.ts'
import type { SiteDeps } from '../../src/site/site.ts'

test('A talk opens even if its list takes too long or the queue is full', async () => {
  for (const failure of ['late', 'busy', 'down'] as const) {
    // True: the place in a list needs no more than this.
    const deps = { store: { list: async () => failure, read: async () => null } } as unknown as SiteDeps
    const call = { query: () => new URLSearchParams('list=state%3D2&from=3') } as unknown as Call
    expect(await findListPlace(call, deps, { id: 1, category: 'Any' })).toEqual({
      list: 'state=2',
      from: 3,
      isEnd: false,
      before: { position: null, previous: null },
    })
  }
})
