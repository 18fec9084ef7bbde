import { getPriority, setPriority } from 'node:os'

/** A tenth of a busy core. */
const niceness = 10

/**
 * Lets HTTP threads run before the calling thread and those that it starts (decision 77). Only Linux sets the priority
 * of a single thread; elsewhere the call would slow the whole process. A process that was started with a lower priority
 * keeps it.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()))
}
