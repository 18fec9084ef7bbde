import { createCounters, createPrimaryBuffer } from '../../counters.ts'
import type { Server } from './server.ts'

/** Shared memory of the threads of a node; a command has its own. */
export interface NodeMemory {
  readonly primary: SharedArrayBuffer
  /** The counters that validate caches; null if nothing is cached. */
  readonly counters: SharedArrayBuffer | null
}

/** Why a server that takes writes is not used. */
export type RefusedServer = 'older' | 'foreign'
type Verdict = RefusedServer | 'good'

/**
 * Which host is the primary, for all threads of a node. Each promotion starts a later timeline: of two servers that
 * take writes, the one with the later timeline is the primary, and a server with an older timeline than one seen before
 * is never used again (decision 33).
 */
export interface Timeline {
  /** A key of host and timeline, which changes when the primary changes; 0 if none is known yet. */
  load(): bigint
  /** The index of the primary among the hosts; null if none is known yet. */
  loadHostIndex(): number | null
  /** The timeline of the primary; 0 if none is known yet. */
  loadTimeline(): number
  judge(server: Server): Verdict
  /** Whether it takes writes, and was promoted after the known primary. */
  isLater(server: Server): boolean
  /** Whether it is later than the known primary or is the known primary, so that the other hosts need not be asked. */
  isCertain(hostIndex: number, server: Server): boolean
  /** Whether the primary may have changed unnoticed, because notifications are missing. */
  isIndeterminate(): boolean
  /**
   * Makes all threads use this server, unless it is refused, and invalidates caches if it is another one. Returns its
   * key, which `load` returns until the primary changes.
   */
  admit(hostIndex: number, server: Server): bigint | RefusedServer
  /** A host of the same cluster has reported its timeline. Before a primary is known, this has no effect. */
  hear(hostIndex: number, server: Server): void
  /** Whether this host has reported its timeline since the start. */
  hasReported(hostIndex: number): boolean
  /** The latest timeline that a host has reported. */
  loadNewest(): number
  /**
   * Whether more than half of the hosts have reported their timeline, and none has reported a later one than that of the
   * primary. Once true, it stays true (decision 67).
   */
  isConfirmed(hostCount: number): boolean
  /** Set by the notification thread: why the node cannot serve; null while it can. */
  setRefusal(refusal: RefusedServer | null): void
  loadRefusal(): RefusedServer | null
}

const primaryCell = 0
const systemCell = 1
const refusalCell = 2
/** One bit per host. */
const reportedCell = 3
const newestCell = 4
const confirmedCell = 5
const indexBits = 16n
const refusals: readonly (RefusedServer | null)[] = [null, 'older', 'foreign']

/** For a process with one thread. */
export const createOwnMemory = (): NodeMemory => ({ primary: createPrimaryBuffer(), counters: null })

/** `counters`: the caller's own, so that it notices missing beats itself (`seeBeats`). */
export function createTimeline(memory: NodeMemory, counters = toCounters(memory)): Timeline {
  const shared = new BigInt64Array(memory.primary)
  const load = () => Atomics.load(shared, primaryCell)

  /** Nothing is cached until notifications of the new primary arrive. */
  function forget(): void {
    counters?.setBehind(true)
    counters?.bumpAll()
  }

  function judge({ system, timeline }: Server): Verdict {
    const known = Atomics.load(shared, systemCell)
    if (known !== 0n && known !== system) return 'foreign'
    return timeline < toTimeline(load()) ? 'older' : 'good'
  }

  function admit(hostIndex: number, server: Server): bigint | RefusedServer {
    Atomics.compareExchange(shared, systemCell, 0n, server.system)
    const next = toPrimaryKey(hostIndex, server.timeline)
    for (;;) {
      const known = load()
      const verdict = judge(server)
      if (verdict !== 'good') return verdict
      if (next === known) return next
      // Before, so that no thread that uses the new primary finds cached data of the old one; and after, because a
      // notification of the old one may have lifted that in between.
      forget()
      const found = Atomics.compareExchange(shared, primaryCell, known, next)
      forget()
      if (found === known) return next
    }
  }

  function hear(hostIndex: number, { system, timeline }: Server): void {
    if (Atomics.load(shared, systemCell) !== system) return
    for (let known = loadNewest(); known < timeline; known = loadNewest()) {
      Atomics.compareExchange(shared, newestCell, BigInt(known), BigInt(timeline))
    }
    Atomics.or(shared, reportedCell, 1n << BigInt(hostIndex))
  }

  const loadNewest = () => Number(Atomics.load(shared, newestCell))
  const hasReported = (hostIndex: number) => ((Atomics.load(shared, reportedCell) >> BigInt(hostIndex)) & 1n) === 1n

  function isConfirmed(hostCount: number): boolean {
    if (hostCount === 1 || Atomics.load(shared, confirmedCell) === 1n) return true
    const told = Array.from({ length: hostCount }, (_, hostIndex) => hasReported(hostIndex)).filter(Boolean)
    const isNow = 2 * told.length > hostCount && load() !== 0n && toTimeline(load()) >= loadNewest()
    if (isNow) Atomics.store(shared, confirmedCell, 1n)
    return isNow
  }

  function isLater(server: Server): boolean {
    const known = load()
    return !server.isStandby && known !== 0n && judge(server) === 'good' && server.timeline > toTimeline(known)
  }

  return {
    load,
    loadHostIndex: () => toHostIndex(load()),
    loadTimeline: () => toTimeline(load()),
    judge,
    isLater,
    isCertain: (hostIndex, server) =>
      isLater(server) || (judge(server) === 'good' && hostIndex === toHostIndex(load())),
    isIndeterminate: () => counters?.isBehind() ?? false,
    admit,
    hear,
    hasReported,
    loadNewest,
    isConfirmed,
    setRefusal: (refusal) => void Atomics.store(shared, refusalCell, BigInt(refusals.indexOf(refusal))),
    loadRefusal: () => refusals[Number(Atomics.load(shared, refusalCell))] ?? null,
  }
}

const toCounters = ({ counters }: NodeMemory) => (counters === null ? null : createCounters(counters))
const toPrimaryKey = (hostIndex: number, timeline: number) => (BigInt(timeline) << indexBits) | BigInt(hostIndex + 1)
const toTimeline = (primaryKey: bigint) => Number(primaryKey >> indexBits)
const toHostIndex = (primaryKey: bigint) =>
  primaryKey === 0n ? null : Number(primaryKey & ((1n << indexBits) - 1n)) - 1
