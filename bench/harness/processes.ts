import { existsSync, readFileSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second, regardless of its own clock. */
const ticksPerSecond = 100

/** User and kernel time of a process and its children; null if the system does not report it. */
export function readCpuSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may hold anything, come the third field and the rest; the times are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  return readChildren(pid).reduce((sum, child) => sum + (readCpuSeconds(child) ?? 0), own)
}

function readChildren(pid: number): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  const text = existsSync(list) ? readFileSync(list, 'utf8').trim() : ''
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Private memory, without mapped files; null if the system does not report it. */
export function readOwnBytes(pid: number): number | null {
  return readStatus(pid, 'RssAnon')
}

/** All resident memory. */
export function readResidentBytes(pid: number): number | null {
  return readStatus(pid, 'VmRSS')
}

function readStatus(pid: number, name: string): number | null {
  if (process.platform !== 'linux') return null
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  const kilobytes = /(\d+) kB/.exec(lines.find((line) => line.startsWith(`${name}:`)) ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}
