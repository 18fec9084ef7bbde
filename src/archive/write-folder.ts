import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../record/json/json-value.ts'
import { toFileText } from './pyvideo.ts'

/** Writes files into a folder, each path once. */
export interface FolderWriter {
  /** Returns the path, which differs from the wanted one if that is taken. */
  write(path: string, file: JsonObject): string
  has(path: string): boolean
  /** Every file and folder, each before its parent: the order in which to flush them to disk. */
  listWritten(): Iterable<string>
}

/** The path of a file in an archive: the folder of an event, and a file in it. */
const pathPattern = /^(?!\.\.?\/)[^/\0]+\/(?:videos\/)?(?!\.\.?$)[^/\0]+\.json$/

/** Bytes of a name, so that a number can still be added. */
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
      if (!isArchivePath(path)) throw new Error(`${JSON.stringify(path)} is not a path of an archive`)
      const free = toFree(path)
      // Some file systems ignore case.
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
