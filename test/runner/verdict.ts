import type { Result } from './job.ts'

/** More than one failure is not chance. */
const maxRepeated = 1

export type Verdict = {
  readonly passed: number
  readonly failures: readonly string[]
  /** Failures of files that passed when they ran once more, alone, with the output of the first time. */
  readonly unsteady: readonly string[]
}

/** Judges a run. A single process may fail because the machine is busy: it runs once more, alone (decision 64). */
export async function judgeRun(
  results: readonly Result[],
  repeat: (failed: Result) => Promise<Result>,
): Promise<Verdict> {
  const failed = results.filter(({ failures }) => failures.length > 0)
  const mayRepeat = failed.length <= maxRepeated && failed.every(({ job }) => job.files.length > 0)
  const last: Result[] = results.filter(({ failures }) => failures.length === 0)
  const unsteady: string[] = []
  for (const result of failed) {
    const second = mayRepeat ? await repeat(result) : result
    last.push(second)
    if (second.failures.length === 0) unsteady.push(...result.failures, result.output.trimEnd())
  }
  return {
    passed: last.reduce((sum, { passed }) => sum + passed, 0),
    failures: last.flatMap(({ failures }) => failures),
    unsteady,
  }
}
