import { createCounters, createPrimaryBuffer } from '../../counters.ts'
import type { Server } from './server.ts'

/** What the threads of a node share of its primary; a command has some of its own. */
export interface NodeMemory {
  readonly primary: SharedArrayBuffer
  /** The counters that caches look at; null where nothing is cached. */
  readonly counters: SharedArrayBuffer | null
}

/** Why a server that takes writes is not used. */
export type RefusedServer = 'older' | 'foreign'
export type Verdict = RefusedServer | 'good'

/**
 * Which of an address's hosts is the primary, for all threads of a node. Each promotion gives a server a later timeline,
 * so of two that take writes the one with the later timeline is right, and one that is older than any seen before is
 * never used again. (ADR 33)
 */
export interface Timeline {
  /** Host and timeline as one number: another one as soon as the primary is another one; 0 where none is known yet. */
  load(): bigint
  /** The place of the primary among the hosts; null where none is known yet. */
  loadPlace(): number | null
  judge(server: Server): Verdict
  /** Whether it takes writes, and was promoted after the one that is known. */
  isLater(server: Server): boolean
  /** Whether it is that, or the one that is known itself: whatever the other hosts say, it can be connected to. */
  isCertain(place: number, server: Server): boolean
  /** Whether it may be that the primary is another one, and nobody has noticed: it is not heard of just now. */
  isDoubtful(): boolean
  /**
   * From now on all threads use this server, unless it is refused. What is cached of another one is forgotten. Gives what
   * `load` gives for as long as that is so.
   */
  admit(place: number, server: Server): bigint | RefusedServer
  /** Told by the thread that listens: why the node serves nothing; null while it does. */
  setRefusal(refusal: RefusedServer | null): void
  loadRefusal(): RefusedServer | null
}

const primaryCell = 0
const systemCell = 1
const refusalCell = 2
const placeBits = 16n
const refusals: readonly (RefusedServer | null)[] = [null, 'older', 'foreign']

/** For whoever has no other threads to agree with. */
export const createOwnMemory = (): NodeMemory => ({ primary: createPrimaryBuffer(), counters: null })

/** `counters` are the caller's own, where it has some: it may know that it stood still itself. */
export function createTimeline(memory: NodeMemory, counters = toCounters(memory)): Timeline {
  const shared = new BigInt64Array(memory.primary)
  const load = () => Atomics.load(shared, primaryCell)

  /** Nothing is kept until it is heard what the new primary commits. */
  function forget(): void {
    counters?.setBehind(true)
    counters?.bumpAll()
  }

  function judge({ system, timeline }: Server): Verdict {
    const known = Atomics.load(shared, systemCell)
    if (known !== 0n && known !== system) return 'foreign'
    return timeline < toTimeline(load()) ? 'older' : 'good'
  }

  function admit(place: number, server: Server): bigint | RefusedServer {
    Atomics.compareExchange(shared, systemCell, 0n, server.system)
    const next = toPrimaryKey(place, server.timeline)
    for (;;) {
      const known = load()
      const verdict = judge(server)
      if (verdict !== 'good') return verdict
      if (next === known) return next
      // Before, so that nobody who uses the new one finds anything of the old one; and after, since what was heard of
      // the old one in between may have been trusted.
      forget()
      const found = Atomics.compareExchange(shared, primaryCell, known, next)
      forget()
      if (found === known) return next
    }
  }

  function isLater(server: Server): boolean {
    const known = load()
    return !server.isStandby && known !== 0n && judge(server) === 'good' && server.timeline > toTimeline(known)
  }

  return {
    load,
    loadPlace: () => toPlace(load()),
    judge,
    isLater,
    isCertain: (place, server) => isLater(server) || (judge(server) === 'good' && place === toPlace(load())),
    isDoubtful: () => counters?.isBehind() ?? false,
    admit,
    setRefusal: (refusal) => void Atomics.store(shared, refusalCell, BigInt(refusals.indexOf(refusal))),
    loadRefusal: () => refusals[Number(Atomics.load(shared, refusalCell))] ?? null,
  }
}

const toCounters = ({ counters }: NodeMemory) => (counters === null ? null : createCounters(counters))
const toPrimaryKey = (place: number, timeline: number) => (BigInt(timeline) << placeBits) | BigInt(place + 1)
const toTimeline = (primaryKey: bigint) => Number(primaryKey >> placeBits)
const toPlace = (primaryKey: bigint) => (primaryKey === 0n ? null : Number(primaryKey & ((1n << placeBits) - 1n)) - 1)
