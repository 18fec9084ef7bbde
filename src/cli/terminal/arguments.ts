export type ParsedArguments =
  | { readonly ok: true; readonly flags: ReadonlyMap<string, string>; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** What a command takes: flags with a value, and switches. */
export interface Accepted {
  readonly valued: readonly string[]
  readonly switches: readonly string[]
}

/** `--flag value`, `--flag=value`, `--switch`; the rest are words. */
export function parseArguments(args: readonly string[], accepted: Accepted): ParsedArguments {
  const flags = new Map<string, string>()
  const words: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    const [, name, , inline] = /^--([a-z][a-z-]*)(=([\s\S]*))?$/.exec(arg) ?? []
    if (name === undefined) {
      if (arg.startsWith('-')) return { ok: false, problem: `${toShown(arg)} is no option here.` }
      words.push(arg)
    } else if (accepted.switches.includes(name)) {
      flags.set(name, inline ?? 'true')
    } else if (accepted.valued.includes(name)) {
      const value = inline ?? args[++i]
      if (value === undefined) return { ok: false, problem: `--${name} needs a value.` }
      flags.set(name, value)
    } else return { ok: false, problem: `--${name} is no option here.` }
  }
  return { ok: true, flags, words }
}

/** A mistyped option may hold a secret behind its `=`. */
const toShown = (arg: string) => arg.split('=')[0]?.slice(0, 40) ?? ''
