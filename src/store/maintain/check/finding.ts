import { toErrorCode } from '../../../error-code.ts'
/** What is wrong: with which record or, where that is null, with the store as a whole. */
export interface Finding {
  readonly id: number | null
  readonly what: string
}

/** Where a check breaks off because the store cannot be read on, that is what it found. */
export async function* toFindings(check: () => Iterable<Finding> | AsyncIterable<Finding>): AsyncGenerator<Finding> {
  try {
    yield* check()
  } catch (error) {
    const code = toErrorCode(error)
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error
    yield { id: null, what: `the file is damaged: it cannot be read to its end (${code})` }
  }
}

/** Told what long work is at. */
export interface CheckListener {
  onStage(text: string): void
  readonly onStep: OnStep
}

/** Told how far a check is, by its own count. */
export type OnStep = (done: number, total: number) => void

/** Every record has at least one line to read; telling each of them would take longer than reading it. */
const stepSize = 1000

/** Counts on, and tells now and then. */
export function createSteps(total: number, onStep: OnStep): () => void {
  let done = 0
  return () => {
    done++
    if (done % stepSize === 0 || done === total) onStep(done, total)
  }
}

/** One line, with the id of the record. */
export function toFindingText({ id, what }: Finding): string {
  return id === null ? what : `record ${id}: ${what}`
}
