import { fstatSync, writeSync } from 'node:fs'
import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { toPrintableLines } from '../../record/text/printable.ts'

const [output, errors] = [1, 2]
const retryMs = 5

/** To standard output, at once, without what a terminal would act on. `process.stdout` would write the same, but takes 10 ms to load when it is first used. */
export function print(text: string): void {
  write(output, toPrintableLines(text))
}

/** To standard error, at once, in the same way; what it does not take is not said. */
export function printError(text: string): void {
  write(errors, toPrintableLines(text))
}

/** Begins the last line on standard error, which is a terminal, anew. */
export function restartErrorLine(text: string): void {
  write(errors, `\r\u001b[K${toPrintableLines(text)}`)
}

/** Whether somebody looks on at standard error. What is no device, such as a file or a pipe, is no terminal either. */
export function isErrorTerminal(): boolean {
  return fstatSync(errors).isCharacterDevice() && process.stderr.isTTY === true
}

function write(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += attempt(file, bytes, written)
}

/** How many bytes are done with. */
function attempt(file: number, bytes: Buffer, from: number): number {
  try {
    return writeSync(file, bytes, from)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    // Whoever shares the terminal may have told it not to wait.
    if (code === 'EAGAIN') {
      Bun.sleepSync(retryMs)
      return 0
    }
    // Nobody listens, which is no reason not to end the work.
    if (code === 'EPIPE' || code === 'EBADF' || file === errors) return bytes.length - from
    throw new CommandFailure(exitCodes.cannotCreate, `Standard output could not be written (${code}).`)
  }
}
