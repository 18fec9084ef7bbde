import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, Row } from '../harness/question.ts'
import { type Measured, toRatioRow } from '../harness/rounds.ts'
import type { RostrumOptions, ServerProcess } from '../harness/servers.ts'

/** The two checkouts to compare, and their data. */
export interface Sides {
  readonly old: string
  readonly new: string
  /** The same records in the schema of each side; each server works on a copy of its own. */
  readonly stores: Pair<Stores>
  /** The archive that is imported; null: a generated one. */
  readonly importFolder: string | null
}

/** Store files. */
interface Stores {
  readonly lists: string
  readonly million: string
}

export const sideNames = ['old', 'new'] as const
export type SideName = (typeof sideNames)[number]
export type Pair<T> = { readonly [side in SideName]: T }

/** One after the other, the old side first. */
export async function forBoth<T>(run: (side: SideName) => Promise<T>): Promise<Pair<T>> {
  return { old: await run('old'), new: await run('new') }
}

type StartOptions = Omit<RostrumOptions, 'store' | 'checkout'>

interface SideServer extends ServerProcess {
  readonly db: string
}

/** A server of one checkout, on its own copy of the store; without one, on a new store with the sample. */
export async function startSide(
  context: Context,
  checkout: string,
  options: StartOptions,
  file: string | null = null,
): Promise<SideServer> {
  const store = `store-${crypto.randomUUID()}`
  const db = join(context.folder, `${store}.db`)
  if (file !== null) copyFileSync(file, db)
  return { ...(await context.startRostrum({ ...options, store, checkout, hasSample: file !== null })), db }
}

export function startBoth(
  context: Context,
  sides: Sides,
  options: StartOptions,
  store: keyof Stores | null = null,
): Promise<Pair<SideServer>> {
  return forBoth((side) => startSide(context, sides[side], options, store === null ? null : sides.stores[side][store]))
}

async function stopBoth(servers: Pair<SideServer>): Promise<void> {
  await Promise.all([servers.old.stop(), servers.new.stop()])
}

export interface Figure {
  readonly name: string
  /** The unit of the ratio. */
  readonly wanted: string
  readonly unit: Row['unit']
}

/** Round by round: the ratio of new to old first, then both. */
export function toFigureRows({ name, wanted, unit }: Figure, values: Pair<readonly number[]>): readonly Row[] {
  return [
    toRatioRow(`${name}, new to old (wanted: ${wanted})`, values.new, values.old),
    { label: `${name}, old`, unit, values: values.old },
    { label: `${name}, new`, unit, values: values.new },
  ]
}

/** CPU per request stays valid if the machine is busy, or if the load generator is the bottleneck. */
export function toCostRows(name: string, results: Pair<readonly Measured[]>): readonly Row[] {
  const toCosts = (rounds: readonly Measured[]) => rounds.map(({ cpuUs }) => cpuUs ?? Number.NaN)
  return toFigureRows(
    { name: `${name}, CPU per request`, wanted: 'about 1', unit: 'µs' },
    { old: toCosts(results.old), new: toCosts(results.new) },
  )
}

/**
 * Restarts both servers several times, since figures differ between starts; measures in turns and discards the first
 * round of each start.
 */
export async function measureInTurns<T>(
  context: Context,
  { starts, rounds }: { readonly starts: number; readonly rounds: number },
  start: () => Promise<Pair<SideServer>>,
  run: (server: SideServer, side: SideName) => Promise<T>,
): Promise<Pair<T[]>> {
  const results: Pair<T[]> = { old: [], new: [] }
  for (let count = 1; count <= starts; count++) {
    const servers = await start()
    for (let round = 0; round <= rounds; round++) {
      const pair = await forBoth((side) => run(servers[side], side))
      if (round > 0) for (const side of sideNames) results[side].push(pair[side])
    }
    await stopBoth(servers)
    context.say(`start ${count} of ${starts} done`)
  }
  return results
}
