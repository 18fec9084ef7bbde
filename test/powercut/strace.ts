import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { NameChange, Operation, Trace } from './operation.ts'

const calls =
  'openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir'

/** The command under strace. The program is the child itself (-D), so that signals reach it. */
export function toTraced(command: readonly string[], traceFile: string): readonly string[] {
  if (Bun.which('strace') === null) {
    throw new Error('strace is missing. Install it (Debian, Ubuntu: apt-get install strace), then run this again.')
  }
  const flags = ['-D', '-f', '-y', '-xx', '-ttt', '-T', '-s', '1000000', '--seccomp-bpf', '-e', `trace=${calls}`]
  return ['strace', ...flags, '-o', traceFile, ...command]
}

export interface TimedTrace extends Trace {
  /** When each operation took effect, in seconds since 1970: a sync when it had returned, all else when it began. */
  readonly times: readonly number[]
}

interface Timed {
  readonly at: number
  readonly operation: Operation
}

interface Call {
  readonly name: string
  readonly args: string
  readonly startS: number
  readonly endS: number
}

/** What a traced program did to the files below a folder that was empty. */
export function readTrace(traceFile: string, root: string): TimedTrace {
  const parser = createParser(root)
  for (const call of listCalls(readFileSync(traceFile, 'latin1'))) parser.take(call)
  const timed = parser.timed.toSorted((a, b) => a.at - b.at)
  refuseOverlaps(parser.syncs, timed)
  return {
    start: { root, files: new Map(), folders: new Map([[root, new Map()]]) },
    operations: timed.map(({ operation }) => operation),
    times: timed.map(({ at }) => at),
  }
}

/** In the order in which they began; those that failed are left out. */
function listCalls(text: string): readonly Call[] {
  const begun = new Map<string, { readonly start: string; readonly startS: number }>()
  const found: Call[] = []
  for (const line of text.split('\n')) {
    const [, pid = '', time = '', rest = ''] = /^(\d+) +([\d.]+) (.*)$/.exec(line) ?? []
    const unfinished = rest.endsWith(' <unfinished ...>') ? rest.slice(0, -' <unfinished ...>'.length) : null
    if (unfinished !== null) {
      begun.set(pid, { start: unfinished, startS: Number(time) })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest)
    const known = resumed === null ? undefined : begun.get(pid)
    const whole = known === undefined ? rest : known.start + rest.slice(resumed?.[0].length ?? 0)
    const call = toCall(whole, known?.startS ?? Number(time))
    if (call !== null) found.push(call)
  }
  return found.toSorted((a, b) => a.startS - b.startS)
}

function toCall(text: string, startS: number): Call | null {
  const open = text.indexOf('(')
  const end = text.lastIndexOf(') ')
  const [, result = '', took = ''] = /^\) += (-?\d+).*<([\d.]+)>$/.exec(text.slice(end)) ?? []
  if (open < 1 || took === '' || result.startsWith('-')) return null
  const args = text.slice(open + 1, end)
  return { name: text.slice(0, open), args, startS, endS: startS + Number(took) }
}

function createParser(root: string) {
  const timed: Timed[] = []
  const syncs: { readonly inode: string; readonly startS: number; readonly endS: number }[] = []
  /** Inodes by path; a path that is gone keeps its last one, for handles that are still open. */
  const inodes = new Map<string, string>([[root, root]])
  const present = new Set<string>([root])
  let made = 0

  const isOurs = (path: string) =>
    path.startsWith(`${root}/`) && !path.endsWith('-shm') && !path.endsWith('.lock') && !path.endsWith('-journal')
  const toInode = (path: string) => inodes.get(path) ?? path

  function rename(at: number, changes: readonly (readonly [string, string | null])[]): void {
    const known = changes.filter(([path]) => isOurs(path))
    for (const [path, inode] of known) {
      if (inode === null) present.delete(path)
      else present.add(path)
      if (inode !== null) inodes.set(path, inode)
    }
    const toChange = ([path, inode]: readonly [string, string | null]): NameChange => {
      return { folder: toInode(dirname(path)), name: basename(path), inode }
    }
    if (known.length > 0) timed.push({ at, operation: { is: 'names', changes: known.map(toChange) } })
  }

  function create(at: number, path: string): void {
    if (!present.has(path)) rename(at, [[path, `${path} ${++made}`]])
  }

  function change(at: number, path: string, operation: Operation): void {
    if (isOurs(path)) timed.push({ at, operation })
  }

  function take({ name, args, startS, endS }: Call): void {
    const paths = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => toBytes(hex))
    const handle = /^\d+<([^>]*)>/.exec(args)?.[1]
    const onHandle = handle === undefined ? '' : toPath(handle)
    const [first = '', second = ''] = paths.map((bytes) => bytes.toString())
    const numbers = args
      .slice(args.lastIndexOf('"') + 1)
      .split(',')
      .map(Number)
    switch (name) {
      case 'open':
      case 'openat':
        if (args.includes('O_CREAT')) create(startS, first)
        if (args.includes('O_TRUNC')) change(startS, first, { is: 'truncate', inode: toInode(first), size: 0 })
        return
      case 'pwrite64':
        return change(startS, onHandle, toWrite(toInode(onHandle), numbers[2] ?? 0, paths[0]))
      case 'ftruncate':
        return change(startS, onHandle, { is: 'truncate', inode: toInode(onHandle), size: Number(args.split(', ')[1]) })
      case 'fsync':
      case 'fdatasync':
        syncs.push({ inode: toInode(onHandle), startS, endS })
        if (isOurs(onHandle) || onHandle === root)
          timed.push({ at: endS, operation: { is: 'sync', inode: toInode(onHandle) } })
        return
      case 'rename':
      case 'renameat':
      case 'renameat2':
        return rename(startS, [
          [first, null],
          [second, toInode(first)],
        ])
      case 'link':
      case 'linkat':
        return rename(startS, [[second, toInode(first)]])
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
        return rename(startS, [[first, null]])
      case 'mkdir':
      case 'mkdirat':
        return create(startS, first)
      default:
        if (isOurs(onHandle)) throw new Error(`the model does not know what ${name} did to ${onHandle}`)
    }
  }

  return { take, timed, syncs }
}

function toWrite(inode: string, at: number, bytes: Buffer | undefined): Operation {
  if (bytes === undefined) throw new Error(`a write to ${inode} has no bytes`)
  return { is: 'write', inode, at, bytes }
}

/** A sync promises what was written before it began; the model counts what was written before it ended. */
function refuseOverlaps(syncs: ReturnType<typeof createParser>['syncs'], timed: readonly Timed[]): void {
  const writes = Map.groupBy(timed, ({ operation }) =>
    'inode' in operation && operation.is !== 'sync' ? operation.inode : '',
  )
  for (const { inode, startS, endS } of syncs) {
    const during = writes.get(inode)?.find(({ at }) => at > startS && at < endS)
    if (during !== undefined) throw new Error(`${inode} was written while it was synced, which the model cannot tell`)
  }
}

const toBytes = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** Handles show where they lead, in hex or not. */
function toPath(shown: string): string {
  const path = shown.startsWith('\\x') ? toBytes(shown).toString() : shown
  return path.replace(/ ?\(deleted\)$/, '')
}
