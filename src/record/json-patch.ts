import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.ts'

/** RFC 6902. Values are never changed in place, so a failed patch leaves the document as it was. */
export type PatchOperation =
  | ChangingOperation
  | { readonly op: 'test'; readonly path: Pointer; readonly value: JsonValue }

type ParsedPatch =
  | { readonly ok: true; readonly operations: readonly PatchOperation[] }
  | { readonly ok: false; readonly problem: string }

type Patched =
  | { readonly is: 'done'; readonly value: JsonValue }
  | { readonly is: 'test-failed' | 'impossible'; readonly problem: string }

export function parsePatch(value: JsonValue): ParsedPatch {
  if (!Array.isArray(value)) return { ok: false, problem: 'A JSON Patch must be an array of operations.' }
  if (value.length > maxOperations)
    return { ok: false, problem: `A JSON Patch can have at most ${maxOperations} operations.` }
  const operations: PatchOperation[] = []
  for (const [i, each] of value.entries()) {
    const parsed = parseOperation(each)
    if (typeof parsed === 'string') return { ok: false, problem: `Operation ${i + 1}: ${parsed}` }
    operations.push(parsed)
  }
  return { ok: true, operations }
}

export function applyPatch(document: JsonValue, operations: readonly PatchOperation[]): Patched {
  let value = document
  const budget: Budget = { left: maxCopied }
  for (const [i, operation] of operations.entries()) {
    try {
      if (operation.op === 'test') {
        if (isSameJson(readAt(value, operation.path), operation.value)) continue
        return { is: 'test-failed', problem: `Operation ${i + 1}: ${toText(operation.path)} has a different value.` }
      }
      value = applyOne(value, operation, budget)
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      return {
        is: operation.op === 'test' ? 'test-failed' : 'impossible',
        problem: `Operation ${i + 1}: ${error.message}`,
      }
    }
  }
  return { is: 'done', value }
}

/** Far more than a record with 32 fields needs. */
const maxOperations = 1000
/** Each operation copies the objects and arrays it changes, within the write transaction. Bounds the total work. */
const maxCopied = 200_000

type ChangingOperation =
  | { readonly op: 'add' | 'replace'; readonly path: Pointer; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer }

type Pointer = readonly string[]

class PatchError extends Error {}

interface Budget {
  left: number
}

function parseOperation(value: JsonValue): PatchOperation | string {
  if (!isJsonObject(value)) return 'must be an object.'
  const { op } = value
  const path = parsePointer(value.path)
  if (path === null) return '"path" must be a JSON Pointer such as "/title".'
  switch (op) {
    case 'remove':
      return { op, path }
    case 'add':
    case 'replace':
    case 'test':
      return value.value === undefined ? '"value" is missing.' : { op, path, value: value.value }
    case 'move':
    case 'copy': {
      const from = parsePointer(value.from)
      return from === null ? '"from" must be a JSON Pointer such as "/title".' : { op, path, from }
    }
    default:
      return '"op" must be add, remove, replace, move, copy or test.'
  }
}

function parsePointer(value: JsonValue | undefined): Pointer | null {
  if (typeof value !== 'string' || (value !== '' && !value.startsWith('/')) || /~(?![01])/.test(value)) return null
  return value
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const toText = (path: Pointer) => JSON.stringify(path.map((token) => `/${token.slice(0, 60)}`).join(''))

function applyOne(document: JsonValue, operation: ChangingOperation, budget: Budget): JsonValue {
  const { op, path } = operation
  switch (op) {
    case 'add':
      return change(document, path, operation.value, insert, budget)
    case 'replace':
      readAt(document, path)
      return change(document, path, operation.value, overwrite, budget)
    case 'remove':
      readAt(document, path)
      return change(document, path, null, drop, budget)
    case 'copy':
      return change(document, path, readAt(document, operation.from), insert, budget)
    case 'move': {
      const { from } = operation
      const value = readAt(document, from)
      const isInside = path.length > from.length && from.every((token, i) => token === path[i])
      if (isInside) throw new PatchError(`${toText(from)} cannot be moved into itself.`)
      return change(change(document, from, null, drop, budget), path, value, insert, budget)
    }
  }
}

function readAt(document: JsonValue, path: Pointer): JsonValue {
  let value: JsonValue | undefined = document
  for (const token of path) {
    if (isJsonObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined
    else if (Array.isArray(value)) value = /^(0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
    else value = undefined
    if (value === undefined) throw new PatchError(`there is no value at ${toText(path)}.`)
  }
  // Only a missing member is undefined, and that case has thrown above.
  return value as JsonValue
}

type Edit = (parent: JsonObject | readonly JsonValue[], token: string, value: JsonValue, path: Pointer) => JsonValue

/** A copy of the document in which `edit` has changed the parent of the last token. */
function change(document: JsonValue, path: Pointer, value: JsonValue, edit: Edit, budget: Budget): JsonValue {
  const [token, ...rest] = path
  if (token === undefined) return edit === drop ? Object.create(null) : value
  const parent = takeParent(document, path, budget)
  if (rest.length === 0) return edit(parent, token, value, path)
  return overwrite(parent, token, change(readAt(document, [token]), rest, value, edit, budget), path)
}

function takeParent(value: JsonValue, path: Pointer, budget: Budget): JsonObject | readonly JsonValue[] {
  if (typeof value !== 'object' || value === null)
    throw new PatchError(`the parent of ${toText(path)} is not an object or array.`)
  budget.left -= Array.isArray(value) ? value.length : Object.keys(value).length
  if (budget.left < 0) throw new PatchError('the patch copies too much data; send the resulting values instead.')
  return value
}

const insert: Edit = (parent, token, value, path) => {
  if (!Array.isArray(parent)) return overwrite(parent, token, value, path)
  const index = token === '-' ? parent.length : parseIndex(token, parent.length, path)
  return [...parent.slice(0, index), value, ...parent.slice(index)]
}

const overwrite: Edit = (parent, token, value, path) => {
  if (Array.isArray(parent)) return parent.with(parseIndex(token, parent.length - 1, path), value)
  return Object.assign(Object.create(null), parent, { [token]: value })
}

const drop: Edit = (parent, token, _value, path) => {
  if (Array.isArray(parent)) return parent.toSpliced(parseIndex(token, parent.length - 1, path), 1)
  const copy = Object.assign(Object.create(null), parent)
  delete copy[token]
  return copy
}

function parseIndex(token: string, last: number, path: Pointer): number {
  const index = /^(0|[1-9]\d{0,8})$/.test(token) ? Number(token) : -1
  if (index < 0 || index > last) throw new PatchError(`${toText(path)} is not a valid index of the array.`)
  return index
}
