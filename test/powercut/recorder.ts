// Loaded into the real program before it begins (`bun --preload`): notes what it does to the files of one folder. SQLite's
// own writes do not pass here, so the folder is looked at before and after each call, and what has changed is noted.
import type * as FileSystem from 'node:fs'
import { join } from 'node:path'
import type { RecordedLine } from './record-command.ts'

// Not by an import: Bun hands the functions out at the first one, and later changes would reach nobody.
const fs: Record<string, (...args: unknown[]) => unknown> = require('node:fs')
const { appendFileSync, fstatSync, readdirSync, readFileSync, statSync }: typeof FileSystem = require('node:fs')
const root = process.env.ROSTRUM_TEST_ROOT ?? ''
const file = process.env.ROSTRUM_TEST_TRACE ?? ''
const note = (line: RecordedLine) => appendFileSync(file, `${JSON.stringify(line)}\n`)

/** Files by inode, and inodes by `folder/name`, where the folder is an inode too. */
interface Seen {
  readonly files: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

/** Without SQLite's index of its log, which is memory and not file, and without locks, which are empty. */
function look(): Seen {
  const files = new Map<string, string>()
  const names = new Map<string, string>()
  const walk = (path: string, folder: string) => {
    for (const name of readdirSync(path)) {
      const stats = statSync(join(path, name), { throwIfNoEntry: false })
      if (stats === undefined || name.endsWith('-shm') || name.endsWith('.lock')) continue
      const inode = String(stats.ino)
      names.set(`${folder}/${name}`, inode)
      if (stats.isDirectory()) walk(join(path, name), inode)
      else files.set(inode, readFileSync(join(path, name)).toString('latin1'))
    }
  }
  walk(root, String(statSync(root).ino))
  return { files, names }
}

let last = look()

/** What one call did to names, it did at once; what SQLite did meanwhile, it did name by name. */
function catchUp(isOneCall: boolean): void {
  const now = look()
  const logs = new Set([...last.names, ...now.names].filter(([key]) => key.endsWith('-wal')).map(([, inode]) => inode))
  const changed = [...now.files].filter(([inode, bytes]) => last.files.get(inode) !== bytes)
  const changedInodes = new Set(changed.map(([inode]) => inode))
  noteSyncedLogs(now, changedInodes)
  for (const [inode, bytes] of changed) if (!logs.has(inode)) note({ is: 'bytes', inode, bytes })
  noteFolded(now)
  for (const [inode, bytes] of changed) if (logs.has(inode)) note({ is: 'bytes', inode, bytes })
  const changes = [
    ...[...last.names].filter(([key]) => !now.names.has(key)).map(([key]) => toChange(key, null)),
    ...[...now.names]
      .filter(([key, inode]) => last.names.get(key) !== inode)
      .map(([key, inode]) => toChange(key, inode)),
  ]
  if (!isOneCall) for (const change of changes) note({ is: 'names', changes: [change] })
  else if (changes.length > 0) note({ is: 'names', changes })
  last = now
}

/** SQLite writes to a file what stands in its log only once the log is on disk, and the log's name. */
function noteSyncedLogs(now: Seen, changed: ReadonlySet<string>): void {
  for (const [key, log] of last.names) {
    if (!key.endsWith('-wal') || !changed.has(now.names.get(key.slice(0, -'-wal'.length)) ?? '')) continue
    note({ is: 'sync', inode: log })
    note({ is: 'sync', inode: toChange(key, null).folder })
  }
}

/** SQLite empties its log, or removes it, only once the file has all of it on disk. */
function noteFolded(now: Seen): void {
  for (const [key, inode] of last.names) {
    if (!key.endsWith('-wal') || (last.files.get(inode) ?? '') === '') continue
    const isFolded = (now.files.get(now.names.get(key) ?? '') ?? '') === ''
    const database = now.names.get(key.slice(0, -'-wal'.length))
    if (isFolded && database !== undefined) note({ is: 'sync', inode: database })
  }
}

function toChange(key: string, inode: string | null) {
  const slash = key.indexOf('/')
  return { folder: key.slice(0, slash), name: key.slice(slash + 1), inode }
}

const changing = [
  'renameSync',
  'linkSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'writeFileSync',
  'openSync',
  'writeSync',
]

for (const name of [...changing, 'fsyncSync']) {
  const real = fs[name]
  if (real === undefined) throw new Error(`node:fs has no ${name}`)
  fs[name] = (...args) => {
    catchUp(false)
    const result = real(...args)
    if (name === 'fsyncSync') note({ is: 'sync', inode: String(fstatSync(Number(args[0])).ino) })
    // SQLite is not at work within a call of ours.
    else catchUp(true)
    return result
  }
}

note({ is: 'start', root: String(statSync(root).ino), files: [...last.files], names: [...last.names] })
process.on('exit', () => catchUp(false))
