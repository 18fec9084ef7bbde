/** Set by `npm run test:long`. */
const isLong = process.env.ROSTRUM_TEST_LONG === '1'

/** How often a random test runs: `full` times in `npm run test:long`, a tenth of that in `npm test`. */
export function runs(full: number): number {
  return isLong ? full : Math.ceil(full / 10)
}
