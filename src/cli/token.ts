import { CommandFailure, createUsageFailure, exitCodes } from '../command-failure.ts'
import { findBadTokenName, findLookalike, isTokenName } from '../record/credentials.ts'
import { isRole, roles } from '../record/role.ts'
import { toCounted } from '../record/text/counted.ts'
import { isDay, parseMoment, type Timestamp, toMs, toTimestamp } from '../record/timestamp.ts'
import { readDb } from '../settings/config.ts'
import type { Engine } from '../store/engine.ts'
import { openEngine, type StoreUse, withStore } from '../store/open.ts'
import { createAccessTokenRows, type ListedToken, type TokenRow } from '../store/write/access-token-rows.ts'
import type { Flags } from './terminal/arguments.ts'
import { toCommandLine } from './terminal/command-line.ts'
import { print, printError } from './terminal/output.ts'

type Tokens = ReturnType<typeof createAccessTokenRows>

interface Action {
  readonly flags: readonly string[]
  run(flags: Flags, engine: Engine): Promise<void>
}

const actions: { readonly [name: string]: Action } = {
  create: { flags: ['name', 'role', 'events', 'expires', 'create-store'], run: create },
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
    const events = await findEvents(flags, tokens)
    const key = await tokens.create(name, role, expires, events)
    if (key === null) {
      const problem = `There is already a token named ${name}. Rotate or revoke it, or choose another name.`
      throw new CommandFailure(exitCodes.badData, problem)
    }
    print(`${key}\n`)
    const limit = events.length === 0 ? '' : `, limited to ${toCounted(events.length, 'event')}`
    printError(`Created token ${name} (${role}${limit}), which ${toEnd(expires)}. The key above is shown only once.\n`)
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

/** The categories that a new token is limited to; none if it is not. */
async function findEvents(flags: Flags, tokens: Tokens): Promise<readonly number[]> {
  const text = flags.get('events')
  if (text === undefined) return []
  const slugs = text.split(',').map((slug) => slug.trim())
  if (slugs.includes(''))
    throw usage('--events must be slugs of events with commas between them, such as pycon-us-2026.')
  const ids = await Promise.all(slugs.map(tokens.findCategory))
  const missing = slugs.filter((_, i) => ids[i] === null)
  if (missing.length === 0) return [...new Set(ids.flatMap((id) => id ?? []))]
  const problem = `There is no event ${missing.join(', ')}. An event is named by the last part of its address, /category/<slug>.`
  throw new CommandFailure(exitCodes.badData, problem)
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
const reservedNames = ['local', 'sample', 'import', 'bulk', 'schedule', 'upgrade', 'rebuild', 'ROSTRUM_ADMIN_TOKEN']

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

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A token that expires this soon is listed with the time left. */
const soonMs = 14 * dayMs

const header = ['NAME', 'ROLE', 'CREATED', 'EXPIRES', 'LAST USED', 'STATE']

/** Tokens in columns, times in UTC. The events are a column if a token is limited to some. */
export function toTokenTable(tokens: readonly (TokenRow & Partial<ListedToken>)[], nowMs: number): string {
  const hasLimits = tokens.some(({ events = null }) => events !== null)
  const rows = tokens.map((token) => [
    token.name,
    token.role,
    toShownTime(token.created),
    token.expires === null ? 'never' : toShownTime(token.expires),
    token.last_used === null ? 'never' : toShownTime(token.last_used),
    toState(token, nowMs),
    ...(hasLimits ? [token.events?.join(',') ?? 'all'] : []),
  ])
  return toTable([hasLimits ? [...header, 'EVENTS'] : header, ...rows])
}

const toShownTime = (at: Timestamp) => at.slice(0, 19).replace('T', ' ')

/** A key that was replaced works until it expires. */
function toState({ revoked, replaced, expires }: TokenRow, nowMs: number): string {
  if (revoked !== null) return `revoked ${toShownTime(revoked)}`
  const leftMs = expires === null ? Number.POSITIVE_INFINITY : toMs(expires) - nowMs
  if (replaced !== null) return leftMs > 0 ? `replaced, works for ${toDuration(leftMs)}` : 'replaced'
  if (leftMs <= 0) return 'expired'
  return leftMs < soonMs ? `expires in ${toDuration(leftMs)}` : 'valid'
}

/** In the largest unit that gives at least two, rounded down. */
function toDuration(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`
  if (ms >= 2 * hourMs) return `${Math.floor(ms / hourMs)} hours`
  return toCounted(Math.max(1, Math.floor(ms / minuteMs)), 'minute')
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const toLine = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
  return `${rows.map((row) => toLine(row).trimEnd()).join('\n')}\n`
}

/** When a token expires; null is never. */
export type ParsedExpiry =
  | { readonly ok: true; readonly expires: Timestamp | null }
  | { readonly ok: false; readonly problem: string }

const unitMs: { readonly [unit: string]: number } = { h: hourMs, d: dayMs, w: 7 * dayMs }
/** A time beyond this is a typo. */
const maxMs = 100 * 365 * dayMs

const expected = '--expires must be a time from now, such as 12h, 90d or 2w, a day or time in UTC, such as'

/** `12h`, `90d`, `2w`, a day (which is included), a time in UTC, or `never`. */
export function parseExpiry(text: string, nowMs: number): ParsedExpiry {
  if (text === 'never') return { ok: true, expires: null }
  const ms = parseDuration(text, nowMs) ?? parseEnd(text)
  if (ms === null) return refuse(`${expected} ${toTimestamp(nowMs + 90 * dayMs).slice(0, 10)}, or never.`)
  if (ms <= nowMs) return refuse(`--expires ${text} is in the past. It is now ${toTimestamp(nowMs).slice(0, 19)} UTC.`)
  if (ms > nowMs + maxMs)
    return refuse('--expires may be at most 100 years ahead. Use never for a token that does not expire.')
  return { ok: true, expires: toTimestamp(ms) }
}

function parseDuration(text: string, nowMs: number): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,9})([hdw])$/.exec(text) ?? []
  return digits === '' ? null : nowMs + Number(digits) * (unitMs[unit] ?? 0)
}

/** The end of a day, or a time, here also without seconds. */
function parseEnd(text: string): number | null {
  const moment = parseMoment(text.replace(/(T\d{2}:\d{2})(Z?)$/, '$1:00$2'), 'first')
  if (moment === null) return null
  return isDay(text) ? toMs(moment) + dayMs : toMs(moment)
}

const refuse = (problem: string): ParsedExpiry => ({ ok: false, problem })
