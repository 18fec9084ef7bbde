import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NameChange, Operation, Trace } from './operation.ts'

/** What became of that which was not on disk yet: nothing of it, all of it, or any sectors and any names of it. */
export const fates = ['none', 'all', 'torn'] as const
export type Fate = (typeof fates)[number]
type Random = () => number

const sectorBytes = 512

type Change = Exclude<Operation, { readonly is: 'sync' }>

/** A disk after a power cut behind the first `count` operations, by what POSIX promises and no more. */
export function cutPower(trace: Trace, count: number, fate: Fate, random: Random): (folder: string) => void {
  const { lasting, pending } = toDurable(trace, count)
  const files = new Map<string, File>()
  for (const [inode, bytes] of trace.start.files) files.set(inode, { bytes: Buffer.from(bytes), size: bytes.length })
  const folders = new Map([...trace.start.folders].map(([inode, names]) => [inode, new Map(names)]))
  const survivors = fate === 'none' ? [] : fate === 'all' ? pending : pending.flatMap((each) => tear(each, random))
  for (const change of [...lasting, ...survivors]) {
    if (change.is === 'names') for (const each of change.changes) rename(folders, each)
    else apply(toFile(change.inode), change)
  }
  return (folder) => lay(folder, trace.start.root)

  function toFile(inode: string): File {
    const file = files.get(inode) ?? { bytes: Buffer.alloc(0), size: 0 }
    files.set(inode, file)
    return file
  }

  function lay(path: string, inode: string): void {
    mkdirSync(path, { recursive: true })
    for (const [name, entry] of folders.get(inode) ?? []) {
      if (folders.has(entry)) lay(join(path, name), entry)
      else writeFileSync(join(path, name), toFile(entry).bytes.subarray(0, toFile(entry).size))
    }
  }
}

/** A change is durable once its file, or every folder whose names it changes, was synced after it. */
function toDurable({ operations }: Trace, count: number): { lasting: Change[]; pending: Change[] } {
  const done = operations.slice(0, count)
  const lastSync = new Map<string, number>()
  for (const [i, each] of done.entries()) if (each.is === 'sync') lastSync.set(each.inode, i)
  const isSynced = (inode: string, i: number) => (lastSync.get(inode) ?? -1) > i
  const lasting: Change[] = []
  const pending: Change[] = []
  for (const [i, each] of done.entries()) {
    if (each.is === 'sync') continue
    const inodes = each.is === 'names' ? each.changes.map(({ folder }) => folder) : [each.inode]
    const isLasting = inodes.every((inode) => isSynced(inode, i))
    if (isLasting) lasting.push(each)
    else pending.push(each)
  }
  return { lasting, pending }
}

/** Some of it, sector by sector. */
function tear(change: Change, random: Random): readonly Change[] {
  if (change.is !== 'write') return random() < 0.5 ? [change] : []
  const pieces: Change[] = []
  for (let from = 0; from < change.bytes.length; ) {
    const length = sectorBytes - ((change.at + from) % sectorBytes)
    const bytes = change.bytes.subarray(from, from + length)
    if (random() < 0.5) pieces.push({ ...change, at: change.at + from, bytes })
    from += length
  }
  return pieces
}

/** A file that grows in place: logs are written by thousands of small pieces. */
interface File {
  bytes: Buffer
  size: number
}

function apply(file: File, change: Exclude<Change, { readonly is: 'names' }>): void {
  const size = change.is === 'truncate' ? change.size : Math.max(file.size, change.at + change.bytes.length)
  if (size > file.bytes.length) file.bytes = Buffer.concat([file.bytes.subarray(0, file.size), Buffer.alloc(size)])
  // What is cut off does not come back when the file grows again.
  if (size < file.size) file.bytes.fill(0, size, file.size)
  file.size = size
  if (change.is === 'write') file.bytes.set(change.bytes, change.at)
}

function rename(folders: Map<string, Map<string, string>>, { folder, name, inode }: NameChange): void {
  const names = folders.get(folder) ?? new Map<string, string>()
  folders.set(folder, names)
  if (inode === null) names.delete(name)
  else names.set(name, inode)
}

/** The same trace where nobody ever synced (such files): what a harness that can fail must find losses in. */
export function withoutSyncs(trace: Trace, isMeant: (inode: string) => boolean = () => true): Trace {
  // In the place of each stands nothing, so that the others keep their numbers.
  const nothing: Operation = { is: 'names', changes: [] }
  const operations = trace.operations.map((each) => (each.is === 'sync' && isMeant(each.inode) ? nothing : each))
  return { ...trace, operations }
}

/** Numbers that are the same in every run (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
