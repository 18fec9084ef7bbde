import { sleep } from '../promises.ts'

/** A clock that tests can set. */
export interface Clock {
  now(): number
  /** Also resolves when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = { now: Date.now, sleep }

/** A clock that never jumps: pauses keep their length when the time of the machine is corrected. */
interface SteadyClock extends Clock {
  /** The time of the machine, to compare with what hosts name in Retry-After; else that of `now`. */
  timeOfDay?(): number
}

export const steadyClock: SteadyClock = { now: () => performance.now(), timeOfDay: Date.now, sleep }

/**
 * Sends requests to a host one at a time, at least a second apart, and obeys its Retry-After. Requests to different hosts
 * are spread over the second.
 */
export interface Pacer {
  /**
   * `pause` tells what the host has said in Retry-After. `closed`: the host has asked for a longer pause than a run waits
   * for, or for too many. Throws if the run was stopped before its turn.
   */
  inTurn<Result>(host: string, work: Work<Result>): Promise<Result | 'closed'>
}

type Work<Result> = (pause: (retryAfter: string | undefined) => void) => Promise<Result>

const everyMs = 1_000
/**
 * Between requests to any hosts: those that began together would be asked together in every second, and readers would wait
 * behind the burst (decision 92). Shorter than a fiftieth of a second, so that 50 hosts have room.
 */
const spreadMs = 10
/** Without Retry-After. */
const defaultPauseMs = 60_000
/** The rest of the run skips a host that wants longer pauses, or one for every address. */
const maxPauseMs = 15 * 60_000
const maxPauses = 3

interface Turns {
  tail: Promise<unknown>
  nextMs: number
  /** In a row. */
  pauses: number
  isClosed: boolean
}

export function createPacer({ now, sleep, timeOfDay = now }: SteadyClock, signal: AbortSignal): Pacer {
  const hosts = new Map<string, Turns>()
  let freeMs = 0

  /** Reserves the next free moment, and waits for it. */
  async function spread(): Promise<void> {
    const waitMs = Math.max(0, freeMs - now())
    freeMs = now() + waitMs + spreadMs
    if (waitMs > 0) await sleep(waitMs, signal)
  }

  function find(name: string): Turns {
    // A final dot names the same host.
    const host = name.replace(/\.$/, '')
    const known = hosts.get(host)
    if (known !== undefined) return known
    const turns: Turns = { tail: Promise.resolve(), nextMs: 0, pauses: 0, isClosed: false }
    hosts.set(host, turns)
    return turns
  }

  async function take<Result>(turns: Turns, work: Work<Result>): Promise<Result | 'closed'> {
    if (turns.isClosed) return 'closed'
    await sleep(Math.max(0, turns.nextMs - now()), signal)
    await spread()
    signal.throwIfAborted()
    const asked: { pauseMs: number | null } = { pauseMs: null }
    try {
      return await work((retryAfter) => {
        asked.pauseMs = parseRetryAfter(retryAfter, timeOfDay()) ?? defaultPauseMs
      })
    } finally {
      // A host that asks for no time at all still refuses.
      turns.pauses = asked.pauseMs === null ? 0 : turns.pauses + 1
      const pauseMs = asked.pauseMs ?? 0
      turns.isClosed ||= pauseMs > maxPauseMs || turns.pauses >= maxPauses
      // Counts from the end of the request, so that no host sees two within a second.
      turns.nextMs = now() + Math.max(everyMs, Math.min(pauseMs, maxPauseMs))
    }
  }

  return {
    inTurn(host, work) {
      const turns = find(host)
      const turn = turns.tail.then(() => take(turns, work))
      turns.tail = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Seconds or a date, as milliseconds from now; null if it is neither. */
function parseRetryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined || text.trim() === '') return null
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
