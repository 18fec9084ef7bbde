import { join } from 'node:path'
import type { Children } from './children.ts'
import type { Load, Sample } from './load.ts'
import { parseWrkReport, toWrkArguments } from './wrk.ts'

export type GeneratorName = 'wrk' | 'bundled'

/** Runs one load to its end; throws when an answer was wrong, or a connection was lost. */
export type Generator = (load: Load) => Promise<Sample>

const program = join(import.meta.dir, 'load-program.ts')
/** Far more than starting, connecting and the last answers take. */
const slackMs = 15_000

export function hasWrk(): boolean {
  return Bun.which('wrk') !== null
}

export interface GeneratorNeeds {
  readonly name: GeneratorName
  /** Stands in front of the generator's command. */
  readonly pin: readonly string[]
  readonly children: Children
}

export function createGenerator(needs: GeneratorNeeds): Generator {
  const generate = needs.name === 'wrk' ? runWrk : runBundled
  return async (load) => {
    const sample = await generate(load, needs)
    if (sample.problem !== null) throw new Error(`${load.connections} connections: ${sample.problem}`)
    return sample
  }
}

async function runWrk(load: Load, { pin, children }: GeneratorNeeds): Promise<Sample> {
  const { work, durationMs } = load
  if (work.kind !== 'repeat' || work.method !== 'GET' || load.perSecond !== null) {
    throw new Error('wrk can do nothing but one GET over and over')
  }
  // wrk counts whole seconds; told to stop before, it reports what it has.
  const stopAfterMs = durationMs % 1000 === 0 ? null : durationMs
  const child = spawn([...pin, 'wrk', ...toWrkArguments(load, work)], children)
  return parseWrkReport(await readOutput(child, durationMs, stopAfterMs), work)
}

async function runBundled(load: Load, { pin, children }: GeneratorNeeds): Promise<Sample> {
  const child = spawn([...pin, process.execPath, '--no-env-file', program, JSON.stringify(load)], children)
  // Our own program, which prints a Sample and nothing else.
  return JSON.parse(await readOutput(child, load.durationMs, null)) as Sample
}

type Child = Bun.Subprocess<'ignore', 'pipe', 'pipe'>

function spawn(command: string[], children: Children): Child {
  return children.keep(Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }))
}

async function readOutput(child: Child, durationMs: number, stopAfterMs: number | null): Promise<string> {
  const timers = [setTimeout(() => child.kill('SIGKILL'), durationMs + slackMs)]
  if (stopAfterMs !== null) timers.push(setTimeout(() => child.kill('SIGINT'), stopAfterMs))
  const [printed, complaint, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  for (const timer of timers) clearTimeout(timer)
  if (code !== 0) throw new Error(`the load generator ended with ${code}: ${complaint}`)
  return printed
}
