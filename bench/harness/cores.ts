import { readFileSync } from 'node:fs'

/** Where load and server run, as what stands in front of their commands. */
export interface Placement {
  readonly generator: readonly string[]
  readonly server: readonly string[]
  readonly text: string
}

const shared: Placement = { generator: [], server: [], text: 'nothing pinned' }

/** A core for the load and another for the server where that can be had, else whatever the kernel likes. */
export function toPlacement(isPinned: boolean): Placement {
  if (!isPinned) return shared
  const taskset = Bun.which('taskset')
  const [first, second] = readAllowedCores()
  if (taskset === null) return { ...shared, text: 'nothing pinned, for want of taskset' }
  if (first === undefined || second === undefined) return { ...shared, text: 'nothing pinned, for want of two cores' }
  const pinTo = (core: number) => [taskset, '-c', String(core)]
  return {
    generator: pinTo(first),
    server: pinTo(second),
    text: `load on core ${first}, all threads of the server on core ${second}`,
  }
}

/** Not all cores of the machine need be ours. */
function readAllowedCores(): readonly number[] {
  if (process.platform !== 'linux') return []
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}
