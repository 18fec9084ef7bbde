import type { Caller } from '../../src/http/route.ts'
import type { Context, Row } from '../harness/question.ts'
import { openPageRenderer, type PageRenderer } from './page-renderer.ts'
import type { PageKind } from './page-requests.ts'

/** The median time of a page of each kind, a value per round; the first round warms up. */
export async function measureServerTime(
  { rounds, say }: Pick<Context, 'rounds' | 'say'>,
  store: string,
  kinds: readonly PageKind[],
  caller: Caller | null = null,
): Promise<Row[]> {
  const renderer = await openPageRenderer(store, null, caller)
  say('loaded')
  try {
    const rows = kinds.map((kind) => ({ kind, usual: [] as number[], changed: [] as number[] }))
    for (let round = 0; round <= rounds; round++) {
      for (const { kind, usual, changed } of rows) {
        const medians = [await timeKind(renderer, kind, false), await timeKind(renderer, kind, true)] as const
        if (round > 0) usual.push(medians[0])
        if (round > 0) changed.push(medians[1])
        say(`${kind.name}: ${medians.map((ms) => ms.toFixed(2)).join(' ms, after a write ')} ms`)
      }
    }
    return [
      ...rows.map(({ kind, usual }): Row => ({ label: `${kind.name}, not cached`, unit: 'ms', values: usual })),
      ...rows.map(({ kind, changed }): Row => ({ label: `${kind.name}, after a write`, unit: 'ms', values: changed })),
    ]
  } finally {
    await renderer.close()
  }
}

async function timeKind(renderer: PageRenderer, { requests }: PageKind, forgets: boolean): Promise<number> {
  const times: number[] = []
  for (const request of requests) {
    if (forgets) renderer.forget()
    const startMs = performance.now()
    await renderer.render(request)
    times.push(performance.now() - startMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
