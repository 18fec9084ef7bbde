import { writeFileSync, writeSync } from 'node:fs'
import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { toErrorCode } from '../../error-code.ts'
import type { JsonValue } from '../../record/json.ts'
import { toPrintableLines, toShort } from '../../record/text/printable.ts'
import { explainFailure, explainFile } from '../../store/explain-failure.ts'
import { syncWithName } from '../../store/sqlite/atomic-file.ts'

const [output, errors] = [1, 2]
const retryMs = 5

/**
 * Writes to standard output, without control characters that a terminal would act on. Synchronous, so that nothing is
 * lost when the process exits.
 */
export function print(text: string): void {
  write(output, toPrintableLines(text))
}

/** The same on standard error, where failures to write are ignored. */
export function printError(text: string): void {
  write(errors, toPrintableLines(text))
}

/** Replaces the last line on standard error, which is a terminal. */
export function restartErrorLine(text: string): void {
  write(errors, `\r\u001b[K${toPrintableLines(text)}`)
}

function write(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSome(file, bytes, written)
}

/** How many bytes were written, or need not be. */
function writeSome(file: number, bytes: Buffer, from: number): number {
  try {
    return writeSync(file, bytes, from)
  } catch (error) {
    const code = toErrorCode(error)
    // Another program on the same terminal may have made it non-blocking.
    if (code === 'EAGAIN') {
      Bun.sleepSync(retryMs)
      return 0
    }
    // The reader has gone, which is no reason to stop working.
    if (code === 'EPIPE' || code === 'EBADF' || file === errors) return bytes.length - from
    throw new CommandFailure(exitCodes.cannotCreate, `Cannot write to standard output (${code}).`)
  }
}

const maxShown = 200

/** A value on one line. */
export const toShown = (value: JsonValue) => toShort(JSON.stringify(value), maxShown)

/** Creates the file before the work starts, so that an unwritable path fails early. */
export function openReport(path: string | undefined): (text: string) => void {
  if (path === undefined) return () => undefined
  const explain = explainFile(`write the report ${path}`)
  explainFailure(explain, () => writeFileSync(path, ''))
  return (text) =>
    explainFailure(explain, () => {
      writeFileSync(path, text)
      syncWithName(path)
    })
}
