import { version } from '../package.json'
import { parseArguments } from './cli/arguments.ts'
import { CommandFailure, exitCodes } from './cli/failure.ts'
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
  toTokenHelp,
} from './cli/help.ts'
import { settings } from './config.ts'
import type { Setting } from './setting.ts'

const commands = {
  serve: {
    help: toServeHelp,
    valued: toFlags((setting) => setting.value !== null),
    switches: toFlags((setting) => setting.value === null),
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      if (words.length > 0) throw usage(`"serve" takes options only, not ${words[0]}.`)
      const { beginServing } = await import('./cli/begin-serving.ts')
      await beginServing(flags, version)
    },
  },
  import: {
    help: toImportHelp,
    valued: ['db', 'report', 'source', 'reason'],
    switches: ['dry-run', 'draft', 'bring-back-erased'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { importArchive } = await import('./cli/import.ts')
      await importArchive(words, flags)
    },
  },
  export: {
    help: toExportHelp,
    valued: ['db', 'format', 'out'],
    switches: ['drafts'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { exportArchive } = await import('./cli/export.ts')
      exportArchive(words, flags)
    },
  },
  token: {
    help: toTokenHelp,
    valued: ['db', 'name', 'role'],
    switches: [],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { manageTokens } = await import('./cli/token.ts')
      manageTokens(words, flags)
    },
  },
  backup: {
    help: toBackupHelp,
    valued: ['db'],
    // For `backup` itself alone, which has a process of its own do the work.
    switches: ['here'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { backUp } = await import('./cli/backup.ts')
      await backUp(words, flags)
    },
  },
  restore: {
    help: toRestoreHelp,
    valued: ['db'],
    switches: ['replace'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { restore } = await import('./cli/restore.ts')
      restore(words, flags)
    },
  },
  doctor: {
    help: toDoctorHelp,
    valued: ['db'],
    switches: ['rebuild'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { examine } = await import('./cli/doctor.ts')
      examine(words, flags)
    },
  },
  'migrate-store': {
    help: toMigrateStoreHelp,
    valued: ['db'],
    switches: [],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { migrateStore } = await import('./cli/migrate-store.ts')
      migrateStore(words, flags)
    },
  },
  purge: {
    help: toPurgeHelp,
    valued: ['db'],
    switches: ['yes'],
    async run(words: readonly string[], flags: ReadonlyMap<string, string>) {
      const { purge } = await import('./cli/purge.ts')
      purge(words, flags)
    },
  },
}

const commandNames = Object.keys(commands) as (keyof typeof commands)[]

function toFlags(isWanted: (setting: Setting<unknown>) => boolean): string[] {
  const all = Object.values<Setting<unknown>>(settings)
  return all.flatMap((setting) => (setting.flag !== null && isWanted(setting) ? [setting.flag] : []))
}

async function run(args: readonly string[]): Promise<void> {
  const [name = '--help', ...rest] = args
  if (name === '--version' || name === '-v' || name === 'version') return say(`rostrum ${version}`)
  if (name === 'help' && rest.length > 0) return run([...rest, '--help'])
  if (name === '--help' || name === '-h' || name === 'help') return say(toMainHelp(version))
  const known = commandNames.find((each) => each === name)
  if (known === undefined) throw usage(`There is no command ${JSON.stringify(name.slice(0, 40))}.`)
  const command = commands[known]
  if (rest.includes('--help') || rest.includes('-h')) return say(command.help())
  const parsed = parseArguments(rest, command)
  if (!parsed.ok) throw usage(parsed.problem, name)
  await command.run(parsed.words, parsed.flags)
}

function say(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`)
}

function usage(problem: string, command = ''): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum ${command === '' ? '' : `${command} `}--help`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommandFailure) {
    process.stderr.write(`rostrum: ${error.message}\n`)
    process.exit(error.exitCode)
  }
  process.stderr.write(`rostrum: a mistake in the program: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(exitCodes.software)
}
