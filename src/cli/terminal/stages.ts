import { printError } from './output.ts'
import { createProgress, type Progress } from './progress.ts'

/** Long work in several stages: a line for each, and how far it is where that can be counted. */
export interface Stages {
  stage(text: string): void
  step(done: number, total: number): void
  /** Before anything else is said. */
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
