import { lowerPriority } from '../../src/serve/thread-priority.ts'
import { createJobs } from './job.ts'
import type { Load, Sample } from './load.ts'
import { LoadClient, type OnDone } from './load-client.ts'
import { createEagerPacing, createSteadyPacing } from './pacing.ts'

/** How long to wait for responses after the end. */
const graceMs = 5_000

// The only argument is the load as JSON, from generator.ts; each line of input starts another run.
const load: Load = JSON.parse(process.argv[2] ?? '')
try {
  if (load.givesWay) lowerPriority()
  for await (const _line of console) process.stdout.write(`${JSON.stringify(await drive(load))}\n`)
  process.exit(0)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

/** Generates the load and counts the responses. */
async function drive({ port, connections, durationMs, perSecond }: Load): Promise<Sample> {
  const takeJob = createJobs(load)
  const tally = createTally()
  const idle: LoadClient[] = []
  let endMs = 0

  function work(client: LoadClient): void {
    if (client.isLost) return
    const releasedMs = pacing.take(performance.now())
    if (releasedMs === null) idle.push(client)
    else client.send(takeJob(), releasedMs)
  }

  const onDone: OnDone = (client, releasedMs, problem) => {
    const nowMs = performance.now()
    tally.add(nowMs - releasedMs, nowMs <= endMs, problem)
    work(client)
  }

  const clients = Array.from({ length: connections }, () => new LoadClient(onDone))
  await Promise.all(clients.map((client) => client.connect(port)))
  const startMs = performance.now()
  endMs = startMs + durationMs
  const pacing = perSecond === null ? createEagerPacing(endMs) : createSteadyPacing(startMs, endMs, perSecond)
  for (const client of clients) work(client)
  while (performance.now() < endMs) {
    await Bun.sleep(perSecond === null ? endMs - performance.now() : 1)
    pacing.tick(performance.now())
    for (const client of idle.splice(0)) work(client)
  }
  const countBusy = () => clients.filter((client) => client.isBusy).length
  while (countBusy() > 0 && performance.now() < endMs + graceMs) await Bun.sleep(5)
  if (countBusy() > 0) tally.add(0, false, `no answer on ${countBusy()} connections`)
  for (const client of clients) client.end()
  return tally.toSample(durationMs)
}

function createTally() {
  const latenciesMs: number[] = []
  let answers = 0
  let problems = 0
  let firstProblem = ''
  return {
    add(latencyMs: number, isInTime: boolean, problem: string | null): void {
      if (problem === null) answers++
      else if (problems++ === 0) firstProblem = problem
      if (problem === null && isInTime) latenciesMs.push(latencyMs)
    },
    toSample(durationMs: number): Sample {
      const sorted = Float64Array.from(latenciesMs).sort()
      const toQuantile = (part: number) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
      return {
        answers,
        perSecond: (latenciesMs.length * 1000) / durationMs,
        p50Ms: toQuantile(0.5),
        p99Ms: toQuantile(0.99),
        problem: problems === 0 ? null : `${problems} went wrong, first: ${firstProblem.slice(0, 500)}`,
      }
    },
  }
}
