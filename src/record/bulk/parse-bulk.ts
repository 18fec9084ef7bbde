import { parseReason } from '../command.ts'
import { notA, ok, type Parsed, wrong } from '../field-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { FieldErrors } from '../record.ts'
import { parseBulkPatch } from './bulk-patch.ts'
import type { BulkRequest, BulkWork, Selection } from './bulk-request.ts'
import { parseSelection } from './parse-selection.ts'

export type ParsedBulk =
  | { readonly ok: true; readonly request: BulkRequest; readonly reason: string | null }
  | { readonly ok: false; readonly errors: FieldErrors }

const members = ['select', 'patch', 'restore', 'reason', 'expect', 'as_of', 'partial']

/** Parses the body of a bulk change and reports every error in it. A dry run may leave out `expect`. */
export function parseBulk(body: JsonObject, isDryRun: boolean): ParsedBulk {
  const errors = new Map<string, readonly string[]>()
  const read = <T>(name: string, parse: (value: JsonValue) => Parsed<T>, absent: T): T => {
    const parsed = Object.hasOwn(body, name) ? parse(body[name] ?? null) : ok(absent)
    if (parsed.ok) return parsed.value
    errors.set(name, parsed.problems)
    return absent
  }
  for (const name of Object.keys(body)) if (!members.includes(name)) errors.set(name, ['Unknown field.'])
  const selected = readSelection(body, errors)
  const work = readWork(body, selected, errors)
  const reason = read('reason', parseGivenReason, null)
  const asOf = read('as_of', parseCount, null)
  const isPartial = read('partial', parseFlag, false)
  const expect = read('expect', parseCount, null)
  const isCounted = Object.hasOwn(body, 'expect') || isDryRun || selected === null || selected.is === 'ids'
  if (!isCounted) errors.set('expect', [expectNeeded])
  if (errors.size > 0 || selected === null || work === null) return { ok: false, errors }
  return { ok: true, request: { select: selected, work, expect, asOf, isPartial }, reason }
}

const expectNeeded = 'Required with "query" and "by": the number of records. A dry run (dry_run=1) tells it.'

type Errors = Map<string, readonly string[]>

function readSelection({ select }: JsonObject, errors: Errors): Selection | null {
  const parsed = parseSelection(select)
  if (parsed.ok) return parsed.selection
  for (const [name, problems] of parsed.errors) errors.set(name === '' ? 'select' : `select.${name}`, problems)
  return null
}

function readWork(body: JsonObject, selected: Selection | null, errors: Errors): BulkWork | null {
  const { patch, restore } = body
  if (restore !== undefined) {
    if (restore !== true) errors.set('restore', ['Must be true, or be left out.'])
    else if (patch !== undefined) errors.set('restore', ['Give "patch" or "restore", not both.'])
    else if (selected !== null && selected.is !== 'by') errors.set('restore', ['Needs a selection "by" an author.'])
    return { is: 'restore' }
  }
  if (patch === undefined) errors.set('patch', ['This field is required, unless "restore" is true.'])
  else if (!isJsonObject(patch)) errors.set('patch', ['Must be an object: the fields to change.'])
  else return readPatch(patch, errors)
  return null
}

function readPatch(patch: JsonObject, errors: Errors): BulkWork | null {
  const parsed = parseBulkPatch(patch)
  if (parsed.ok) return { is: 'patch', patch: parsed.patch }
  for (const [name, problems] of parsed.errors) errors.set(`patch.${name}`, problems)
  return null
}

type ParsedUndo =
  | { readonly ok: true; readonly reason: string | null }
  | { readonly ok: false; readonly errors: FieldErrors }

/** The body of an undo. */
export function parseUndo({ reason = '', ...others }: JsonObject): ParsedUndo {
  const errors = new Map<string, readonly string[]>(Object.keys(others).map((name) => [name, ['Unknown field.']]))
  const parsed = parseGivenReason(reason)
  if (!parsed.ok) errors.set('reason', parsed.problems)
  return parsed.ok && errors.size === 0 ? { ok: true, reason: parsed.value } : { ok: false, errors }
}

function parseGivenReason(value: JsonValue): Parsed<string | null> {
  return typeof value === 'string' ? parseReason(value) : notA('a string', value)
}

function parseCount(value: JsonValue): Parsed<number | null> {
  if (typeof value !== 'number') return notA('an integer', value)
  return Number.isSafeInteger(value) && value >= 0 ? ok(value) : wrong('Must be an integer of at least 0.')
}

function parseFlag(value: JsonValue): Parsed<boolean> {
  return typeof value === 'boolean' ? ok(value) : notA('true or false', value)
}
