import { afterAll, beforeAll } from 'bun:test'
import { type HeaderList, headerOf, type RawAnswer, send } from '../harness/raw.ts'
import { createToken, type Server, type ServerOptions, startServer, type TokenRole } from '../harness/server.ts'
import { learnDescription } from './described.ts'

export type Role = 'none' | 'wrong' | TokenRole

export type Fields = Readonly<Record<string, unknown>>

export type Call = {
  readonly method: string
  readonly path: string
  readonly as?: Role
  readonly headers?: HeaderList
  /** A body in JSON; `body` is one in exact bytes. Either is sent as application/json unless the headers say else. */
  readonly json?: unknown
  readonly body?: string | Uint8Array
}

type ServiceOptions = ServerOptions & {
  /** Tokens that the file needs besides the admin's. */
  readonly roles?: readonly Exclude<TokenRole, 'admin'>[]
  /** How long an answer may take. */
  readonly timeoutMs?: number
}

export type Service = {
  readonly server: () => Server
  readonly keyOf: (role: TokenRole) => string
  readonly call: (call: Call) => Promise<RawAnswer>
  /** Makes a record as the admin: live unless the fields say else. */
  readonly create: (fields?: Fields) => Promise<Fields>
  /** The item as the admin reads it, as application/json unless another Accept is given. */
  readonly read: (id: unknown, accept?: string) => Promise<RawAnswer>
  readonly patch: (id: unknown, changes: Fields, headers?: HeaderList) => Promise<RawAnswer>
}

export const listPath = '/api/v2/video'

export const requiredFields = { category: 'Contract tests', title: 'A talk' }

/** Starts one server for the tests of a file, and ends it after them. */
export function useService(options: ServiceOptions = {}): Service {
  const { roles = [], timeoutMs, ...serverOptions } = options
  let started: Server | null = null
  const keys = new Map<TokenRole, string>()
  const server = () => started ?? fail('The server has not started')
  const keyOf = (role: TokenRole) => keys.get(role) ?? fail(`No token was made for ${role}`)

  beforeAll(async () => {
    const fresh = await startServer({ ...serverOptions, hasTokens: roles.length > 0 })
    started = fresh
    await learnDescription(fresh.url)
    keys.set('admin', fresh.adminKey)
    const find = async (role: TokenRole) => fresh.keys[role] ?? (await createToken(fresh, `the ${role}`, role))
    await Promise.all(roles.map(async (role) => keys.set(role, await find(role))))
  }, 180_000)
  afterAll(() => started?.kill9())

  return createService(server, keyOf, timeoutMs)
}

export function createService(server: () => Server, keyOf: (role: TokenRole) => string, timeoutMs?: number): Service {
  const call = (wanted: Call) => {
    const { method, path: target, as = 'none' } = wanted
    const body = wanted.body ?? (wanted.json === undefined ? undefined : JSON.stringify(wanted.json))
    const headers = {
      ...toAuthorization(as, keyOf),
      ...(body === undefined ? {} : toBodyHeaders(wanted)),
      ...wanted.headers,
    }
    return send(server().port, { method, target, headers, ...(body === undefined ? {} : { body }) }, timeoutMs)
  }
  const create = async (fields: Fields = {}) => {
    const json = { ...requiredFields, state: 1, ...fields }
    const answer = await call({ method: 'POST', path: listPath, as: 'admin', json })
    if (answer.status !== 201) fail(`POST answered ${answer.status}: ${answer.body}`)
    return parseFields(answer)
  }
  const read = (id: unknown, accept = 'application/json') =>
    call({ method: 'GET', path: toPath(id), as: 'admin', headers: { Accept: accept } })
  const patch = (id: unknown, json: Fields, headers: HeaderList = {}) =>
    call({ method: 'PATCH', path: toPath(id), as: 'admin', json, headers })
  return { server, keyOf, call, create, read, patch }
}

export function toPath(id: unknown): string {
  return `${listPath}/${id}`
}

export function tagOf(answer: RawAnswer): string {
  return headerOf(answer, 'ETag') ?? fail(`No ETag on an answer with status ${answer.status}`)
}

export function parseFields(answer: RawAnswer): Fields {
  const value: unknown = JSON.parse(answer.body)
  return isFields(value) ? value : fail(`Not an object: ${answer.body}`)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fail(message: string): never {
  throw new Error(message)
}

function toAuthorization(role: Role, keyOf: (role: TokenRole) => string): HeaderList {
  if (role === 'none') return {}
  if (role === 'wrong') return { Authorization: 'Token rst_0000000000000000000000000000000000000000' }
  return { Authorization: `Token ${keyOf(role)}` }
}

function toBodyHeaders(wanted: Call): HeaderList {
  const isNamed = Object.keys(wanted.headers ?? {}).some((name) => name.toLowerCase() === 'content-type')
  return isNamed ? {} : { 'Content-Type': 'application/json' }
}
