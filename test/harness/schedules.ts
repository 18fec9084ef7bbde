import { readdirSync, readFileSync } from 'node:fs'

/** How Linux schedules a thread. */
export interface Schedule {
  readonly niceness: number
  /** 0 is the usual policy, 3 SCHED_BATCH. */
  readonly policy: number
}

/** Of each thread of a process, in the order in which they began. */
export function readSchedules(pid: number): readonly Schedule[] {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number)
  return threads
    .sort((a, b) => a - b)
    .map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      // Behind the name, which may have blanks.
      const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { niceness: Number(words[16]), policy: Number(words[38]) }
    })
}
