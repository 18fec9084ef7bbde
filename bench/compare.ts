import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createListPages, createPages, createQueryThreads, createSearches } from './compare/lists.ts'
import { createColdGet, createHotGet, createRepeatedLists } from './compare/reads.ts'
import type { Sides } from './compare/sides.ts'
import {
  createBesideImport,
  createBesideWrites,
  createImport,
  createMemory,
  createOneCoreWriters,
  createPatches,
} from './compare/writes.ts'
import { createChildren } from './harness/children.ts'
import { hasWrk } from './harness/generator.ts'
import { toMachineText } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import type { Question, Row } from './harness/question.ts'
import { toSection } from './harness/report.ts'
import { ask } from './harness/session.ts'

// Two checkouts of the service, in turns within one run: see README.md.
const createQuestions = [
  createHotGet,
  createColdGet,
  createListPages,
  createSearches,
  createPages,
  createRepeatedLists,
  createQueryThreads,
  createPatches,
  createOneCoreWriters,
  createBesideWrites,
  createBesideImport,
  createMemory,
  createImport,
]
const usage = 'sh bin/bun --dev bench/compare.ts OLD NEW [--import FOLDER] [--quick] [QUESTION ...]'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
process.exit(await main(process.argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  const given = parseArguments(args)
  if (given === null) {
    console.error(usage)
    return 64
  }
  const { old, checkout, importFolder, isQuick, names } = given
  const sides: Sides = { old, new: checkout, importFolder, stores: makeStores(old, checkout, isQuick) }
  const questions = createQuestions.map((create) => create(sides))
  const wanted = questions.filter(({ name }) => names.length === 0 || names.includes(name))
  const { rows, failures } = await askAll(wanted, toOptions(isQuick))
  const asks = `${readCommit(checkout)} compared with ${readCommit(old)}.${isQuick ? ' Quick: figures mean nothing.' : ''}`
  console.log(toSection({ name: 'compare', asks }, rows, toMachineText(Date.now())))
  if (failures.length > 0) console.error(`Failed: ${failures.join(', ')}`)
  return failures.length === 0 ? 0 : 1
}

function parseArguments(args: readonly string[]) {
  const words = args.filter((arg) => arg !== '--quick')
  const at = words.indexOf('--import')
  const [, folder] = at < 0 ? [] : words.splice(at, 2)
  const [old, checkout, ...names] = words
  if (old === undefined || checkout === undefined || words.some((word) => word.startsWith('--'))) return null
  if (at >= 0 && folder === undefined) return null
  return {
    old: resolve(old),
    checkout: resolve(checkout),
    importFolder: folder === undefined ? null : resolve(folder),
    isQuick: args.includes('--quick'),
    names,
  }
}

function toOptions(isQuick: boolean): Options {
  const pace = isQuick ? { rounds: 3, roundMs: 500 } : { rounds: 7, roundMs: 1_500 }
  return { names: [], isQuick, ...pace, generator: hasWrk() ? 'wrk' : 'bundled', out: null }
}

/** Each checkout generates its own stores when a question needs them, with the same records, and keeps them for the next run. */
function makeStores(old: string, checkout: string, isQuick: boolean): Sides['stores'] {
  const make = (side: string, records: number) => {
    const program = `import { toReadingStore } from ${JSON.stringify(join(side, 'bench/generated/reading-store.ts'))}
      console.log(await toReadingStore(${records}, (progress) => console.error(progress)))`
    const { success, stdout } = Bun.spawnSync(['sh', join(side, 'bin/bun'), '-e', program], { stderr: 'inherit' })
    if (!success) throw new Error(`no store of ${records} records could be made`)
    return stdout.toString().trim()
  }
  const once = (side: string, records: number) => {
    let file: string | null = null
    return () => (file ??= make(side, isQuick ? 10_000 : records))
  }
  const toLazy = (side: string) => {
    const lists = once(side, 100_000)
    const million = once(side, 1_000_000)
    return {
      get lists() {
        return lists()
      },
      get million() {
        return million()
      },
    }
  }
  return { old: toLazy(old), new: toLazy(checkout) }
}

function readCommit(checkout: string): string {
  const { stdout } = Bun.spawnSync(['git', '-C', checkout, 'log', '-1', '--format=%h %s'])
  return stdout.toString().trim()
}

async function askAll(questions: readonly Question[], options: Options) {
  const children = createChildren()
  const scratch = mkdtempSync(join(tmpdir(), 'rostrum-compare-'))
  process.on('exit', () => {
    children.killAll()
    rmSync(scratch, { recursive: true, force: true })
  })
  const rows: Row[] = []
  const failures: string[] = []
  for (const question of questions) {
    try {
      console.log(
        await ask(
          { ...question, run: async (context) => keep(await question.run(context)) },
          { options, scratch, children },
        ),
      )
    } catch (error) {
      failures.push(question.name)
      console.error(`${question.name} failed: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { rows, failures }

  function keep(found: readonly Row[]): readonly Row[] {
    rows.push(...found)
    return found
  }
}
