import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runToEnd } from '../faults/spawn.ts'
import type { NameChange, Operation, Trace } from './operation.ts'

/** What recorder.ts writes: one such line each. */
export type RecordedLine =
  | {
      readonly is: 'start'
      readonly root: string
      readonly files: readonly (readonly [string, string])[]
      readonly names: readonly (readonly [string, string])[]
    }
  | { readonly is: 'bytes'; readonly inode: string; readonly bytes: string }
  | { readonly is: 'sync'; readonly inode: string }
  | { readonly is: 'names'; readonly changes: readonly NameChange[] }

const root = resolve(import.meta.dir, '../..')
const commandTimeoutMs = 60_000

/** Runs a command of the real program on files below a folder, and gives what it did to them. */
export async function recordCommand(folder: string, traceFile: string, args: readonly string[]) {
  const launcher = join(root, 'bin/bun')
  const preload = join(import.meta.dir, 'recorder.ts')
  const command = ['env', `ROSTRUM_TEST_ROOT=${folder}`, `ROSTRUM_TEST_TRACE=${traceFile}`, 'sh', launcher]
  const ended = await runToEnd([...command, '--preload', preload, join(root, 'src/main.ts'), ...args], commandTimeoutMs)
  return { ...ended, trace: toTrace(readFileSync(traceFile, 'utf8')) }
}

function toTrace(text: string): Trace {
  const [first, ...rest] = text
    .trimEnd()
    .split('\n')
    .map((line): RecordedLine => JSON.parse(line))
  if (first?.is !== 'start') throw new Error('the trace does not begin with the disk as it was')
  const files = new Map(first.files.map(([inode, bytes]) => [inode, Buffer.from(bytes, 'latin1')]))
  const folders = new Map<string, Map<string, string>>([[first.root, new Map()]])
  for (const [key, inode] of first.names) {
    const folder = key.slice(0, key.indexOf('/'))
    const names = folders.get(folder) ?? new Map<string, string>()
    folders.set(folder, names.set(key.slice(key.indexOf('/') + 1), inode))
  }
  const now = new Map<string, Uint8Array>(files)
  const operations = rest.flatMap((line): readonly Operation[] => {
    if (line.is === 'start') throw new Error('two programs wrote one trace')
    if (line.is !== 'bytes') return [line]
    const [before, after] = [now.get(line.inode) ?? Buffer.alloc(0), Buffer.from(line.bytes, 'latin1')]
    now.set(line.inode, after)
    return toWrites(line.inode, before, after)
  })
  return { start: { root: first.root, files, folders }, operations }
}

/** What makes one content of the other, as one truncation and one write. */
function toWrites(inode: string, before: Uint8Array, after: Uint8Array): readonly Operation[] {
  const cut: Operation[] = after.length < before.length ? [{ is: 'truncate', inode, size: after.length }] : []
  let from = 0
  while (from < after.length && after[from] === before[from]) from++
  return from === after.length ? cut : [...cut, { is: 'write', inode, at: from, bytes: after.subarray(from) }]
}
