import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A backup in a folder of them, named after the time when it was begun. */
interface BackupFile {
  readonly path: string
  readonly at: number
}

/** `rostrum-20261118T081248Z.db`: sorts by time, and is valid on every file system. */
export function toBackupPath(folder: string, now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return join(folder, `rostrum-${time}.db`)
}

const pattern = /^rostrum-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** The newest first. Everything else in the folder is ignored. */
export function listBackups(folder: string): readonly BackupFile[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const found = files.flatMap(({ name }) => {
    const [whole, year, month, day, hour, minute, second] = pattern.exec(name) ?? []
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return whole === undefined || Number.isNaN(at) ? [] : [{ path: join(folder, name), at }]
  })
  return found.sort((a, b) => b.at - a.at)
}

/** Removes all but the newest. Returns what was removed. */
export function thinOutBackups(folder: string, keep: number): readonly string[] {
  const old = listBackups(folder)
    .slice(keep)
    .map(({ path }) => path)
  for (const path of old) rmSync(path, { force: true })
  return old
}
