import type { Load, Sample } from './load.ts'
import type { Context, Row } from './question.ts'
import type { ServerProcess } from './servers.ts'

/** One side of a comparison. */
export interface Side<T> {
  readonly name: string
  run(): Promise<T>
}

/** Runs the sides in turn, A B A B; the first round warms up and is discarded. Returns the rounds of each side. */
export async function interleave<T>(
  { rounds, say }: Pick<Context, 'rounds' | 'say'>,
  sides: readonly Side<T>[],
  toText: (result: T) => string,
): Promise<readonly (readonly T[])[]> {
  const results = sides.map((): T[] => [])
  for (let round = 0; round <= rounds; round++) {
    const texts: string[] = []
    for (const [i, side] of sides.entries()) {
      const result = await side.run()
      if (round > 0) results[i]?.push(result)
      texts.push(`${side.name} ${toText(result)}`)
    }
    say(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${texts.join(', ')}`)
  }
  return results
}

/** A run, and its CPU cost. */
export interface Measured extends Sample {
  /** Null if the system does not report it. */
  readonly cpuUs: number | null
}

export async function measure(context: Pick<Context, 'drive'>, server: ServerProcess, load: Load): Promise<Measured> {
  const before = server.readCpuSeconds()
  const sample = await context.drive(load)
  server.check()
  const after = server.readCpuSeconds()
  const cpuUs = before === null || after === null ? null : ((after - before) * 1e6) / sample.answers
  return { ...sample, cpuUs }
}

export function toRateText({ perSecond }: Sample): string {
  return `${Math.round(perSecond).toLocaleString('en-US')}/s`
}

/** Per round, so that a disturbance of a whole round affects both sides. */
export function toRatioRow(label: string, above: readonly number[], below: readonly number[]): Row {
  return { label, unit: '×', values: above.map((value, i) => value / (below[i] ?? Number.NaN)) }
}

export interface NamedRounds {
  readonly name: string
  readonly rounds: readonly Measured[]
}

/** The two ratios of a comparison of reads, then the figures behind them. */
export function toReadRows(a: NamedRounds, b: NamedRounds): readonly Row[] {
  const label = `${a.name} to ${b.name}`
  const ratios = [toRatioRow(`${label}, requests`, toRates(a), toRates(b))]
  if (toCosts(a).length > 0) ratios.push(toRatioRow(`${label}, CPU per request`, toCosts(a), toCosts(b)))
  return [...ratios, ...toSideRows(a), ...toSideRows(b)]
}

export function toSideRows(side: NamedRounds): readonly Row[] {
  const { name } = side
  const [rates, costs] = [toRates(side), toCosts(side)]
  const rateRow: Row = { label: name, unit: 'req/s', values: rates }
  if (costs.length === 0) return [rateRow]
  // Well below 100 %, the server waited for the load, and the request rates are not comparable.
  const shares = costs.map((us, i) => (us * (rates[i] ?? Number.NaN)) / 1e4)
  return [
    rateRow,
    { label: `${name}, CPU per request`, unit: 'µs', values: costs },
    { label: `${name}, of one core`, unit: '%', values: shares },
  ]
}

function toRates({ rounds }: NamedRounds): readonly number[] {
  return rounds.map((round) => round.perSecond)
}

function toCosts({ rounds }: NamedRounds): readonly number[] {
  return rounds.flatMap((round) => round.cpuUs ?? [])
}
