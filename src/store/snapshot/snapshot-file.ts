import { existsSync, lstatSync, readdirSync, rmSync, type Stats, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toErrorCode } from '../../error-code.ts'
import { sync } from '../sqlite/atomic-file.ts'
import { isSectionFile } from './section-file.ts'

/** Where the snapshot of a store is. */
export interface SnapshotPlace {
  readonly path: string
  /** Whether the name is one of ours, so that any file of that name may be replaced. */
  readonly isOwnName: boolean
}

/** `set` is the setting: a path, or null for the default. Only a store in a file has one. */
export function toSnapshotPlace(set: string | 'off' | null, kind: 'sqlite' | 'postgres', db: string) {
  if (set === 'off' || (set === null && kind === 'postgres')) return null
  return { path: set ?? `${db}.search`, isOwnName: set === null } satisfies SnapshotPlace
}

/** Whether nothing else is there: a mistyped path must not cost a file. */
export async function isReplaceable({ path, isOwnName }: SnapshotPlace): Promise<boolean> {
  return isOwnName || !existsSync(path) || (await isSectionFile(path))
}

/** A snapshot must not take the last of a disk: the store needs it. */
const minShare = 4

/** Whether the disk has enough space for a file of this size. */
export function hasRoom(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize > minShare * bytes
}

export function toTemporaryName(path: string): string {
  return `${path}.${process.pid}.${crypto.getRandomValues(Buffer.alloc(4)).toString('hex')}.new`
}

const temporaryEnd = /^\.\d{1,10}\.[0-9a-f]{8}\.new$/

/** What processes have left that were killed while they wrote a snapshot. A process that is writing one gives up. */
export function removeTemporarySnapshots(path: string): void {
  for (const each of listTemporary(path)) rmSync(each, { force: true })
}

function listTemporary(path: string): string[] {
  const [folder, own] = [dirname(path), basename(path)]
  if (!existsSync(folder)) return []
  const isTemporary = (name: string) => name.startsWith(own) && temporaryEnd.test(name.slice(own.length))
  return readdirSync(folder)
    .filter(isTemporary)
    .map((name) => join(folder, name))
}

/**
 * Overwrites a snapshot and removes it, with what is left of unfinished ones: these have words of erased records.
 * `check` is called between pieces, and may throw: the next start goes on.
 */
export async function wipeSnapshot(place: SnapshotPlace, check: () => void = () => undefined): Promise<void> {
  const { path } = place
  const wiped = [...((await isReplaceable(place)) ? [path] : []), ...listTemporary(path)]
  for (const each of wiped.filter((each) => existsSync(each))) {
    await overwrite(each, each !== path, check)
    rmSync(each, { force: true })
    sync(dirname(path))
  }
}

const zeros = new Uint8Array(1 << 20)

/** What never was a snapshot has no words of ours, so it is only removed. */
async function overwrite(path: string, isTemporary: boolean, check: () => void): Promise<void> {
  try {
    const stats = lstatSync(path)
    // Only the link is removed, not what it points to.
    if (!stats.isFile() || isSparse(stats) || !(isTemporary || (await isSectionFile(path)))) return
    await using file = await open(path, 'r+')
    for (let at = 0; at < stats.size; at += zeros.length) {
      check()
      await file.write(zeros, 0, Math.min(zeros.length, stats.size - at), at)
    }
    await file.sync()
  } catch (error) {
    // Another process has removed it.
    if (toErrorCode(error) !== 'ENOENT') throw error
  }
}

const blockBytes = 512
/** More than any file system compresses a snapshot. */
const maxCompression = 16

/** Whether most of a file was never written; zeros would take room on the disk. Some file systems know no blocks. */
function isSparse({ blocks, size }: Stats): boolean {
  return blocks > 0 && blocks * blockBytes * maxCompression < size
}
