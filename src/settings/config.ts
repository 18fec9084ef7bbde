import { CommandFailure, exitCodes } from '../command-failure.ts'
import { type FileValues, type ParsedConfigFile, readConfigFile, toFileName } from './config-file.ts'
import { isWrong, type Setting } from './parsers.ts'
import { settings } from './settings.ts'

type SettingName = keyof typeof settings
export type Config = { readonly [S in SettingName]: (typeof settings)[S] extends Setting<infer T> ? T : never }

export type Environment = { readonly [variable: string]: string | undefined }

/** The only reader of the environment. */
export function readEnvironment(): Environment {
  return process.env
}

/** The name by which the launcher was called. */
export function readCommandName(): string {
  return readEnvironment().ROSTRUM_COMMAND || 'rostrum'
}

type ReadConfig =
  | { readonly ok: true; readonly config: Config; readonly origins: Origins }
  | { readonly ok: false; readonly problems: readonly string[] }

/** What was given for each setting, and by what; null for a default. */
type Origins = { readonly [S in SettingName]: Given | null }

export interface Given {
  /** `--port`, `ROSTRUM_PORT` or `rostrum.conf, line 3`. */
  readonly from: string
  readonly text: string
}

/** All settings, or every problem with them. */
export function readConfig(flags: ReadonlyMap<string, string>, environment: Environment): ReadConfig {
  const sources = readSources(flags, environment)
  if (!sources.ok) return sources
  const values: Record<string, unknown> = {}
  const origins: Record<string, Given | null> = {}
  const problems: string[] = []
  for (const [name, each] of Object.entries<Setting<unknown>>(settings)) {
    const given = sources.find(each)
    const value = given === null ? each.default : each.parse(given.text)
    // The value is not shown: a wrong key may still be a secret.
    if (isWrong(value)) problems.push(`${given?.from} must be ${value.expected}.`)
    values[name] = value
    origins[name] = given
  }
  if (problems.length > 0) return { ok: false, problems }
  // Each value came from its own setting's `parse` or `default`, and the loop covers every setting.
  return { ok: true, config: values as Config, origins: origins as Origins }
}

/** The store a command works on. */
export function readDb(flags: ReadonlyMap<string, string>, environment = readEnvironment()): string {
  return readSetting(settings.db, flags, environment)
}

/** One setting, for a command that ignores the others. */
export function readSetting<T>(
  setting: Setting<T>,
  flags: ReadonlyMap<string, string>,
  environment = readEnvironment(),
): T {
  const sources = readSources(flags, environment)
  if (!sources.ok) throw createConfigFailure(sources.problems)
  const given = sources.find(setting)
  const value = given === null ? setting.default : setting.parse(given.text)
  if (!isWrong(value)) return value
  throw createConfigFailure([`${given?.from} must be ${value.expected}.`])
}

export function createConfigFailure(problems: readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.config, problems.join('\n'))
}

interface Sources {
  readonly ok: true
  find(setting: Setting<unknown>): Given | null
}

/** A flag takes precedence over a variable, and a variable over the configuration file. */
function readSources(
  flags: ReadonlyMap<string, string>,
  environment: Environment,
): Sources | { readonly ok: false; readonly problems: readonly string[] } {
  const path = (findGiven(settings.configFile, flags, environment)?.text ?? '').trim()
  const { configFile: _, ...others } = settings
  const names = Object.values<Setting<unknown>>(others).map(toFileName)
  const file: ParsedConfigFile = path === '' ? { ok: true, values: new Map() } : readConfigFile(path, names)
  if (!file.ok) return file
  return { ok: true, find: (each) => findGiven(each, flags, environment) ?? findInFile(each, path, file.values) }
}

function findInFile(each: Setting<unknown>, path: string, values: FileValues): Given | null {
  const value = values.get(toFileName(each))
  return value === undefined || value.text === '' ? null : { from: `${path}, line ${value.line},`, text: value.text }
}

function findGiven(each: Setting<unknown>, flags: ReadonlyMap<string, string>, environment: Environment): Given | null {
  const flag = each.flag === null ? undefined : flags.get(each.flag)
  if (flag !== undefined) return { from: `--${each.flag}`, text: flag }
  const variable = each.variables.find((name) => (environment[name] ?? '') !== '')
  return variable === undefined ? null : { from: variable, text: environment[variable] ?? '' }
}
