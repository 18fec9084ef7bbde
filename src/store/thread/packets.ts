import type { QueryAnswer, Reply, Request, WriterAnswer } from './messages.ts'

/*
 * What threads often say to each other goes as one text: copying that takes half the time of cloning objects, on a
 * thread that readers wait for. Requests are JSON. Replies are JSON, then a line's end, which JSON has none of, then the
 * bytes that belong to them, a character each.
 */

/** An answer in two pieces: what JSON can say, and its bytes. */
export interface Pieces<Answer> {
  readonly said: Answer
  readonly bytes: Uint8Array
}

/** How the answers of a thread are taken apart and put together again. */
export interface Packing<Answer> {
  /** Null for what is said seldom, or not in JSON: then all that goes with it is cloned. */
  split(answer: Answer): Pieces<Answer> | null
  join(said: Answer, bytes: Uint8Array): Answer
}

/** Text, or the replies themselves. */
export type Packet<Answer> = string | readonly Reply<Answer>[]

/** Of each answer: whose it is, what it says, and how many bytes belong to it. */
type Line<Answer> = readonly [number: number, said: Answer, bytes: number]

export function packRequests<Ask>(requests: readonly Request<Ask>[]): string {
  return JSON.stringify(requests)
}

export function unpackRequests<Ask>(packet: string): readonly Request<Ask>[] {
  return JSON.parse(packet)
}

export function packReplies<Answer>(replies: readonly Reply<Answer>[], packing: Packing<Answer>): Packet<Answer> {
  const lines: Line<Answer>[] = []
  let rest = ''
  for (const { number, answer } of replies) {
    const pieces = packing.split(answer)
    if (pieces === null) return replies
    const { said, bytes } = pieces
    lines.push([number, said, bytes.byteLength])
    rest += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
  return `${JSON.stringify(lines)}\n${rest}`
}

export function unpackReplies<Answer>(packet: Packet<Answer>, packing: Packing<Answer>): readonly Reply<Answer>[] {
  if (typeof packet !== 'string') return packet
  const end = packet.indexOf('\n')
  const lines: readonly Line<Answer>[] = JSON.parse(packet.slice(0, end))
  let at = end + 1
  return lines.map(([number, said, length]) => {
    const bytes = Buffer.from(packet.slice(at, at + length), 'latin1')
    at += length
    return { number, answer: packing.join(said, bytes) }
  })
}

/** For answers of which none is worth it. */
export const cloned: Packing<never> = { split: () => null, join: (said) => said }

const taken = new Uint8Array()

export const outcomes: Packing<WriterAnswer> = {
  split(outcome) {
    if (outcome.is !== 'stored') return null
    const { body } = outcome.stored
    return { said: { ...outcome, stored: { ...outcome.stored, body: taken } }, bytes: body }
  },
  join: (said, body) => (said.is === 'stored' ? { ...said, stored: { ...said.stored, body } } : said),
}

export const pages: Packing<QueryAnswer> = {
  split(page) {
    if (typeof page === 'string' || !('results' in page) || page.results === null) return null
    return { said: { ...page, results: taken }, bytes: page.results }
  },
  join: (said, results) => (typeof said !== 'string' && 'results' in said ? { ...said, results } : said),
}
