import { dlopen, ptr } from 'bun:ffi'
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Of sched_setattr, by processor. */
const callNumbers: { readonly [arch: string]: number } = { arm64: 274, x64: 314 }
/** The longest slice that Linux gives: whoever asks for a shorter one, as all others do, need not wait for its end. */
const sliceNs = 100_000_000n

/**
 * Lets this thread give way to those that answer readers. On Linux a thread has a priority of its own; since 6.12 it
 * also has a slice, and one with a long slice is interrupted as soon as another wakes. Without, that one waited for up
 * to 3 ms. Where the kernel does not know of slices, or forbids the call, priority has to do.
 */
export function yieldToReaders(niceness: number): void {
  if (process.platform !== 'linux') return
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  setPriority(thread, niceness)
  const call = callNumbers[process.arch]
  if (call !== undefined) setSlice(call, niceness)
}

function setSlice(call: number, niceness: number): void {
  // struct sched_attr: size, policy (the usual one), flags, nice, priority, runtime (here: the slice), deadline, period.
  const attributes = new DataView(new ArrayBuffer(48))
  attributes.setUint32(0, attributes.byteLength, true)
  attributes.setInt32(16, niceness, true)
  attributes.setBigUint64(24, sliceNs, true)
  try {
    const libc = dlopen('libc.so.6', { syscall: { args: ['i64', 'i64', 'ptr', 'i64'], returns: 'i64' } })
    libc.symbols.syscall(call, 0, ptr(attributes.buffer), 0)
  } catch {
    // Another libc: nothing but the slice is missed.
  }
}
