import type { Answer } from '../faults/connection.ts'
import { toWritten } from '../faults/record-client.ts'
import type { Floors } from './floors.ts'
import { type Node, type Nodes, pick, toCounter } from './nodes.ts'

/** One writer's record: each number is written once, in order, and what became of it is noted. */
export interface Writer {
  readonly id: number
  sent: number
  readonly acknowledged: Set<number>
  /** The answer said that nothing was changed. */
  readonly refused: Set<number>
  /** The answer said that nobody knows. */
  readonly unknown: Set<number>
}

export interface Load {
  readonly writers: readonly Writer[]
  /** Answers that nobody should ever get. */
  readonly surprises: readonly string[]
  stop(): Promise<void>
}

const restMs = 30
/** What a write may be answered while PostgreSQL is away: that nothing was changed, each with this code. */
const refusals = ['down', 'busy', 'unreadable']

export async function createWriter({ any }: Nodes): Promise<Writer> {
  const { id } = toWritten(await any().client.create({ title: 'Under load', whiteboard: '0' }))
  return { id, sent: 0, acknowledged: new Set([0]), refused: new Set(), unknown: new Set() }
}

/** Writes and reads on all nodes as fast as answers come, until it is stopped. */
export function startLoad(nodes: Nodes, writers: readonly Writer[], floors: Floors): Load {
  const surprises: string[] = []
  let isOver = false
  const repeat = async (step: () => Promise<boolean>) => {
    while (!isOver) if (!(await step())) await Bun.sleep(restMs)
  }
  const writing = writers.map((writer) => repeat(() => write(nodes.any(), writer, floors, surprises)))
  const reading = nodes.all.map((node) => repeat(() => read(node, pick(writers).id, floors, surprises)))
  const done = Promise.all([...writing, ...reading])
  return {
    writers,
    surprises,
    async stop() {
      isOver = true
      await done
    },
  }
}

/** Whether it was done. */
export async function write(node: Node, writer: Writer, floors: Floors, surprises: string[]): Promise<boolean> {
  const number = ++writer.sent
  const answer = await node.client.patch(writer.id, { whiteboard: String(number) })
  if (answer.status === 200) {
    writer.acknowledged.add(number)
    floors.raise(node, writer.id, number)
    return true
  }
  const code = toCode(answer)
  if (code === 'unknown') writer.unknown.add(number)
  else if (refusals.includes(code)) writer.refused.add(number)
  else surprises.push(`write: ${answer.status} ${answer.body}`)
  if (answer.status === 503 && !answer.headers.has('retry-after')) surprises.push('a 503 without Retry-After')
  return false
}

export async function read(node: Node, id: number, floors: Floors, surprises: string[]): Promise<boolean> {
  const found = await floors.check(node, id, async () => {
    const answer = await node.client.read(id)
    if (answer.status !== 200 && toCode(answer) !== 'unreadable')
      surprises.push(`read: ${answer.status} ${answer.body}`)
    return toCounter(answer)
  })
  return found !== null
}

/** Which problem it is: what its type ends with. */
export function toCode({ body }: Answer): string {
  const { type }: { type?: string } = JSON.parse(body)
  return type?.split(':').at(-1) ?? 'none'
}
