import { join } from 'node:path'
import type { Children } from './children.ts'
import { readLines } from './lines.ts'

/** Readers of the change feed that check its events, in a separate process. */
interface StreamReaders {
  /**
   * Resolves once every reader has this change; throws if one got a change twice, out of order, or lost its connection.
   */
  waitFor(seq: number): Promise<void>
  end(): Promise<void>
}

const program = join(import.meta.dir, 'stream-program.ts')

/** Opens `count` streams that start after the given change. */
export async function openStreams(
  port: number,
  count: number,
  last: number,
  children: Children,
): Promise<StreamReaders> {
  const command = [process.execPath, '--no-env-file', program, String(port), String(count), String(last)]
  const child = children.keep(Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }))
  const lines = readLines(child.stdout)

  async function expectLine(wanted: string): Promise<void> {
    const line = await lines.next()
    if (line.value === wanted) return
    throw new Error(`readers of the change feed ended with ${await child.exited}: ${await child.stderr.text()}`)
  }

  await expectLine('open')
  return {
    async waitFor(seq) {
      child.stdin.write(`${seq}\n`)
      child.stdin.flush()
      await expectLine(String(seq))
    },
    async end() {
      child.stdin.end()
      await child.exited
    },
  }
}
