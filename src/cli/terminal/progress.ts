import { isatty } from 'node:tty'
import { toNumber } from '../../record/text/counted.ts'
import { printError, restartErrorLine } from './output.ts'

export interface Progress {
  update(done: number): void
  end(): void
}

const barWidth = 30
const terminalMs = 100
const plainMs = 5_000

/** Shows the progress of long work on standard error: a bar on a terminal, a line every few seconds elsewhere. */
export function createProgress(what: string, total: number | null): Progress {
  const isTerminal = isatty(2)
  const startedMs = performance.now()
  let shownMs = startedMs
  let last = 0

  function toText(done: number): string {
    const seconds = Math.max(0.001, (performance.now() - startedMs) / 1000)
    const rate = Math.round(done / seconds)
    const speed = `${toNumber(rate)} a second`
    if (total === null || total === 0) return `${what}: ${toNumber(done)}, ${speed}`
    const left = rate === 0 ? '' : `, ${toDuration((total - done) / rate)} left`
    const counts = `${toNumber(done)} of ${toNumber(total)}`
    return `${what}: ${isTerminal ? `${toBar(done / total)} ` : ''}${counts}, ${speed}${left}`
  }

  function show(done: number, isLast: boolean): void {
    shownMs = performance.now()
    if (isTerminal) restartErrorLine(`${toText(done)}${isLast ? '\n' : ''}`)
    else printError(`${toText(done)}\n`)
  }

  return {
    update(done) {
      last = done
      if (performance.now() - shownMs >= (isTerminal ? terminalMs : plainMs)) show(done, false)
    },
    end: () => show(last, true),
  }
}

function toBar(part: number): string {
  const full = Math.round(Math.min(1, part) * barWidth)
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`
}

function toDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`
}

/** Reports long work on standard error: a line for each stage, with its progress if that can be counted. */
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
