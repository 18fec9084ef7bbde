import { hotGet, toWork } from '../harness/exchange.ts'
import type { Load } from '../harness/load.ts'
import type { Context, Row } from '../harness/question.ts'
import { interleave, measure, toRateText, toRatioRow } from '../harness/rounds.ts'
import type { ServerProcess } from '../harness/servers.ts'
import { readBesideWrites } from '../harness/steady-reads.ts'
import { asBrowser, type PageKind, toTarget, waitForPages } from './page-requests.ts'

/** The other pages take the same path. */
const hitKinds = ['talk', 'home', 'search']

/** One page of each of some kinds, requested repeatedly, compared with GET of a hot record. */
export async function measureHits(context: Context, server: ServerProcess, kinds: readonly PageKind[]): Promise<Row[]> {
  await waitForPages(server.port, kinds)
  const loads = await createLoads(context, server.port, kinds)
  const names = [...loads.keys()]
  const sides = [
    ...Array.from(loads, ([name, load]) => ({ name, run: () => measure(context, server, load) })),
    ...Array.from(loads, ([name, load]) => ({
      name: `${name} during writes`,
      run: async () => ({ ...(await readBesideWrites(context, load, 1)), cpuUs: null }),
    })),
  ]
  const results = await interleave(context, sides, toRateText)
  const ratesOf = (i: number) => results[i]?.map(({ perSecond }) => perSecond) ?? []
  const costsOf = (i: number) => results[i]?.flatMap(({ cpuUs }) => cpuUs ?? []) ?? []
  const pages = names.map((name, i) => ({ name, i, besideWrites: names.length + i })).slice(1)
  return [
    ...pages.map(({ name, i }) => toRatioRow(`cached ${name} to GET, requests`, ratesOf(i), ratesOf(0))),
    ...pages.map(({ name, i }) => toRatioRow(`cached ${name} to GET, CPU per request`, costsOf(i), costsOf(0))),
    ...pages.map(({ name, besideWrites }) =>
      toRatioRow(`cached ${name} to GET, one write a second, requests`, ratesOf(besideWrites), ratesOf(names.length)),
    ),
    ...sides.map(({ name }, i): Row => ({ label: name, unit: 'req/s', values: ratesOf(i) })),
  ]
}

/** The hot record first. */
async function createLoads(context: Context, port: number, kinds: readonly PageKind[]): Promise<Map<string, Load>> {
  const toLoad = async (target: string): Promise<Load> => {
    const work = await toWork(port, asBrowser(target), 200)
    return { port, connections: 16, durationMs: context.roundMs, perSecond: null, work }
  }
  const loads = new Map([['GET', await toLoad(hotGet.target)]])
  for (const { name, requests } of kinds) {
    const [first] = requests
    if (hitKinds.includes(name) && first !== undefined) loads.set(name, await toLoad(toTarget(first)))
  }
  return loads
}
