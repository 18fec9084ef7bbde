import { version } from '../package.json'
import {
  toBackupHelp,
  toDoctorHelp,
  toExportHelp,
  toImportHelp,
  toMainHelp,
  toMigrateStoreHelp,
  toPurgeHelp,
  toRestoreHelp,
  toServeHelp,
  toStoreHelp,
  toTokenHelp,
} from './cli/help.ts'
import { type Accepted, parseArguments } from './cli/terminal/arguments.ts'
import { print, printError } from './cli/terminal/output.ts'
import { CommandFailure, exitCodes } from './command-failure.ts'
import { settings } from './config.ts'
import type { Setting } from './setting.ts'

interface Command extends Accepted {
  help(): string
  /** Loads what it needs only when it is called, so that no other command waits for that. */
  run(words: readonly string[], flags: ReadonlyMap<string, string>): Promise<void>
}

const commands: { readonly [name: string]: Command } = {
  serve: {
    help: toServeHelp,
    valued: toFlags((setting) => setting.value !== null),
    switches: toFlags((setting) => setting.value === null),
    async run(words, flags) {
      if (words.length > 0) throw usage(`"serve" takes options only, not ${words[0]}.`)
      const { beginServing } = await import('./serve/begin-serving.ts')
      await beginServing(flags, version)
    },
  },
  import: {
    help: toImportHelp,
    valued: ['db', 'report', 'source', 'reason'],
    switches: ['dry-run', 'draft', 'bring-back-erased'],
    run: async (words, flags) => (await import('./cli/import.ts')).importArchive(words, flags),
  },
  export: {
    help: toExportHelp,
    valued: ['db', 'format', 'out'],
    switches: ['drafts'],
    run: async (words, flags) => (await import('./cli/export.ts')).exportArchive(words, flags),
  },
  token: {
    help: toTokenHelp,
    valued: ['db', 'name', 'role'],
    switches: [],
    run: async (words, flags) => (await import('./cli/token.ts')).manageTokens(words, flags),
  },
  backup: {
    help: toBackupHelp,
    valued: ['db'],
    // For `backup` itself alone, which has a process of its own do the work.
    switches: ['here'],
    run: async (words, flags) => (await import('./cli/backup.ts')).backUp(words, flags),
  },
  restore: {
    help: toRestoreHelp,
    valued: ['db'],
    switches: ['replace'],
    run: async (words, flags) => (await import('./cli/restore.ts')).restore(words, flags),
  },
  doctor: {
    help: toDoctorHelp,
    valued: ['db'],
    switches: ['rebuild'],
    run: async (words, flags) => (await import('./cli/doctor.ts')).runDoctor(words, flags),
  },
  'migrate-store': {
    help: toMigrateStoreHelp,
    valued: ['db'],
    switches: [],
    run: async (words, flags) => (await import('./cli/migrate-store.ts')).migrateStore(words, flags),
  },
  store: {
    help: toStoreHelp,
    valued: ['db'],
    switches: [],
    run: async (words, flags) => (await import('./cli/store.ts')).manageStore(words, flags),
  },
  purge: {
    help: toPurgeHelp,
    valued: ['db'],
    switches: ['yes'],
    run: async (words, flags) => (await import('./cli/purge.ts')).purge(words, flags),
  },
}

function toFlags(isWanted: (setting: Setting<unknown>) => boolean): string[] {
  const all = Object.values<Setting<unknown>>(settings)
  return all.flatMap((setting) => (setting.flag !== null && isWanted(setting) ? [setting.flag] : []))
}

async function run(args: readonly string[]): Promise<void> {
  const [name = '--help', ...rest] = args
  if (name === '--version' || name === '-v' || name === 'version') return tell(`rostrum ${version}`)
  if (name === 'help' && rest.length > 0) return run([...rest, '--help'])
  if (name === '--help' || name === '-h' || name === 'help') return tell(toMainHelp(version))
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw usage(`There is no command ${JSON.stringify(name.slice(0, 40))}.`)
  if (rest.includes('--help') || rest.includes('-h')) return tell(command.help())
  const parsed = parseArguments(rest, command)
  if (!parsed.ok) throw usage(parsed.problem, name)
  await command.run(parsed.words, parsed.flags)
}

function tell(text: string): void {
  print(`${text.trimEnd()}\n`)
}

function usage(problem: string, command = ''): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum ${command === '' ? '' : `${command} `}--help`)
}

// Records, drafts and hashes of keys are for the one who runs us: nobody else may read what we make.
process.umask(0o077)

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommandFailure) {
    printError(`rostrum: ${error.message}\n`)
    process.exit(error.exitCode)
  }
  printError(`rostrum: a mistake in the program: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(exitCodes.software)
}
