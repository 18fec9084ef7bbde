import { CommandFailure, exitCodes } from '../../command-failure.ts'
import { toErrorCode } from '../../error-code.ts'
import type { Environment } from '../../settings/config.ts'
import type { Setting } from '../../settings/parsers.ts'
import { settings } from '../../settings/settings.ts'
import { suggest } from '../../settings/suggest.ts'

export type Flags = ReadonlyMap<string, string>

type ParsedArguments =
  | { readonly ok: true; readonly flags: Flags; readonly args: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** The options of a command: those with a value, and switches. */
export interface Accepted {
  readonly valued: readonly string[]
  readonly switches: readonly string[]
}

/** `--flag value`, `--flag=value` and `--switch`; everything else is an argument. */
export function parseArguments(given: readonly string[], accepted: Accepted): ParsedArguments {
  const flags = new Map<string, string>()
  const args: string[] = []
  for (let i = 0; i < given.length; i++) {
    const text = given[i] ?? ''
    const [, name, , inline] = /^--([a-z][a-z-]*)(=([\s\S]*))?$/.exec(text) ?? []
    if (name === undefined) {
      if (text.startsWith('-')) return { ok: false, problem: toUnknownText(text, accepted) }
      args.push(text)
    } else if (accepted.switches.includes(name)) {
      flags.set(name, inline ?? 'true')
    } else if (accepted.valued.includes(name)) {
      const value = inline ?? given[++i]
      if (value === undefined) return { ok: false, problem: `Option --${name} needs a value.` }
      flags.set(name, value)
    } else return { ok: false, problem: toUnknownText(text, accepted) }
  }
  return { ok: true, flags, args }
}

function toUnknownText(text: string, { valued, switches }: Accepted): string {
  // A mistyped option may have a secret behind its `=`.
  const shown = text.split('=')[0]?.slice(0, 40) ?? ''
  const known = [...valued, ...switches].filter((name) => !hidden.includes(name)).map((name) => `--${name}`)
  return `Unknown option ${shown}.${suggest(shown, known)}`
}

/** `backup` passes it to its own child process. */
const hidden = ['here']

/** Variables of the launcher and of `--backup-command`, and the one that holds a key in our examples. */
const otherVariables = ['ROSTRUM_COMMAND', 'ROSTRUM_BACKUP', 'ROSTRUM_TOKEN']

/** A warning for each variable that looks like a setting and is not one, except those of our tests. */
export function warnOfVariables(environment: Environment): readonly string[] {
  const ofSettings = Object.values<Setting<unknown>>(settings).flatMap(({ variables }) => variables)
  const known = [...ofSettings, ...otherVariables]
  return Object.keys(environment)
    .filter((name) => /^ROSTRUM_(?!TEST_)/.test(name) && !known.includes(name) && environment[name] !== '')
    .map((name) => `Unknown variable ${name.slice(0, 60)}.${suggest(name, ofSettings)}`)
}

/** Reads a file that the user names. `hint`: what to name instead. */
export function readInput(path: string, read: () => Uint8Array, hint = ''): Uint8Array {
  try {
    return read()
  } catch (error) {
    const code = toErrorCode(error)
    if (code === '') throw error
    throw new CommandFailure(exitCodes.noInput, `Cannot read ${path} (${code}).${hint}`)
  }
}
