import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Steal* in /proc/stat: the eighth number of the first line, in hundredths of a second. */
const stolenField = 8
const ticksPerSecond = 100

/** A result, and the share of CPU time that other virtual machines on the same hardware took meanwhile. */
interface Watched<T> {
  readonly result: T
  /** 0 if the system does not report it. */
  readonly stolen: number
}

export async function watchStolen<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const [before, startMs] = [readStolenSeconds(), performance.now()]
  const result = await work()
  const seconds = (performance.now() - startMs) / 1000
  return { result, stolen: (readStolenSeconds() - before) / (seconds * availableParallelism()) }
}

function readStolenSeconds(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? []
  return Number(fields[stolenField] ?? 0) / ticksPerSecond
}
