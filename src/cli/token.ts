import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { readDb } from '../config.ts'
import { isRole, roles } from '../record/command.ts'
import type { Engine } from '../store/engine.ts'
import { openEngine, withStore } from '../store/open.ts'
import { createAccessTokenRows, type TokenRow } from '../store/write/access-token-rows.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'

type Tokens = ReturnType<typeof createAccessTokenRows>

/** `token create|list|revoke`; works while the server is running. */
export async function manageTokens(args: readonly string[], flags: Flags): Promise<void> {
  const [action, ...rest] = args
  const run = action === 'create' ? create : action === 'list' ? list : action === 'revoke' ? revoke : null
  if (run === null || rest.length > 0) throw usage('Use "token create", "token list" or "token revoke".')
  await run(flags, await openEngine(readDb(flags)))
}

async function withTokens(engine: Engine, mayCreate: boolean, use: (tokens: Tokens) => Promise<void>): Promise<void> {
  await withStore(engine, { mayCreate }, (db) => use(createAccessTokenRows(db, Date.now)))
}

async function create(flags: Flags, engine: Engine): Promise<void> {
  const name = readName(flags)
  const role = flags.get('role') ?? ''
  if (!isRole(role)) throw usage(`--role must be one of ${roles.join(', ')}.`)
  await withTokens(engine, !engine.mayBeMistyped, async (tokens) => {
    const key = await tokens.create(name, role)
    if (key === null) {
      const problem = `There is already a token named ${name}. Revoke it first, or choose another name.`
      throw new CommandFailure(exitCodes.badData, problem)
    }
    print(`${key}\n`)
    printError(`Created token ${name} (${role}). The key above is shown only once.\n`)
  })
}

async function list(_flags: Flags, engine: Engine): Promise<void> {
  await withTokens(engine, false, async (tokens) => {
    const rows = (await tokens.list()).map((row) => [
      row.name,
      row.role,
      row.created,
      row.last_used ?? 'never',
      toState(row),
    ])
    print(toTable([['NAME', 'ROLE', 'CREATED', 'LAST USED', 'STATE'], ...rows]))
  })
}

async function revoke(flags: Flags, engine: Engine): Promise<void> {
  const name = readName(flags)
  await withTokens(engine, false, async (tokens) => {
    if (!(await tokens.revoke(name))) {
      const problem = `There is no valid token named ${name}. See: ${toCommandLine(engine.path, 'token', 'list')}`
      throw new CommandFailure(exitCodes.badData, problem)
    }
    printError(`Revoked token ${name}.\n`)
  })
}

function readName(flags: Flags): string {
  const name = flags.get('name')?.trim() ?? ''
  if (!/^[^\u0000-\u001f]{1,100}$/.test(name)) throw usage('--name must have 1 to 100 characters.')
  if (reservedNames.includes(name)) throw usage(`The name ${name} is reserved.`)
  return name
}

/** Authors in the version log that are not tokens. */
const reservedNames = ['local', 'sample', 'import', 'upgrade', 'rebuild', 'ROSTRUM_ADMIN_TOKEN']

const toState = (row: TokenRow) => (row.revoked === null ? 'valid' : `revoked ${row.revoked}`)

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const toLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${rows.map((row) => toLine(row).trimEnd()).join('\n')}\n`
}

const usage = (problem: string) => createUsageFailure('token', problem)
