import { CommandFailure, exitCodes } from '../command-failure.ts'
import { isRole, roles } from '../record/command.ts'
import { withStore } from '../store/open.ts'
import { isPostgresAddress } from '../store/postgres/address.ts'
import { createAccessTokenRows, type TokenRow } from '../store/write/access-token-rows.ts'
import { toStorePath } from './store-path.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'

type Tokens = ReturnType<typeof createAccessTokenRows>

/** `token create|list|revoke`; works on a store that is being served. */
export function manageTokens(words: readonly string[], flags: ReadonlyMap<string, string>): void {
  const [action, ...rest] = words
  const run = action === 'create' ? create : action === 'list' ? list : action === 'revoke' ? revoke : null
  if (run === null || rest.length > 0) throw usage('Say "token create", "token list" or "token revoke".')
  const path = toStorePath(flags)
  // A mistyped file would become a store; a database of PostgreSQL was made by somebody who meant it.
  const mayCreate = action === 'create' && isPostgresAddress(path)
  run(flags, (use) => withStore(path, mayCreate, (db) => use(createAccessTokenRows(db, Date.now))))
}

type WithTokens = (use: (tokens: Tokens) => void) => void

function create(flags: ReadonlyMap<string, string>, within: WithTokens): void {
  const name = toName(flags)
  const role = flags.get('role') ?? ''
  if (!isRole(role)) throw usage(`--role must be one of ${roles.join(', ')}.`)
  within((tokens) => {
    const key = tokens.create(name, role)
    if (key === null)
      throw new CommandFailure(
        exitCodes.badData,
        `There is a token named ${name} already; revoke it first, or choose another name.`,
      )
    print(`${key}\n`)
    printError(`Token ${name} (${role}) made. The key above is shown only this once.\n`)
  })
}

function list(_flags: ReadonlyMap<string, string>, within: WithTokens): void {
  within((tokens) => {
    const rows = tokens.list().map((row) => [row.name, row.role, row.created, row.last_used ?? 'never', toState(row)])
    print(toTable([['NAME', 'ROLE', 'CREATED', 'LAST USED', 'STATE'], ...rows]))
  })
}

function revoke(flags: ReadonlyMap<string, string>, within: WithTokens): void {
  const name = toName(flags)
  within((tokens) => {
    if (!tokens.revoke(name))
      throw new CommandFailure(
        exitCodes.badData,
        `There is no valid token named ${name}; see: ${toCommandLine(toStorePath(flags), 'token', 'list')}`,
      )
    printError(`Token ${name} is revoked.\n`)
  })
}

function toName(flags: ReadonlyMap<string, string>): string {
  const name = flags.get('name')?.trim() ?? ''
  if (!/^[^\u0000-\u001f]{1,100}$/.test(name)) throw usage('--name must have 1 to 100 characters.')
  if (reservedNames.includes(name)) throw usage(`The name ${name} is taken by the service itself.`)
  return name
}

/** Authors in the version log that are no tokens. */
const reservedNames = ['local', 'sample', 'import', 'upgrade', 'rebuild', 'ROSTRUM_ADMIN_TOKEN']

const toState = (row: TokenRow) => (row.revoked === null ? 'valid' : `revoked ${row.revoked}`)

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const toLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${rows.map((row) => toLine(row).trimEnd()).join('\n')}\n`
}

function usage(problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum token --help`)
}
