import { join } from 'node:path'
import type { Children } from './children.ts'
import { readLines } from './lines.ts'
import type { Load, Sample } from './load.ts'
import { parseWrkReport, toWrkArguments, toWrkWork, type WrkWork } from './wrk.ts'

export type GeneratorName = 'wrk' | 'bundled'

interface Generator {
  /** Runs one load to its end; throws if a response was wrong or a connection was lost. */
  drive(load: Load): Promise<Sample>
  /** Ends the programs that wait for their next turn. */
  end(): void
}

const program = join(import.meta.dir, 'load-program.ts')
/** Far longer than starting, connecting and the last responses take. */
const slackMs = 15_000

export function hasWrk(): boolean {
  return Bun.which('wrk') !== null
}

interface GeneratorDeps {
  readonly name: GeneratorName
  /** Prefix of the generator's command. */
  readonly pin: readonly string[]
  readonly children: Children
}

export function createGenerator(deps: GeneratorDeps): Generator {
  const bundled = createBundled(deps)
  return {
    async drive(load) {
      const work = deps.name === 'wrk' ? toWrkWork(load) : null
      const sample = work === null ? await bundled.run(load) : await runWrk(load, work, deps)
      if (sample.problem !== null) throw new Error(`${load.connections} connections: ${sample.problem}`)
      return sample
    },
    end: bundled.end,
  }
}

async function runWrk(load: Load, work: WrkWork, { pin, children }: GeneratorDeps): Promise<Sample> {
  const { durationMs } = load
  // wrk takes whole seconds; if it is stopped earlier, it reports what it has measured.
  const stopAfterMs = durationMs % 1000 === 0 ? null : durationMs
  const child = spawn([...pin, 'wrk', ...toWrkArguments(load, work)], children)
  return parseWrkReport(await readOutput(child, durationMs, stopAfterMs), work)
}

/** One program per load, reused in every round: a new one would compile on the cores that it measures. */
function createBundled({ pin, children }: GeneratorDeps) {
  const programs = new Map<string, Program>()

  function toProgram(load: Load): Program {
    const text = JSON.stringify(load)
    const known = programs.get(text)
    if (known !== undefined) return known
    const command = [...pin, process.execPath, '--no-env-file', program, text]
    const child = children.keep(Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }))
    const started = { child, lines: readLines(child.stdout) }
    programs.set(text, started)
    return started
  }

  return {
    async run(load: Load): Promise<Sample> {
      const { child, lines } = toProgram(load)
      const timer = setTimeout(() => child.kill('SIGKILL'), load.durationMs + slackMs)
      child.stdin.write('once more\n')
      child.stdin.flush()
      const line = await lines.next()
      clearTimeout(timer)
      if (line.done)
        throw new Error(`the load generator ended with ${await child.exited}: ${await child.stderr.text()}`)
      // Our own program prints one Sample per line and nothing else.
      return JSON.parse(line.value) as Sample
    },
    end() {
      for (const { child } of programs.values()) child.stdin.end()
    },
  }
}

interface Program {
  readonly child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>
  readonly lines: AsyncIterator<string>
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
