import { toAscii, toBodyText } from '../../record/json/body-bytes.ts'
import type { PortReply, PortRequest, QueryReply, WriterReply } from './messages.ts'

/*
 * What threads often say to each other goes as one text: copying that takes two thirds of the time of cloning objects,
 * on a thread that readers wait for. Requests are JSON. Replies are JSON, then a line's end, which JSON has none of,
 * then the long texts that belong to them, as they are.
 */

/** An answer in two pieces: its long text, and the rest. */
export interface Pieces<Answer> {
  readonly rest: Answer
  readonly text: string
}

/** How the answers of a thread are taken apart and put together again. */
export interface Packing<Answer> {
  /** Null for what is said seldom, or not in JSON: then all that goes with it is cloned. */
  split(answer: Answer): Pieces<Answer> | null
  join(rest: Answer, text: string): Answer
}

/** Text, or the replies themselves. */
export type Packet<Answer> = string | readonly PortReply<Answer>[]

/** Of each answer: whose it is, what it is without its text, and how long that is. */
type Line<Answer> = readonly [number: number, rest: Answer, length: number]

export function packRequests<Ask>(requests: readonly PortRequest<Ask>[]): string {
  return JSON.stringify(requests)
}

export function unpackRequests<Ask>(packet: string): readonly PortRequest<Ask>[] {
  return JSON.parse(packet)
}

export function packReplies<Answer>(replies: readonly PortReply<Answer>[], packing: Packing<Answer>): Packet<Answer> {
  const lines: Line<Answer>[] = []
  let texts = ''
  for (const { number, answer } of replies) {
    const pieces = packing.split(answer)
    if (pieces === null) return replies
    lines.push([number, pieces.rest, pieces.text.length])
    texts += pieces.text
  }
  // ASCII, as the texts are: one other character would make all of it twice as large.
  return `${toAscii(JSON.stringify(lines))}\n${texts}`
}

export function unpackReplies<Answer>(packet: Packet<Answer>, packing: Packing<Answer>): readonly PortReply<Answer>[] {
  if (typeof packet !== 'string') return packet
  const end = packet.indexOf('\n')
  const lines: readonly Line<Answer>[] = JSON.parse(packet.slice(0, end))
  let at = end + 1
  return lines.map(([number, rest, length]) => {
    const text = packet.slice(at, at + length)
    at += length
    return { number, answer: packing.join(rest, text) }
  })
}

/** For answers of which none is worth it. */
export const cloned: Packing<never> = { split: () => null, join: (rest) => rest }

const noBytes = new Uint8Array()

export const outcomes: Packing<WriterReply> = {
  split(outcome) {
    if (outcome.is !== 'stored') return null
    const { stored } = outcome
    return { rest: { ...outcome, stored: { ...stored, body: noBytes } }, text: toBodyText(stored.body) }
  },
  join(rest, text) {
    if (rest.is !== 'stored') return rest
    return { ...rest, stored: { ...rest.stored, body: Buffer.from(text, 'latin1') } }
  },
}

/** Whatever is read of the store is JSON, and some of it a long text; what is wrong with a question is not. */
export const pages: Packing<QueryReply> = {
  split(page) {
    if (page === null || typeof page === 'string') return { rest: page, text: '' }
    if ('text' in page) return { rest: { ...page, text: '' }, text: page.text }
    // It stands in a Map.
    return 'problem' in page ? null : { rest: page, text: '' }
  },
  join: (rest, text) => (typeof rest === 'object' && rest !== null && 'text' in rest ? { ...rest, text } : rest),
}
