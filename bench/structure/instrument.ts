import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript5'
import { readSources, type Source } from './inventory.ts'

/** A copy of a checkout that records which of its source files run, by thread. */
export interface InstrumentedCopy {
  readonly root: string
  /** Resets the record. */
  reset(): void
  /** The files in which a function was entered since the last reset, for each thread that ran any. */
  readHits(): ReadonlyMap<number, ReadonlySet<string>>
}

const maxThreads = 256
const skipped = new Set(['node_modules', '.git', 'test', 'bench', 'data', 'dist'])

/**
 * Copies a checkout to `root`. Every function of the copy first marks its file in a memory-mapped table, which all
 * threads and processes of the copy share with us. Loading a module is no function call, so it does not count.
 */
export function instrument(checkout: string, root: string): InstrumentedCopy {
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(checkout).filter((entry) => !skipped.has(entry))) {
    cpSync(join(checkout, name), join(root, name), { recursive: true, preserveTimestamps: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  const sources = readSources(checkout)
  const table = join(root, 'hits.bin')
  writeFileSync(table, new Uint8Array(sources.length * maxThreads))
  writeFileSync(join(root, 'hits.ts'), toHitsModule(table, sources.length))
  for (const [i, source] of sources.entries()) {
    const path = join(root, 'src', source.path)
    const hits = relative(join(path, '..'), join(root, 'hits.ts'))
    writeFileSync(path, `import { hit as __hit } from '${hits}'\n${instrumentSource(source, i)}`)
  }
  const hits = Bun.mmap(table)
  return {
    root,
    reset: () => void hits.fill(0),
    readHits() {
      const threads = new Map<number, Set<string>>()
      for (const [at, isHit] of hits.entries()) {
        const path = sources[at % sources.length]?.path
        const thread = Math.floor(at / sources.length)
        if (isHit !== 0 && path !== undefined) threads.set(thread, (threads.get(thread) ?? new Set()).add(path))
      }
      return threads
    },
  }
}

function toHitsModule(table: string, files: number): string {
  return `import { threadId } from 'node:worker_threads'
const hits = Bun.mmap(${JSON.stringify(table)})
const first = (threadId % ${maxThreads}) * ${files}
export function hit(file: number): void {
  hits[first + file] = 1
}
`
}

/** The source with a call at the start of every function body. */
function instrumentSource({ path, text }: Source, index: number): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const insertions: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body: ts.Node = node.body
      if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `__hit(${index});` })
      else insertions.push({ at: body.getStart(), text: `(__hit(${index}),` }, { at: body.getEnd(), text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  // Stable: where two insertions meet, the outer one opens first and closes last.
  const ordered = insertions.sort((a, b) => a.at - b.at)
  let result = ''
  let from = 0
  for (const { at, text: inserted } of ordered) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}
