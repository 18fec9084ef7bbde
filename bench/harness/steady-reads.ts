import { hotGet, toWork } from './exchange.ts'
import type { Load, Sample } from './load.ts'
import type { Context } from './question.ts'

export const readsPerSecond = 2_000
/** What goes on beside the reads begins this much before them and ends this much after. */
const marginMs = 300
/** Of writes. */
const warmUpRounds = 15
/** From the start of an import until it is at work. */
const importStartMs = 700
/** One in a hundred takes longer than p99: of 4,000 too few to tell. */
const readRounds = 3

/** What came of the reads, and of what went on beside them; null where they were alone. */
export interface Reads extends Sample {
  readonly beside: Sample | null
}

/** GETs of the hot record at a pace that leaves the server time. */
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

/** The import is stopped when the reads are done; one that ended before them was no company. */
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

/** Beside durable changes of other records on the same server. */
export function readBesideWrites(context: Context, reads: Load, writesPerSecond: number): Promise<Reads> {
  return readBeside(context, reads, { ...reads, perSecond: writesPerSecond, work: toWrites(context) })
}

/** A hundred thousand writes: until then the runtime compiles their code, on threads that the readers wait for. */
export async function warmUpWrites(context: Context, { port }: Load): Promise<void> {
  const load = { port, connections: 64, perSecond: null, work: toWrites(context) }
  await context.drive({ ...load, durationMs: warmUpRounds * context.roundMs })
}

export const toP99Text = ({ p99Ms }: Sample) => `p99 ${p99Ms.toFixed(2)} ms`
export const toP99s = (rounds: readonly Sample[]) => rounds.map(({ p99Ms }) => p99Ms)
export const toP50s = (rounds: readonly Sample[]) => rounds.map(({ p50Ms }) => p50Ms)
export const toRates = (rounds: readonly Sample[]) => rounds.map(({ perSecond }) => perSecond)
/** Of what went on beside them. */
export const toOthers = (rounds: readonly Reads[]) => rounds.flatMap(({ beside }) => beside ?? [])
