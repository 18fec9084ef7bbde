import { statSync } from 'node:fs'
import { createUsageFailure } from '../command-failure.ts'
import { readServeConfig, readSiteSettings } from '../serve/serve.ts'
import { createConfigFailure, type Given, readConfig, readEnvironment } from '../settings/config.ts'
import { toFileName } from '../settings/config-file.ts'
import type { Setting } from '../settings/parsers.ts'
import { settings } from '../settings/settings.ts'
import { withoutPassword } from '../store/postgres/address.ts'
import type { Flags } from './terminal/arguments.ts'
import { print, printError } from './terminal/output.ts'

/** `config show` and `config check`: what `serve` would run with, given the same options and environment. */
export async function checkConfig(args: readonly string[], flags: Flags): Promise<void> {
  const [action, ...rest] = args
  const isKnown = (action === 'show' || action === 'check') && rest.length === 0
  if (!isKnown) throw createUsageFailure('config', 'Use "config show" or "config check".')
  const read = readConfig(flags, readEnvironment())
  if (!read.ok) throw createConfigFailure(read.problems)
  if (action === 'show') return showAll(read.origins)
  await readSiteSettings(readServeConfig(flags))
  for (const warning of warnOfSecrets(read.config.configFile, read.origins)) printError(`rostrum: ${warning}\n`)
  const given = Object.values(read.origins).filter((origin) => origin !== null).length
  printError(`The configuration is in order. ${given} of ${Object.keys(settings).length} settings are set.\n`)
}

type GivenByName = { readonly [name: string]: Given | null }

function showAll(origins: GivenByName): void {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const origin = origins[name] ?? null
    return [toFileName(setting), toShown(name, setting, origin), (origin?.from ?? 'default').replace(/,$/, '')]
  })
  const table = [['SETTING', 'VALUE', 'FROM'], ...rows]
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => [...(row[column] ?? '')].length)))
  for (const row of table)
    print(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

const secrets: readonly string[] = ['adminToken'] satisfies (keyof typeof settings)[]

function toShown(name: string, { default: value, defaultText }: Setting<unknown>, given: Given | null): string {
  if (given === null) return defaultText ?? (value === null ? 'none' : value === false ? 'off' : String(value))
  return secrets.includes(name) ? '(hidden)' : withoutPassword(given.text)
}

const readableByOthers = 0o044

/** A configuration file that other users can read must not contain a key or a password. */
function warnOfSecrets(path: string | null, { adminToken = null, db = null }: GivenByName): readonly string[] {
  if (path === null || (statSync(path).mode & readableByOthers) === 0) return []
  const isInFile = (given: Given | null) => given?.from.includes(', line ') === true
  const hasPassword = isInFile(db) && withoutPassword(db?.text ?? '') !== db?.text
  if (!isInFile(adminToken) && !hasPassword) return []
  return [`${path} contains a secret, and other users can read it. Run: chmod 600 ${path}`]
}
