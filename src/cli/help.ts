import { settings } from '../config.ts'
import type { Setting } from '../setting.ts'

export function toMainHelp(version: string): string {
  return `Rostrum ${version}: a service for video records of recorded talks.

Usage:
  rostrum serve [options]                      Serve the records over HTTP.
  rostrum token create --name NAME --role ROLE Make a token and print its key, once.
  rostrum token list                           Show the tokens, without their keys.
  rostrum token revoke --name NAME             Make a token invalid, at once.
  rostrum --version
  rostrum COMMAND --help

Start here:
  rostrum serve --sample --auth local
`
}

export function toServeHelp(): string {
  const lines = Object.values<Setting<unknown>>(settings).map(toLines)
  return `Usage: rostrum serve [options]

Serves the records at /api/v2/video. Stop it with Ctrl-C or SIGTERM; it finishes what it has begun.

Options, and the variables that set the same:
${lines.join('\n')}
`
}

export function toTokenHelp(): string {
  return `Usage:
  rostrum token create --name NAME --role ROLE [--db PATH]
  rostrum token list [--db PATH]
  rostrum token revoke --name NAME [--db PATH]

Roles, each with what the one before it may do:
  reader     reads drafts and history
  editor     creates records and changes drafts
  publisher  changes live records, publishes and unpublishes
  admin      everything else: imports, batches

"create" prints the key alone on standard output. It is shown once and stored nowhere. A serving process notices new
and revoked tokens within a second. The database is --db, else ROSTRUM_DB, else ./data/rostrum.db.
`
}

function toLines(setting: Setting<unknown>): string {
  const flag = setting.flag === null ? '' : `--${setting.flag}${setting.value === null ? '' : ` ${setting.value}`}`
  const names = [flag, ...setting.variables].filter((name) => name !== '').join(', ')
  return `  ${names}\n      ${setting.help}${toDefaultText(setting)}`
}

export function toDefaultText({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return ` Default: ${fallbackText}.`
  return fallback === null || fallback === false ? '' : ` Default: ${fallback}.`
}
