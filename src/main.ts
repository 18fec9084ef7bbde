import { version } from '../package.json'
import {
  toBackupHelp,
  toBulkHelp,
  toConfigHelp,
  toDoctorHelp,
  toExportHelp,
  toImportHelp,
  toMainHelp,
  toMigrateStoreHelp,
  toPurgeHelp,
  toReadyHelp,
  toRestoreHelp,
  toServeHelp,
  toStoreHelp,
  toTokenHelp,
  toUpgradeHelp,
} from './cli/help.ts'
import { type Accepted, type Flags, parseArguments, warnOfVariables } from './cli/terminal/arguments.ts'
import { toOwnCommand } from './cli/terminal/command-line.ts'
import { print, printError } from './cli/terminal/output.ts'
import { CommandFailure, createUsageFailure, exitCodes } from './command-failure.ts'
import { type Environment, readEnvironment } from './settings/config.ts'
import type { Setting } from './settings/parsers.ts'
import { settings } from './settings/settings.ts'
import { suggest } from './settings/suggest.ts'

interface Command extends Accepted {
  help(): string | Promise<string>
  /** Loads its own modules when it is called. */
  run(args: readonly string[], flags: Flags): Promise<void>
}

const commands: { readonly [name: string]: Command } = {
  serve: {
    help: toServeHelp,
    valued: toFlags((setting) => setting.value !== null),
    switches: toFlags((setting) => setting.value === null),
    async run(args, flags) {
      if (args.length > 0) throw createUsageFailure('serve', `"serve" takes options only, not ${args[0]}.`)
      ensureRuntimeOptions()
      const { serve } = await import('./serve/serve.ts')
      await serve(flags, version, { unknownVariables: warnOfVariables(readEnvironment()), ownCommand: toOwnCommand() })
    },
  },
  config: {
    help: toConfigHelp,
    valued: toFlags((setting) => setting.value !== null),
    switches: toFlags((setting) => setting.value === null),
    run: async (args, flags) => (await import('./cli/config.ts')).checkConfig(args, flags),
  },
  ready: {
    help: toReadyHelp,
    valued: ['host', 'port'],
    switches: [],
    run: async (args, flags) => (await import('./cli/ready.ts')).checkReady(args, flags),
  },
  import: {
    help: toImportHelp,
    valued: ['db', 'report', 'source', 'reason', 'event'],
    switches: ['dry-run', 'draft', 'partial', 'bring-back-erased'],
    run: async (args, flags) => (await import('./cli/import.ts')).importArchive(args, flags),
  },
  bulk: {
    help: toBulkHelp,
    valued: ['db', 'ids', 'query', 'by', 'since', 'until', 'patch', 'patch-file', 'expect', 'as-of', 'after', 'reason'],
    switches: ['restore', 'partial', 'dry-run'],
    run: async (args, flags) => (await import('./cli/bulk.ts')).changeInBulk(args, flags),
  },
  export: {
    help: toExportHelp,
    valued: ['db', 'format', 'out'],
    switches: ['drafts'],
    run: async (args, flags) => (await import('./cli/export.ts')).exportArchive(args, flags),
  },
  'check-links': {
    help: async () => (await import('./cli/check-links.ts')).toCheckLinksHelp(),
    valued: ['db', 'older-than', 'query', 'host', 'limit', 'check-private', 'contact', 'player-hosts', 'report'],
    switches: ['drafts'],
    run: async (args, flags) => (await import('./cli/check-links.ts')).checkLinks(args, flags, version),
  },
  token: {
    help: toTokenHelp,
    valued: ['db', 'name', 'role', 'events', 'expires'],
    switches: ['now', 'create-store'],
    run: async (args, flags) => (await import('./cli/token.ts')).manageTokens(args, flags),
  },
  backup: {
    help: toBackupHelp,
    valued: ['db', 'keep'],
    // `backup` passes --here to its own child process.
    switches: ['here'],
    run: async (args, flags) => (await import('./cli/backup.ts')).backUp(args, flags),
  },
  restore: {
    help: toRestoreHelp,
    valued: ['db'],
    switches: ['replace'],
    run: async (args, flags) => (await import('./cli/restore.ts')).restore(args, flags),
  },
  doctor: {
    help: toDoctorHelp,
    valued: ['db', 'index-snapshot'],
    switches: ['rebuild'],
    run: async (args, flags) => (await import('./cli/doctor.ts')).runDoctor(args, flags),
  },
  upgrade: {
    help: toUpgradeHelp,
    valued: ['db', 'upgrade-copy'],
    switches: [],
    run: async (args, flags) => (await import('./cli/upgrade.ts')).upgradeStore(args, flags),
  },
  'migrate-store': {
    help: toMigrateStoreHelp,
    valued: ['db'],
    switches: [],
    run: async (args, flags) => (await import('./cli/migrate-store.ts')).migrateStore(args, flags),
  },
  transcripts: {
    help: async () => (await import('./cli/transcripts.ts')).toTranscriptsHelp(),
    valued: ['db', 'origin', 'tool', 'reason'],
    switches: ['dry-run'],
    run: async (args, flags) => (await import('./cli/transcripts.ts')).manageTranscripts(args, flags),
  },
  store: {
    help: toStoreHelp,
    valued: ['db'],
    switches: [],
    run: async (args, flags) => (await import('./cli/store.ts')).manageStore(args, flags),
  },
  purge: {
    help: toPurgeHelp,
    valued: ['db', 'index-snapshot'],
    switches: ['yes'],
    run: async (args, flags) => (await import('./cli/purge.ts')).purge(args, flags),
  },
}

function toFlags(isWanted: (setting: Setting<unknown>) => boolean): string[] {
  const all = Object.values<Setting<unknown>>(settings)
  return all.flatMap((setting) => (setting.flag !== null && isWanted(setting) ? [setting.flag] : []))
}

async function run(args: readonly string[]): Promise<void> {
  const [name = '--help', ...rest] = args
  if (name === '--version' || name === '-v' || name === 'version') return tell(await toVersionLine())
  if (name === 'help' && rest.length > 0) return run([...rest, '--help'])
  if (name === '--help' || name === '-h' || name === 'help') return tell(toMainHelp(version))
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw toUnknownCommand(name)
  if (rest.includes('--help') || rest.includes('-h')) return tell(await command.help())
  const parsed = parseArguments(rest, { ...command, valued: ['config', ...command.valued] })
  if (!parsed.ok) throw createUsageFailure(name, parsed.problem)
  // The server logs them, and the child process of `backup` has the environment of its parent.
  const isSilent = name === 'serve' || parsed.flags.has('here')
  for (const warning of isSilent ? [] : warnOfVariables(readEnvironment())) printError(`rostrum: ${warning}\n`)
  await command.run(parsed.args, parsed.flags)
}

/** For reports: two builds of one version may need different schemas. */
async function toVersionLine(): Promise<string> {
  const { readBuildCommit } = await import('./build-commit.ts')
  const { postgresMigrations, sqliteMigrations } = await import('./store/schema/migrations.ts')
  const schemas = [...new Set([sqliteMigrations.length, postgresMigrations.length])]
  return `rostrum ${version} (commit ${readBuildCommit() ?? 'unknown'}, schema ${schemas.join(' and ')})`
}

function toUnknownCommand(name: string): CommandFailure {
  const hint = suggest(name, Object.keys(commands))
  const problem = `Unknown command ${JSON.stringify(name.slice(0, 40))}.${hint}`
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum --help`)
}

function tell(text: string): void {
  print(`${text.trimEnd()}\n`)
}

/**
 * Options that the runtime reads from the environment before our code runs (decision 16). A variable that is already set is
 * kept. On a machine with more than 16 GB, JavaScriptCore lets each thread's heap grow to three times what is in use before it
 * collects garbage. 1.8 times keeps the server at 330 MB under a mixed load, instead of 500. The other two make collections of
 * young objects rarer: GETs beside writes wait 0.5 instead of 0.8 ms at the 99th percentile.
 */
const runtimeOptions = {
  BUN_JSC_heapGrowthMaxIncrease: '0.8',
  BUN_JSC_largeHeapSize: '33554432',
  BUN_JSC_percentCPUPerMBForEdenTimer: '0.0002',
} as const

/** Restarts this program in the same process with the options, unless they are already set. */
function ensureRuntimeOptions(): void {
  const environment = readEnvironment()
  const isSet = Object.keys(runtimeOptions).every((name) => environment[name] !== undefined)
  if (isSet || process.execve === undefined || process.platform === 'win32') return
  const [program = process.execPath, ...args] = toOwnCommand()
  process.execve(program, [program, ...args, ...process.argv.slice(2)], { ...runtimeOptions, ...toSet(environment) })
}

function toSet(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))
}

// Files contain drafts and hashes of keys, so they are readable by their owner only.
process.umask(0o077)

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommandFailure) {
    printError(`rostrum: ${error.message}\n`)
    process.exit(error.exitCode)
  }
  printError(`rostrum: internal error: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(exitCodes.software)
}
