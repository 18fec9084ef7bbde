import { expect } from 'bun:test'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import type { Call } from './service.ts'

type Answer = {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, unknown>>
}
type Operation = {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, Answer>>
}
type Asked = Pick<Call, 'method' | 'path' | 'json' | 'headers'>
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

type Known = { readonly text: string; readonly document: Document; validatorOf(pointer: string): ValidateFunction }

let known: Known | null = null

/** Reads what the service says of itself; from then on every answer is held against it. */
export async function learnDescription(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v2/openapi.json`)
  // The servers of two test files differ in their addresses alone, and compiling takes a while.
  const { servers: _, ...document }: Document & { readonly servers?: unknown } = JSON.parse(await response.text())
  const text = JSON.stringify(document)
  if (known?.text !== text) known = { text, document, validatorOf: createValidators(document) }
}

/** Status, headers, type and body are what the description says of this path and method. */
export function checkDescribed(call: Asked, answer: RawAnswer): void {
  if (known === null) throw new Error('The description has not been read')
  const path = findPath(known.document, call.path)
  if (path === undefined) return expectUndescribed(call, answer)
  const method = call.method.toLowerCase()
  const operation = known.document.paths[path]?.[method]
  if (operation === undefined) return expectUndescribed(call, answer)
  checkSent(known, ['paths', path, method, 'requestBody'], operation, call, answer)
  const status = toStatus(operation, answer)
  const described = operation.responses[status] ?? {}
  const pointer = ['paths', path, method, 'responses', status]
  for (const [name, { required }] of Object.entries(described.headers ?? {})) {
    if (required) checkHeader(known, [...pointer, 'headers', name, 'schema'], headerOf(answer, name))
  }
  if (answer.body === '') return
  const type = headerOf(answer, 'Content-Type')?.split(';')[0] ?? 'none'
  expect(Object.keys(described.content ?? {})).toContain(type)
  if (/json$/.test(type) || status === '200') {
    const value: unknown = /^text\/(?:plain|vtt|event-stream)/.test(type) ? answer.body : JSON.parse(answer.body)
    check(known, [...pointer, 'content', type, 'schema'], value)
  }
}

/** What was taken is what the description lets clients send. */
function checkSent(
  from: Known,
  pointer: readonly string[],
  operation: Operation,
  call: Asked,
  answer: RawAnswer,
): void {
  if (answer.status >= 300 || call.json === undefined || operation.requestBody === undefined) return
  const named = Object.entries(call.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const type = String(named ?? 'application/json').split(';')[0] ?? ''
  if (operation.requestBody.content[type] !== undefined)
    check(from, [...pointer, 'content', type, 'schema'], toTrimmed(call.json))
}

/** The lengths of names count after trimming, which no schema can say. */
function toTrimmed(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_, value) => (typeof value === 'string' ? value.trim() : value))
}

/** Paths for people are not described; nor are methods that are refused. */
function expectUndescribed({ method, path }: Asked, { status }: RawAnswer): void {
  const isPreflight = method === 'OPTIONS' && status === 204
  if (status < 400 && !isPreflight && !path.startsWith('/api/docs')) {
    expect(`${method} ${path}: ${status}`).toBe('in the description')
  }
}

function toStatus({ responses }: Operation, { status }: RawAnswer): string {
  if (responses[status] !== undefined) return String(status)
  expect([status, status >= 400]).toEqual([status, true])
  return 'default'
}

/** The path as the service reads it: repeated slashes count as one, one at the end as none. */
function findPath({ paths }: Document, target: string): string | undefined {
  const segments = toSegments(target.split('?')[0] ?? '')
  return Object.keys(paths).find((path) => {
    const wanted = toSegments(path)
    return wanted.length === segments.length && wanted.every((part, i) => part.startsWith('{') || part === segments[i])
  })
}

function toSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function checkHeader(from: Known, pointer: readonly string[], value: string | null): void {
  expect([pointer.at(-2), value]).not.toEqual([pointer.at(-2), null])
  check(from, pointer, value)
}

function check({ validatorOf }: Known, pointer: readonly string[], value: unknown): void {
  const validate = validatorOf(pointer.map(toToken).join('/'))
  if (!validate(value))
    expect({ at: pointer.join(' '), errors: validate.errors, value }).toMatchObject({ errors: null })
}

function createValidators(document: object): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true })
  addFormats(ajv)
  ajv.addSchema(document, 'description')
  const validators = new Map<string, ValidateFunction>()
  return (pointer) => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `description#/${pointer}` })
    validators.set(pointer, validate)
    return validate
  }
}

/** A piece of a JSON Pointer within an address. */
function toToken(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}
