import { toOwnCommand } from './cli/terminal/command-line.ts'
import { readEnvironment } from './config.ts'

/**
 * Options that the runtime reads from the environment before our first line runs (ADR 16). A variable that is already set stays.
 * On a machine with more than 16 GB, JavaScriptCore lets each thread's heap grow to three times what is in use before it
 * collects garbage. 1.8 times keeps the server at 330 MB under a mixed load, instead of 500.
 */
const runtimeOptions = { BUN_JSC_heapGrowthMaxIncrease: '0.8' } as const

/** Starts this program again, in the same process, with the options; returns where they are set already. */
export function ensureRuntimeOptions(): void {
  const environment = readEnvironment()
  const isSet = Object.keys(runtimeOptions).every((name) => environment[name] !== undefined)
  if (isSet || process.execve === undefined || process.platform === 'win32') return
  const [program = process.execPath, ...args] = toOwnCommand()
  process.execve(program, [program, ...args, ...process.argv.slice(2)], { ...runtimeOptions, ...toSet(environment) })
}

function toSet(environment: ReturnType<typeof readEnvironment>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))
}
