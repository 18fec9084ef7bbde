import { dlopen, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Of sched_setattr, by processor. */
const callNumbers: { readonly [arch: string]: number } = { arm64: 274, x64: 314 }
/** SCHED_BATCH: its share of the cores is the usual one, but waking up interrupts nobody. */
const batchPolicy = 3
/** The longest slice that Linux gives: whoever asks for a shorter one, as all others do, need not wait for its end. */
const sliceNs = 100_000_000n

/**
 * Lets this thread give way to those that answer readers: it never interrupts them, and is interrupted as soon as one
 * of them wakes. On Linux each thread has a policy and a priority of its own; since 6.12 also a slice, without which a
 * reader waited for its end, up to 3 ms. Where the kernel does not know of slices, or forbids the call, priority has
 * to do.
 */
export function yieldToReaders(niceness: number): void {
  if (process.platform !== 'linux') return
  yieldThread(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness)
}

/**
 * The same for all threads of this process, those of the runtime among them: compilers and collectors of an import held
 * up readers for longer than the import itself. Threads that begin later take after the one that begins them.
 */
export function yieldAllToReaders(niceness: number): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) yieldThread(Number(thread), niceness)
}

/** The same for those alone that the runtime has for itself: not main, and not what it names a worker. */
export function yieldRuntimeToReaders(niceness: number): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) {
    if (Number(thread) !== process.pid && !isWorker(thread)) yieldThread(Number(thread), niceness)
  }
}

function isWorker(thread: string): boolean {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'Worker\n'
  } catch {
    // It has just ended.
    return true
  }
}

function yieldThread(thread: number, niceness: number): void {
  try {
    setPriority(thread, niceness)
    setPolicy(thread, niceness)
  } catch {
    // It ended meanwhile, is lower already, or this is another libc: nothing but speed is missed.
  }
}

function setPolicy(thread: number, niceness: number): void {
  const call = callNumbers[process.arch]
  if (call === undefined) return
  // struct sched_attr: size, policy, flags, nice, priority, runtime (here: the slice), deadline, period.
  const attributes = new DataView(new ArrayBuffer(48))
  attributes.setUint32(0, attributes.byteLength, true)
  attributes.setUint32(4, batchPolicy, true)
  attributes.setInt32(16, niceness, true)
  attributes.setBigUint64(24, sliceNs, true)
  libc ??= openLibc()
  libc.symbols.syscall(call, thread, ptr(attributes.buffer), 0)
}

let libc: ReturnType<typeof openLibc> | undefined

function openLibc() {
  return dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64'], returns: 'i64' } })
}
