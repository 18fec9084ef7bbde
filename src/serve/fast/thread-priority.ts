import { dlopen, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** The number of the system call sched_setattr, by processor. */
const callNumbers: { readonly [arch: string]: number } = { arm64: 274, x64: 314 }
/** SCHED_BATCH: the thread gets its usual share of the cores, but does not preempt others when it wakes. */
const batchPolicy = 3

/** A tenth of a busy core. */
const niceness = 10
/** The longest time slice of Linux: a thread with a shorter one preempts this one sooner. */
const sliceNs = 100_000_000n

/** Lets HTTP threads run before this thread (ADR 38). */
export function lowerPriority(): void {
  setPriorities(() => [readlinkSync('/proc/thread-self').split('/').at(-1) ?? ''])
}

/** The same for all threads of this process, those of the runtime included; later threads inherit it. */
export function lowerPriorityOfAll(): void {
  setPriorities(() => readdirSync('/proc/self/task'))
}

/** How soon a new thread of the runtime gets a low priority. */
const runtimePriorityMs = 5_000

/**
 * The same for the runtime's own threads, all but main and the workers: at the usual priority, compilers and collectors
 * run before query threads, which costs a fifth of the lists. The runtime starts such threads at any time, so this is
 * repeated.
 */
export function keepRuntimePriorityLow(): void {
  lowerPriorityOfRuntime()
  setInterval(lowerPriorityOfRuntime, runtimePriorityMs).unref()
}

function lowerPriorityOfRuntime(): void {
  const isOwn = (thread: string) =>
    Number(thread) === process.pid || readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'Worker\n'
  setPriorities(() => readdirSync('/proc/self/task').filter((thread) => attempt(() => isOwn(thread)) === false))
}

function setPriorities(readThreads: () => readonly string[]): void {
  if (process.platform !== 'linux') return
  for (const thread of attempt(readThreads) ?? []) attempt(() => applyPriority(Number(thread)))
}

/** Failure costs only speed: the thread has just ended, there is no /proc, the kernel forbids the call. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** A process that was started with a lower priority keeps it. */
function applyPriority(thread: number): void {
  const nice = Math.max(niceness, getPriority(thread))
  setPriority(thread, nice)
  setPolicy(thread, nice)
}

function setPolicy(thread: number, nice: number): void {
  const call = callNumbers[process.arch]
  if (call === undefined) return
  // struct sched_attr: size, policy, flags, nice, priority, runtime (here the slice, Linux 6.12), deadline, period.
  const attributes = new DataView(new ArrayBuffer(48))
  attributes.setUint32(0, attributes.byteLength, true)
  attributes.setUint32(4, batchPolicy, true)
  attributes.setInt32(16, nice, true)
  attributes.setBigUint64(24, sliceNs, true)
  const { symbols } = dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64'], returns: 'i64' } })
  symbols.syscall(call, thread, ptr(attributes.buffer), 0)
}
