import { toErrorCode } from '../../../error-code.ts'

/** A problem with a record, or with the whole store if `id` is null. */
export interface StoreProblem {
  readonly id: number | null
  readonly what: string
}

/** Turns damage that a check cannot read past into a problem. */
export async function* reportDamage(
  check: () => Iterable<StoreProblem> | AsyncIterable<StoreProblem>,
): AsyncGenerator<StoreProblem> {
  try {
    yield* check()
  } catch (error) {
    const code = toErrorCode(error)
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error
    yield { id: null, what: `the file is damaged: it cannot be read to its end (${code})` }
  }
}

/** Progress of a long check or copy. */
export interface CheckListener {
  onStage(text: string): void
  readonly onStep: OnStep
}

/** Called with the number of rows done and their total. */
export type OnStep = (done: number, total: number) => void

/** Reporting every row would take longer than reading it. */
const stepSize = 1000

/** Counts rows and reports every thousandth. */
export function createSteps(total: number, onStep: OnStep): () => void {
  let done = 0
  return () => {
    done++
    if (done % stepSize === 0 || done === total) onStep(done, total)
  }
}

/** One line, with the id of the record. */
export function toProblemText({ id, what }: StoreProblem): string {
  return id === null ? what : `record ${id}: ${what}`
}
