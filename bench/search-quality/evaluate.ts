import { kinds } from './kinds.ts'
import type { KnownItem } from './queries.ts'
import type { Side } from './sides.ts'

/** The result of one side. */
export interface Outcome {
  /** The position of the talk, from 1; null if it is not on the first page. */
  readonly position: number | null
  readonly firstId: number | null
  readonly ms: number
}

export interface Compared {
  readonly item: KnownItem
  readonly rostrum: Outcome
  readonly miniSearch: Outcome
}

export interface Figures {
  /** Share of queries with the talk on the first page. */
  readonly found: number
  /** Share of queries with the talk in the first place. */
  readonly first: number
  readonly medianMs: number
}

export interface KindRow {
  readonly kind: string
  readonly label: string
  readonly queries: number
  /** Differences between the sides up to these are ties. */
  readonly noise: { readonly found: number; readonly first: number }
  readonly rostrum: Figures
  readonly miniSearch: Figures
}

/** Each query once on each side, in turns: a second time, a side might answer from memory. */
export async function compareSides(
  items: readonly KnownItem[],
  sides: { readonly rostrum: Side; readonly miniSearch: Side },
): Promise<readonly Compared[]> {
  const compared: Compared[] = []
  for (const item of items) {
    const rostrum = await judge(item, sides.rostrum)
    compared.push({ item, rostrum, miniSearch: await judge(item, sides.miniSearch) })
    // Lets signals be handled.
    await Bun.sleep(0)
  }
  return compared
}

/** One row per kind that has queries. */
export function toRows(compared: readonly Compared[]): readonly KindRow[] {
  return kinds.flatMap(({ name, label }) => {
    const ofKind = compared.filter(({ item }) => item.kind === name)
    if (ofKind.length === 0) return []
    const rostrum = toFigures(ofKind.map((each) => each.rostrum))
    const miniSearch = toFigures(ofKind.map((each) => each.miniSearch))
    const noise = { found: toNoise(ofKind, isFound), first: toNoise(ofKind, isFirst) }
    return [{ kind: name, label, queries: ofKind.length, noise, rostrum, miniSearch }]
  })
}

const isFound = ({ position }: Outcome) => position !== null
const isFirst = ({ position }: Outcome) => position === 1

/** Two standard errors of the difference between the sides, query by query. */
function toNoise(compared: readonly Compared[], isHit: (outcome: Outcome) => boolean): number {
  const differences = compared.map(({ rostrum, miniSearch }) => Number(isHit(rostrum)) - Number(isHit(miniSearch)))
  const toMean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const variance = toMean(differences.map((each) => each ** 2)) - toMean(differences) ** 2
  return 2 * Math.sqrt(variance / differences.length)
}

/** Where MiniSearch finds this share, we must find `leastFound`. */
const highFound = 0.98
const leastFound = 0.97
const maxTimeRatio = 0.2

/** The missed goals, one per line. */
export function findShortfalls(rows: readonly KindRow[]): readonly string[] {
  return rows.flatMap(({ label, noise, rostrum: ours, miniSearch: theirs }) => {
    const lines: string[] = []
    for (const figure of ['found', 'first'] as const) {
      if (theirs[figure] - ours[figure] <= noise[figure]) continue
      lines.push(`${figure} ${toShare(ours[figure])}, MiniSearch ${toShare(theirs[figure])}`)
    }
    if (theirs.found >= highFound && ours.found < leastFound) {
      lines.push(`found ${toShare(ours.found)}, wanted ${leastFound}`)
    }
    if (ours.medianMs > theirs.medianMs * maxTimeRatio) {
      lines.push(`median time ${(ours.medianMs / theirs.medianMs).toFixed(2)} of MiniSearch's, wanted ${maxTimeRatio}`)
    }
    return lines.map((line) => `${label}: ${line}`)
  })
}

const toShare = (share: number) => share.toFixed(3)

async function judge({ q, ids }: KnownItem, side: Side): Promise<Outcome> {
  const { ids: page, ms } = await side.search(q)
  const place = page.findIndex((id) => ids.has(id))
  return { position: place < 0 ? null : place + 1, firstId: page[0] ?? null, ms }
}

function toFigures(outcomes: readonly Outcome[]): Figures {
  const share = (isHit: (outcome: Outcome) => boolean) => outcomes.filter(isHit).length / outcomes.length
  return {
    found: share(isFound),
    first: share(isFirst),
    medianMs: toMedian(outcomes.map(({ ms }) => ms)),
  }
}

function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}
