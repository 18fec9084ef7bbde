import { type Job, type Result, runJob } from './job.ts'

/** Runs jobs in parallel. Prints a line for each that ended, and the whole output of those that failed. */
export function createQueue(scratch: string, total: number) {
  const results: Result[] = []
  const stopping = new AbortController()
  let started = 0

  async function run(jobs: readonly Job[], workers: number): Promise<void> {
    const waiting = [...jobs]
    const work = async () => {
      for (let job = waiting.shift(); job !== undefined && !stopping.signal.aborted; job = waiting.shift()) {
        const result = await runJob(job, scratch, started++, stopping.signal)
        results.push(result)
        console.log(toProgress(result, results.length, total))
      }
    }
    await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work))
  }

  /** Runs a failed job once more, with nothing else running. After a stop it stays failed. */
  async function repeat(failed: Result): Promise<Result> {
    if (stopping.signal.aborted) return failed
    const { job } = failed
    const again = { ...job, name: `${job.name} (once more, alone)` }
    const result = await runJob(again, scratch, started++, stopping.signal)
    console.log(toProgress(result, results.length, total))
    return result
  }

  /** Ends the running jobs, and starts no others. */
  return { run, repeat, results, stop: () => stopping.abort() }
}

function toProgress(result: Result, done: number, total: number): string {
  const count = `[${String(done).padStart(String(total).length)}/${total}]`
  const cost = `${result.seconds.toFixed(1)} s, CPU ${result.cpuSeconds.toFixed(1)} s`
  const { job, passed, failures } = result
  if (failures.length === 0) return `${count} ${job.name}: ${passed} passed (${cost})`
  return `\n${result.output.trimEnd()}\n${count} ${job.name}: ${passed} passed, ${failures.length} FAILED (${cost})\n`
}
