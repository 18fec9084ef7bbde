import { CommandFailure, exitCodes } from '../command-failure.ts'
import { isWrong, type Setting } from './parsers.ts'
import { settings } from './settings.ts'

export type SettingName = keyof typeof settings
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

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: string }

export function readConfig(flags: ReadonlyMap<string, string>, environment: Environment): ReadConfig {
  const values: Record<string, unknown> = {}
  for (const [name, each] of Object.entries<Setting<unknown>>(settings)) {
    const given = findGiven(each, flags, environment)
    const value = given === null ? each.default : each.parse(given.text)
    // The value is not shown: a wrong key may still be a secret.
    if (isWrong(value)) return { ok: false, problem: `${given?.from} must be ${value.expected}.` }
    values[name] = value
  }
  // Each value came from its own setting's `parse` or `default`.
  return { ok: true, config: values as Config }
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
  const given = findGiven(setting, flags, environment)
  const value = given === null ? setting.default : setting.parse(given.text)
  if (!isWrong(value)) return value
  throw new CommandFailure(exitCodes.config, `${given?.from} must be ${value.expected}.`)
}

function findGiven(each: Setting<unknown>, flags: ReadonlyMap<string, string>, environment: Environment) {
  const flag = each.flag === null ? undefined : flags.get(each.flag)
  if (flag !== undefined) return { from: `--${each.flag}`, text: flag }
  const variable = each.variables.find((name) => (environment[name] ?? '') !== '')
  return variable === undefined ? null : { from: variable, text: environment[variable] ?? '' }
}
