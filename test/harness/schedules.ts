import { readdirSync, readFileSync } from 'node:fs'

/** How Linux schedules a thread. */
interface Schedule {
  readonly thread: number
  readonly name: string
  readonly niceness: number
}

/** Reads the schedule of each thread of a process. */
export function readSchedules(pid: number): readonly Schedule[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const stat = readStat(`/proc/${pid}/task/${thread}/stat`)
    // The name is in parentheses and may contain any character.
    const [begin, end] = [stat.indexOf('('), stat.lastIndexOf(')')]
    const words = stat.slice(end + 2).split(' ')
    if (end < 0) return []
    const name = stat.slice(begin + 1, end)
    return [{ thread: Number(thread), name, niceness: Number(words[16]) }]
  })
}

function readStat(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The thread has ended in the meantime.
    return ''
  }
}
