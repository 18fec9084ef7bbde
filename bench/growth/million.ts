import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { facetNames } from '../../src/record/query/query.ts'
import { toGeneratedStore } from '../generate.ts'
import { toWord } from '../generated/words.ts'
import type { Context, Row } from '../harness/question.ts'
import { toRatioRow } from '../harness/rounds.ts'
import type { ServerProcess } from '../harness/servers.ts'

/** About every third record has it. */
const commonWord = toWord(20)
const allFacets = `facets=${facetNames.join(',')}`

/** Lists that are requested right after a write, so that nothing is cached. */
const lists = [
  { name: 'list page', target: '' },
  { name: `search for a word that every third record has`, target: `?q=${commonWord}` },
  { name: 'the same, match=best', target: `?q=${commonWord}&match=best` },
  { name: 'all facets', target: `?${allFacets}` },
  { name: 'all facets of that search', target: `?q=${commonWord}&${allFacets}` },
  { name: 'list page of a language', target: '?language=Czech' },
]
const starts = 3
const listsARound = 5
const writers = 16
const maxTries = 10
const settleStepMs = 500
const quietSteps = 6
const maxSettleMs = 600_000
/** Long enough for the first facets without columns. */
const serveOptions = ['--list-ms', '8000']

interface Side {
  readonly name: string
  readonly checkout: string | null
}

/**
 * `BENCH_BEFORE` names another checkout to compare with; it must support the schema of the store. `BENCH_STORE` names
 * an existing store, since generating one takes a quarter of an hour.
 */
function toSides(): readonly Side[] {
  const { BENCH_BEFORE: before } = process.env
  const now = { name: 'now', checkout: null }
  return before === undefined ? [now] : [now, { name: 'before', checkout: resolve(before) }]
}

/** Lists during writes among a million records, over HTTP, in turns with another checkout. */
export async function measureMillion(context: Context): Promise<readonly Row[]> {
  const store = process.env.BENCH_STORE ?? (await toGeneratedStore(context.isQuick ? 10_000 : 1_000_000, context.say))
  const figures = createFigures()
  const servers: { readonly side: Side; readonly server: ServerProcess }[] = []
  for (const side of toSides()) servers.push({ side, server: await startSeveralTimes(context, side, store, figures) })
  for (const { side, server } of servers)
    figures.add('loads in the background for', 'ms', side.name, await settle(server))
  for (let round = 0; round <= context.rounds; round++) {
    for (const { name, target } of lists) {
      for (const { side, server } of servers) {
        const ms = await timeAfterWrites(context, server, target)
        context.say(`round ${round}: ${name}, ${side.name}: ${ms.toFixed(1)} ms`)
        if (round > 0) figures.add(`${name} after a write`, 'ms', side.name, ms)
      }
    }
    for (const { side, server } of servers) {
      const { perSecond } = await context.drive(toWrites(context, server))
      context.say(`round ${round}: ${Math.round(perSecond)} PATCHes/s, ${side.name}`)
      if (round > 0) figures.add(`PATCHes of ${writers} clients`, 'writes/s', side.name, perSecond)
    }
  }
  for (const { side, server } of servers) {
    figures.add('memory of its own', 'MB', side.name, (server.readOwnBytes() ?? Number.NaN) / 1e6)
    figures.add(
      'memory with what it maps of the store',
      'MB',
      side.name,
      (server.readResidentBytes() ?? Number.NaN) / 1e6,
    )
  }
  return figures.toRows()
}

/** Requests the first facets as soon as the server is ready; the server of the last start keeps running. */
async function startSeveralTimes(
  context: Context,
  { name, checkout }: Side,
  store: string,
  figures: Figures,
): Promise<ServerProcess> {
  copyFileSync(store, join(context.folder, `million-${name}.db`))
  for (let count = 1; ; count++) {
    const given = { threads: 1, store: `million-${name}`, hasSample: true, options: serveOptions }
    const server = await context.startRostrum(checkout === null ? given : { ...given, checkout })
    const page = await time(() => get(server, ''))
    const facets = await time(() => get(server, `?${allFacets}`))
    figures.add('first list page after a start', 'ms', name, page)
    figures.add('first facets after a start', 'ms', name, facets)
    context.say(`${name}: start ${count}, first page ${page.toFixed(1)} ms, first facets ${facets.toFixed(0)} ms`)
    if (count === starts) return server
    await server.stop()
  }
}

const toUrl = ({ port }: ServerProcess, path: string) => `http://127.0.0.1:${port}/api/v2/video${path}`

/** Retries after a 503: the server keeps what it has loaded so far. */
async function get(server: ServerProcess, query: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(toUrl(server, query))
    await response.arrayBuffer()
    if (response.status === 200) return
    if (response.status !== 503 || tries === maxTries) throw new Error(`GET ${query}: ${response.status}`)
  }
}

async function time(run: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

/** The median of several lists, each after a change to a record. */
async function timeAfterWrites({ adminToken }: Context, server: ServerProcess, query: string): Promise<number> {
  const headers = { Authorization: `Token ${adminToken}`, 'Content-Type': 'application/merge-patch+json' }
  const times: number[] = []
  for (let count = 0; count < listsARound; count++) {
    const body = JSON.stringify({ whiteboard: crypto.randomUUID() })
    const response = await fetch(toUrl(server, `/${1 + count}`), { method: 'PATCH', headers, body })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`PATCH: ${response.status}`)
    times.push(await time(() => get(server, query)))
  }
  return times.sort((a, b) => a - b)[Math.floor(listsARound / 2)] ?? Number.NaN
}

function toWrites({ adminToken: token, roundMs }: Context, { port }: ServerProcess) {
  const work = { kind: 'patch', token, firstId: 1, records: 50 } as const
  return { port, connections: writers, durationMs: roundMs, perSecond: null, work }
}

/** Waits until the server is idle, because its background load takes a core. */
async function settle(server: ServerProcess): Promise<number> {
  const startMs = performance.now()
  for (let quiet = 0; quiet < quietSteps && performance.now() - startMs < maxSettleMs; ) {
    const before = server.readCpuSeconds() ?? 0
    await Bun.sleep(settleStepMs)
    const share = ((server.readCpuSeconds() ?? 0) - before) / (settleStepMs / 1000)
    quiet = share < 0.1 ? quiet + 1 : 0
  }
  return performance.now() - startMs - quietSteps * settleStepMs
}

interface Figures {
  add(name: string, unit: Row['unit'], side: string, value: number): void
  /** For each figure, the ratio if there are two sides, then each side. */
  toRows(): readonly Row[]
}

function createFigures(): Figures {
  const figures = new Map<string, { readonly unit: Row['unit']; readonly sides: Map<string, number[]> }>()
  return {
    add(name, unit, side, value) {
      const { sides } = figures.get(name) ?? { sides: new Map<string, number[]>() }
      sides.set(side, [...(sides.get(side) ?? []), value])
      figures.set(name, { unit, sides })
    },
    toRows: () =>
      [...figures].flatMap(([name, { unit, sides }]) => {
        const rows = [...sides].map(([side, values]): Row => ({ label: `${name}, ${side}`, unit, values }))
        const [now, before] = [sides.get('now') ?? [], sides.get('before')]
        return before === undefined ? rows : [toRatioRow(`${name}, now to before`, now, before), ...rows]
      }),
  }
}
