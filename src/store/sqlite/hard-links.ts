import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What we call a file ourselves, while it is made or kept aside. */
const ownEnds = /^\.(?:\d+\.[0-9a-f]{8}\.new|before-restore-\w+)$/

/**
 * Whether a file has another name than those that we give it. SQLite keeps a log for each name of a file, and whoever
 * opens it by one of them knows nothing of the others' changes.
 */
export function hasHardLinks(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile() || stats.nlink === 1) return false
  const [folder, own] = [dirname(path), basename(path)]
  const ours = readdirSync(folder).filter((name) => {
    if (!name.startsWith(own) || !(name === own || ownEnds.test(name.slice(own.length)))) return false
    return statSync(join(folder, name), { throwIfNoEntry: false })?.ino === stats.ino
  })
  return ours.length < stats.nlink
}
