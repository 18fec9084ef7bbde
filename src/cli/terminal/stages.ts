import { printError } from './output.ts'
import { createProgress, type Progress } from './progress.ts'

/** Reports long work on standard error: a line for each stage, with its progress where that can be counted. */
export interface Stages {
  stage(text: string): void
  step(done: number, total: number): void
  /** Finishes the progress line, before anything else is printed. */
  end(): void
}

export function createStages(): Stages {
  let what = ''
  let progress: Progress | null = null

  function end(): void {
    progress?.end()
    progress = null
  }

  return {
    end,
    stage(text) {
      end()
      what = text
      printError(`${text} …\n`)
    },
    step(done, total) {
      progress ??= createProgress(what, total)
      progress.update(done)
    },
  }
}
