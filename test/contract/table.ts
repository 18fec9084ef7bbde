import { expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Call, type Fields, isFields, parseFields, type Service, toPath } from './service.ts'

/**
 * One request and what its answer must be. In `path`, `{id}` stands for a record made for this row alone, `{%id}` for
 * its digits percent-encoded, `{%25id}` for the same encoded once more.
 */
export type Row = Call & {
  readonly name: string
  /** Fields of the row's own record, over the usual ones (live, a category, a title). */
  readonly fresh?: Fields
  readonly status: number
  readonly has?: Readonly<Record<string, string | RegExp>>
  readonly lacks?: readonly string[]
  readonly contains?: readonly (string | RegExp)[]
  readonly omits?: readonly (string | RegExp)[]
  /** The names in a problem's `errors`: these and no others. */
  readonly errors?: readonly string[]
  readonly check?: (json: Fields, answer: RawAnswer) => void
}

export function runTable(rows: readonly Row[], service: Service): void {
  for (const row of rows) test(row.name, () => runRow(row, service))
}

async function runRow(row: Row, service: Service): Promise<void> {
  if (!/\{[%25]*id\}/.test(row.path)) return checkRow(row, await service.call(row))
  const record = await service.create(row.fresh)
  const before = await service.read(record.id)
  const call = { ...row, path: fillPath(row.path, record.id) }
  const answer = await service.call(call)
  checkRow(call, answer)
  if (answer.status < 400) return
  const after = await service.read(record.id)
  expect(after.body).toBe(before.body)
  expect(headerOf(after, 'ETag')).toBe(headerOf(before, 'ETag'))
}

function fillPath(path: string, id: unknown): string {
  const encoded = String(id).replace(/\d/g, '%3$&')
  const twice = encoded.replaceAll('%', '%25')
  return path.replaceAll('{id}', String(id)).replaceAll('{%id}', encoded).replaceAll('{%25id}', twice)
}

function checkRow(row: Row, answer: RawAnswer): void {
  if (answer.status !== row.status) expect(`${answer.status}: ${answer.body}`).toBe(`${row.status}`)
  checkEveryAnswer(row, answer)
  for (const [name, wanted] of Object.entries(row.has ?? {})) checkHeader(answer, name, wanted)
  for (const name of row.lacks ?? []) expect([name, headerOf(answer, name)]).toEqual([name, null])
  for (const part of row.contains ?? []) expect(answer.body).toMatch(part)
  for (const part of row.omits ?? []) expect(answer.body).not.toMatch(part)
  if (row.errors !== undefined) expect(errorNamesOf(answer)).toEqual([...row.errors].sort())
  row.check?.(answer.body === '' ? {} : parseFields(answer), answer)
}

export function errorNamesOf(answer: RawAnswer): string[] {
  const { errors } = parseFields(answer)
  return isFields(errors) ? Object.keys(errors).sort() : []
}

function checkHeader(answer: RawAnswer, name: string, wanted: string | RegExp): void {
  const value = headerOf(answer, name)
  if (typeof wanted === 'string') expect([name, value]).toEqual([name, wanted])
  else expect(`${name}: ${value}`).toMatch(wanted)
}

/** A row in which a PATCH of one field is taken and stored as given, or in the canonical form named. */
export function takes(field: string, value: unknown, stored: unknown = value): Row {
  const isSame = Bun.deepEquals(value, stored)
  return {
    name: `${field} takes ${show(value)}${isSame ? '' : ` and keeps it as ${show(stored)}`}`,
    method: 'PATCH',
    path: toPath('{id}'),
    as: 'admin',
    json: { [field]: value },
    status: 200,
    check: (json) => expect(json[field]).toEqual(stored),
  }
}

/** A row in which a PATCH of one field is refused with an error of that field alone. */
export function refuses(field: string, value: unknown): Row {
  return {
    name: `${field} refuses ${show(value)}`,
    method: 'PATCH',
    path: toPath('{id}'),
    as: 'admin',
    json: { [field]: value },
    status: 400,
    errors: [field],
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  if (text.length <= 70) return text
  const size = Array.isArray(value) ? `${value.length} entries` : `${[...String(value)].length} characters`
  return `${text.slice(0, 30)}… (${size})`
}
