import type { Node } from './nodes.ts'

/** What each node has shown or acknowledged of each record: it must never show less to whoever asks afterwards. */
export interface Floors {
  raise(node: Node, id: number, counter: number): void
  /** Reads, and notes where that gives less than was known when it began; what is null was not shown. */
  check(node: Node, id: number, read: () => Promise<number | null>): Promise<number | null>
  broken(): readonly string[]
  reads(): number
}

export function createFloors(): Floors {
  const floors = new Map<string, number>()
  const broken: string[] = []
  let reads = 0
  const toKey = ({ server }: Node, id: number) => `record ${id} on ${server.url}`
  const raise = (node: Node, id: number, counter: number) => {
    const key = toKey(node, id)
    floors.set(key, Math.max(floors.get(key) ?? 0, counter))
  }
  return {
    raise,
    async check(node, id, read) {
      const floor = floors.get(toKey(node, id)) ?? 0
      const found = await read()
      if (found === null) return null
      reads++
      if (found < floor) broken.push(`${toKey(node, id)}: ${found} after ${floor}`)
      raise(node, id, found)
      return found
    },
    broken: () => broken,
    reads: () => reads,
  }
}
