import { isErrorTerminal, printError, restartErrorLine } from './output.ts'

export interface Progress {
  /** So many are done. */
  update(done: number): void
  end(): void
}

const barWidth = 30
const terminalMs = 100
const plainMs = 5_000

/** Shows how far long work is: a bar on a terminal, a line now and then elsewhere. On standard error, both. */
export function createProgress(what: string, total: number | null): Progress {
  const isTerminal = isErrorTerminal()
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

/** With commas, as toLocaleString would: but that takes 10 ms when it is first asked. */
function toNumber(value: number): string {
  const digits = String(value)
  return digits.length <= 3 ? digits : `${toNumber(Math.floor(value / 1000))},${digits.slice(-3)}`
}

function toBar(part: number): string {
  const full = Math.round(Math.min(1, part) * barWidth)
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`
}

function toDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`
}
