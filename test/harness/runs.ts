import { test } from 'bun:test'

/** Set by `npm run test:long`. */
export const isLong = process.env.ROSTRUM_TEST_LONG === '1'

/** The number of runs of a random test: `full` in `npm run test:long`, a twentieth, but at least two, in `npm test`. */
export function runs(full: number): number {
  return isLong ? full : Math.min(full, Math.max(2, Math.ceil(full / 20)))
}

/** All of them in `npm run test:long`; the first in `npm test`, where the others behave the same. */
export function sample<T>(all: readonly T[]): readonly T[] {
  return isLong ? all : all.slice(0, 1)
}

/** A case of `npm run test:long` alone; `npm test` has a smaller one of the same kind. */
export function longTest(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isLong) test(name, run, timeoutMs)
}
