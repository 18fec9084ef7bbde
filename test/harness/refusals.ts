/** How many refusals a log counts, by event and address. */
export function sumRefusals(log: string): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const line of log
    .split('\n')
    .slice(0, -1)
    .filter((line) => /"event":"(?:token|sign-in|too many)/.test(line))) {
    const { event, address, count } = JSON.parse(line) as { event: string; address: string; count: number }
    sums[`${event} ${address}`] = (sums[`${event} ${address}`] ?? 0) + count
  }
  return sums
}
