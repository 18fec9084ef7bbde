import { hotGet, toWork } from './exchange.ts'
import type { Load, Sample } from './load.ts'
import type { Context } from './question.ts'

export const readsPerSecond = 2_000
/** The other load starts this long before the reads and ends this long after them. */
const marginMs = 300
/** The number of connections for writes. */
const warmUpRounds = 15
/** From the start of an import until it stores records. */
const importStartMs = 700
/** The least number of reads for p99: of 4,000 reads, too few are slower. */
const readRounds = 3

/** The result of the reads, and of the other load; null if there was none. */
export interface Reads extends Sample {
  readonly beside: Sample | null
}

/** GETs of the hot record at a rate that the server easily handles. */
export async function toSteadyReads({ roundMs }: Context, port: number): Promise<Load> {
  const work = await toWork(port, hotGet, 200)
  return { port, connections: 16, durationMs: readRounds * roundMs, perSecond: readsPerSecond, work }
}

export async function readAlone(context: Context, reads: Load): Promise<Reads> {
  return { ...(await context.drive(reads)), beside: null }
}

export async function readBeside(context: Context, reads: Load, other: Omit<Load, 'durationMs'>): Promise<Reads> {
  const going = context.drive({ ...other, durationMs: reads.durationMs + 2 * marginMs, givesWay: true })
  const reading = Bun.sleep(marginMs).then(() => context.drive(reads))
  const [read, beside] = await Promise.all([reading, going])
  return { ...read, beside }
}

/** The import is stopped when the reads are done; one that ended earlier makes the round invalid. */
export async function readBesideImport({ drive }: Context, reads: Load, command: readonly string[]): Promise<Sample> {
  const child = Bun.spawn(['sh', ...command], { stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    await Bun.sleep(importStartMs)
    const sample = await drive(reads)
    if (child.exitCode !== null) throw new Error(`the import ended too soon (${child.exitCode})`)
    return sample
  } finally {
    child.kill('SIGINT')
    await child.exited
  }
}

const toWrites = ({ adminToken }: Context) => ({ kind: 'patch', token: adminToken, firstId: 2, records: 50 }) as const

/** Reads during durable changes of other records on the same server. */
export function readBesideWrites(context: Context, reads: Load, writesPerSecond: number): Promise<Reads> {
  return readBeside(context, reads, { ...reads, perSecond: writesPerSecond, work: toWrites(context) })
}

/** A hundred thousand writes warm up the JIT compiler, whose threads would delay the readers. */
export async function warmUpWrites(context: Context, { port }: Load): Promise<void> {
  const load = { port, connections: 64, perSecond: null, work: toWrites(context) }
  await context.drive({ ...load, durationMs: warmUpRounds * context.roundMs })
}

export const toP99Text = ({ p99Ms }: Sample) => `p99 ${p99Ms.toFixed(2)} ms`
export const toP99s = (rounds: readonly Sample[]) => rounds.map(({ p99Ms }) => p99Ms)
export const toP50s = (rounds: readonly Sample[]) => rounds.map(({ p50Ms }) => p50Ms)
export const toRates = (rounds: readonly Sample[]) => rounds.map(({ perSecond }) => perSecond)
/** The results of the other load. */
export const toOthers = (rounds: readonly Reads[]) => rounds.flatMap(({ beside }) => beside ?? [])
