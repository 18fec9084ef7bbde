import { dlopen, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Of sched_setattr, by processor. */
const callNumbers: { readonly [arch: string]: number } = { arm64: 274, x64: 314 }
/** SCHED_BATCH: its share of the cores is the usual one, but waking up interrupts nobody. */
const batchPolicy = 3
/** The longest slice that Linux gives: whoever asks for a shorter one, as all others do, need not wait for its end. */
const sliceNs = 100_000_000n
/** Enough for a reader's thread that has just worked to be next all the same, and a tenth of a core where all are taken. */
const niceness = 10

/**
 * Lets this thread give way to those that answer readers: it never interrupts them, and is interrupted as soon as one
 * of them wakes. On Linux each thread has a policy and a priority of its own; since 6.12 also a slice, without which a
 * reader waited for its end, up to 3 ms. Where the kernel does not know of slices, or forbids the call, priority has
 * to do.
 */
export function lowerPriority(): void {
  yieldThreads(() => [readlinkSync('/proc/thread-self').split('/').at(-1) ?? ''])
}

/**
 * The same for all threads of this process, those of the runtime among them: compilers and collectors of an import held
 * up readers for longer than the import itself. Threads that begin later take after the one that begins them.
 */
export function lowerPriorityOfAll(): void {
  yieldThreads(readThreads)
}

/** The same for those alone that the runtime has for itself: not main, and not what it names a worker. */
export function lowerPriorityOfRuntime(): void {
  yieldThreads(readThreads, (thread) => Number(thread) === process.pid || isWorker(thread))
}

const readThreads = () => readdirSync('/proc/self/task')

function isWorker(thread: string): boolean {
  return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'Worker\n'
}

function yieldThreads(read: () => readonly string[], isSpared: (thread: string) => boolean = () => false): void {
  if (process.platform !== 'linux') return
  for (const thread of attempt(read) ?? []) {
    attempt(() => void (isSpared(thread) || yieldThread(Number(thread))))
  }
}

/** A thread has just ended, there is no /proc, no descriptor is free: nothing but speed is missed. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** Who was started with a lower priority keeps it. */
function yieldThread(thread: number): void {
  const priority = Math.max(niceness, getPriority(thread))
  setPriority(thread, priority)
  setPolicy(thread, priority)
}

function setPolicy(thread: number, priority: number): void {
  const call = callNumbers[process.arch]
  if (call === undefined) return
  // struct sched_attr: size, policy, flags, nice, priority, runtime (here: the slice), deadline, period.
  const attributes = new DataView(new ArrayBuffer(48))
  attributes.setUint32(0, attributes.byteLength, true)
  attributes.setUint32(4, batchPolicy, true)
  attributes.setInt32(16, priority, true)
  attributes.setBigUint64(24, sliceNs, true)
  libc ??= openLibc()
  libc.symbols.syscall(call, thread, ptr(attributes.buffer), 0)
}

let libc: ReturnType<typeof openLibc> | undefined

function openLibc() {
  return dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64'], returns: 'i64' } })
}
