import { CommandFailure, createUsageFailure, exitCodes } from '../../command-failure.ts'
import { isRole, isTokenName, roles } from '../../record/command.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { findBadTokenName, findLookalike } from '../../record/token-name.ts'
import { readDb } from '../../settings/config.ts'
import type { Engine } from '../../store/engine.ts'
import { openEngine, type StoreUse, withStore } from '../../store/open.ts'
import { createAccessTokenRows } from '../../store/write/access-token-rows.ts'
import type { Flags } from '../terminal/arguments.ts'
import { toCommandLine } from '../terminal/command-line.ts'
import { print, printError } from '../terminal/output.ts'
import { parseExpiry } from './expiry.ts'
import { toShownTime, toTokenTable } from './table.ts'

type Tokens = ReturnType<typeof createAccessTokenRows>

interface Action {
  readonly flags: readonly string[]
  run(flags: Flags, engine: Engine): Promise<void>
}

const actions: { readonly [name: string]: Action } = {
  create: { flags: ['name', 'role', 'expires', 'create-store'], run: create },
  list: { flags: [], run: list },
  rotate: { flags: ['name', 'now', 'expires'], run: rotate },
  revoke: { flags: ['name'], run: revoke },
}

/** `token create|list|rotate|revoke`; works while the server is running. */
export async function manageTokens(args: readonly string[], flags: Flags): Promise<void> {
  const [name = '', ...rest] = args
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined || rest.length > 0) {
    throw usage('Use "token create", "token list", "token rotate" or "token revoke".')
  }
  const other = [...flags.keys()].find((flag) => flag !== 'db' && !action.flags.includes(flag))
  if (other !== undefined) throw usage(`"token ${name}" does not take --${other}.`)
  await action.run(flags, await openEngine(readDb(flags)))
}

async function withTokens(engine: Engine, how: StoreUse, use: (tokens: Tokens) => Promise<void>): Promise<void> {
  await withStore(engine, how, (db) => use(createAccessTokenRows(db, Date.now)))
}

async function create(flags: Flags, engine: Engine): Promise<void> {
  const name = readNewName(flags)
  const role = flags.get('role') ?? ''
  if (!isRole(role)) throw usage(`--role must be one of ${roles.join(', ')}.`)
  const expires = readExpiry(flags) ?? null
  const mayCreate = flags.has('create-store') || !engine.mayBeMistyped
  if (!mayCreate && (await engine.inspect()).isNew) throw toNoStore(engine)
  await withTokens(engine, { mayCreate }, async (tokens) => {
    await refuseLookalike(name, tokens)
    const key = await tokens.create(name, role, expires)
    if (key === null) {
      const problem = `There is already a token named ${name}. Rotate or revoke it, or choose another name.`
      throw new CommandFailure(exitCodes.badData, problem)
    }
    print(`${key}\n`)
    printError(`Created token ${name} (${role}), which ${toEnd(expires)}. The key above is shown only once.\n`)
  })
}

async function list(_flags: Flags, engine: Engine): Promise<void> {
  await withTokens(engine, { purpose: 'read' }, async (tokens) => print(toTokenTable(await tokens.list(), Date.now())))
}

async function rotate(flags: Flags, engine: Engine): Promise<void> {
  const name = readName(flags)
  const expires = readExpiry(flags)
  const isNow = flags.has('now')
  await withTokens(engine, {}, async (tokens) => {
    const made = await tokens.rotate(name, { isNow, ...(expires === undefined ? {} : { expires }) })
    if (made === null) throw toMissing(name, engine)
    print(`${made.key}\n`)
    const old = made.oldExpires === null ? 'The old key no longer works.' : `The old key ${toEnd(made.oldExpires)}.`
    printError(
      `Replaced the key of ${name} (${made.role}). The new key, shown only once, ${toEnd(made.expires)}. ${old}\n`,
    )
  })
}

async function revoke(flags: Flags, engine: Engine): Promise<void> {
  const name = readName(flags)
  await withTokens(engine, {}, async (tokens) => {
    if (!(await tokens.revoke(name))) throw toMissing(name, engine)
    printError(`Revoked token ${name}.\n`)
  })
}

function readNewName(flags: Flags): string {
  const name = flags.get('name') ?? ''
  const problem = findBadTokenName(name)
  if (problem !== null) throw usage(`--name ${problem}.`)
  const isReserved = reservedNames.includes(name) || findLookalike(name, reservedNames) !== null
  if (isReserved) throw usage(`The name ${name} is reserved.`)
  return name
}

/** Revoked tokens count: they are still authors in the history. */
async function refuseLookalike(name: string, tokens: Tokens): Promise<void> {
  const other = findLookalike(
    name,
    (await tokens.list()).map((token) => token.name),
  )
  if (other === null) return
  const problem = `There is already a token named ${other}, which looks like ${name}. Choose another name.`
  throw new CommandFailure(exitCodes.badData, problem)
}

function readName(flags: Flags): string {
  const name = flags.get('name')?.trim() ?? ''
  if (!isTokenName(name)) throw usage('--name must have 1 to 100 characters.')
  return name
}

/** Undefined if it is not given. */
function readExpiry(flags: Flags): Timestamp | null | undefined {
  const text = flags.get('expires')
  if (text === undefined) return undefined
  const parsed = parseExpiry(text.trim(), Date.now())
  if (!parsed.ok) throw usage(parsed.problem)
  return parsed.expires
}

/** Authors in the version log that are not tokens. */
const reservedNames = ['local', 'sample', 'import', 'bulk', 'upgrade', 'rebuild', 'ROSTRUM_ADMIN_TOKEN']

const toEnd = (expires: Timestamp | null) =>
  expires === null ? 'never expires' : `expires at ${toShownTime(expires)} UTC`

const toNoStore = ({ shown }: Engine) =>
  new CommandFailure(
    exitCodes.noInput,
    `There is no database at ${shown}. Name the right one with --db, or add --create-store to create it.`,
  )

function toMissing(name: string, { path }: Engine): CommandFailure {
  const problem = `There is no valid token named ${name}. See: ${toCommandLine(path, 'token', 'list')}`
  return new CommandFailure(exitCodes.badData, problem)
}

const usage = (problem: string) => createUsageFailure('token', problem)
