import { exchange } from './exchange.ts'
import type { Ask } from './load.ts'

/** A comparison of different responses would be meaningless. */
export async function checkSame(ask: Ask, port: number, barePort: number): Promise<void> {
  const [ours, theirs] = await Promise.all([exchange(port, ask), exchange(barePort, ask)])
  const [ourHead, theirHead] = [toComparable(ours.head), toComparable(theirs.head)]
  if (ourHead !== theirHead) throw new Error(`the heads differ:\n${ourHead}\nbare:\n${theirHead}`)
  if (!ours.body.equals(theirs.body)) throw new Error('the bodies differ')
}

/** The order of header lines does not matter, and Date may differ by a second. */
function toComparable(head: string): string {
  const [status, ...lines] = head.replace(/\r\nDate: [^\r]*/, '\r\nDate: *').split('\r\n')
  return [status, ...lines.sort()].join('\n')
}
