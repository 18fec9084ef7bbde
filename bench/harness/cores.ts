import { readFileSync } from 'node:fs'

/** Command prefixes that pin load and server to cores. */
export interface Placement {
  readonly generator: readonly string[]
  readonly server: readonly string[]
  readonly text: string
}

const shared: Placement = { generator: [], server: [], text: 'nothing pinned' }

/** One core for the load and another for the server if possible; otherwise the kernel decides. */
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

/** Not all cores of the machine may be available to us. */
function readAllowedCores(): readonly number[] {
  if (process.platform !== 'linux') return []
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}
