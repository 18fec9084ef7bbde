/** The refusals in a log: each event with its address, once. */
export function listRefusals(log: string): readonly string[] {
  const lines = log.split('\n').slice(0, -1)
  const refusals = lines
    .filter((line) => /"event":"(?:token|sign-in|too many)/.test(line))
    .map((line) => JSON.parse(line))
  return [...new Set(refusals.map(({ event, address }) => `${event} ${address}`))].sort()
}
