import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../record/json/json-value.ts'
import { toFileText } from './pyvideo.ts'

/** A folder that files are written into, each path once. */
export interface FolderWriter {
  /** Where it was written: another place where the wanted one is taken. */
  write(path: string, file: JsonObject): string
  has(path: string): boolean
  /** Every file and folder, each before the folder that it is in: the order in which they are to be brought to disk. */
  listWritten(): Iterable<string>
}

/** A path as archives have them: an event's folder, and a file in it. */
const pathPattern = /^(?!\.\.?\/)[^/\0]+\/(?:videos\/)?(?!\.\.?$)[^/\0]+\.json$/

/** Of a name's bytes, so that a number still fits behind it. */
const maxNameBytes = 240

export function isArchivePath(path: string): boolean {
  return pathPattern.test(path) && path.split('/').every((name) => Buffer.byteLength(name) <= maxNameBytes)
}

export function createFolderWriter(root: string): FolderWriter {
  const written = new Set<string>()
  const files: string[] = []
  const folders = new Set<string>()

  function toFree(path: string): string {
    for (let number = 2, free = path; ; number++) {
      if (!written.has(free.toLowerCase())) return free
      free = path.replace(/\.json$/, `-${number}.json`)
    }
  }

  return {
    has: (path) => written.has(path.toLowerCase()),
    write(path, file) {
      if (!isArchivePath(path)) throw new Error(`${JSON.stringify(path)} is no path of an archive`)
      const free = toFree(path)
      // Some disks take A and a for the same name.
      written.add(free.toLowerCase())
      const folder = join(root, dirname(free))
      if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
      for (let each = folder; each !== root && !folders.has(each); each = dirname(each)) folders.add(each)
      files.push(join(root, free))
      writeFileSync(join(root, free), toFileText(file), { flag: 'wx' })
      return free
    },
    listWritten: () => [...files, ...[...folders].toSorted((a, b) => b.length - a.length), root],
  }
}
