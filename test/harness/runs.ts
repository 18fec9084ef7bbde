/** Set by `npm run test:long`. */
const isLong = process.env.ROSTRUM_TEST_LONG === '1'

/** The number of runs of a random test: `full` in `npm run test:long`, a tenth of it in `npm test`. */
export function runs(full: number): number {
  return isLong ? full : Math.ceil(full / 10)
}
