import type { BulkRequest } from '../../record/bulk.ts'
import type { JsonObject } from '../../record/json.ts'
import { parseBulk } from '../../record/parse-bulk.ts'
import type { FieldErrors } from '../../record/record.ts'
import { bulkTexts } from './bulk-texts.ts'
import { type ChosenTalks, toSelect } from './chosen-talks.ts'
import { type Entries, parseOperations, readEntries, toOperationName } from './parse-operations.ts'

/** All that a person has said about a bulk change. */
export interface BulkInput {
  readonly chosen: ChosenTalks
  readonly entries: Entries
  readonly reason: string
}

/** What only the page of the preview knows. */
export interface Seen {
  /** The number of selected talks. */
  readonly expect: number
  /** Of their ids. */
  readonly hash: string
  readonly asOf: number
  readonly isPartial: boolean
  readonly key: string
}

export type ParsedInput =
  | { readonly ok: true; readonly request: BulkRequest; readonly reason: string | null; readonly patch: JsonObject }
  | { readonly ok: false; readonly errors: FieldErrors }

const shortcuts: { readonly [action: string]: string } = { publish: '1', withdraw: '2' }

/** Buttons of work lists stand for a form with the state filled in. */
export const isShortcut = (action: string) => Object.hasOwn(shortcuts, action)

export function readInput(form: URLSearchParams, chosen: ChosenTalks): BulkInput {
  const state = shortcuts[form.get('do') ?? '']
  const entries = isShortcut(form.get('do') ?? '') && state !== undefined ? toStateEntry(state) : readEntries(form)
  return { chosen, entries, reason: form.get('reason') ?? '' }
}

const toStateEntry = (state: string): Entries => new Map([[toOperationName('state', 'set'), state]])

/** The very request that the API would make of it (decision 62). Without `seen` it is the request of a dry run. */
export function parseInput({ chosen, entries, reason }: BulkInput, seen: Seen | null): ParsedInput {
  const { patch, errors } = parseOperations(entries)
  if (entries.size === 0) return { ok: false, errors: new Map([['', [bulkTexts.errors.nothing]]]) }
  const conditions = seen === null ? {} : { expect: seen.expect, as_of: seen.asOf, partial: seen.isPartial }
  const parsed = parseBulk({ select: toSelect(chosen), patch, reason, ...conditions }, seen === null)
  const found = parsed.ok ? [] : [...parsed.errors].map(([name, each]) => [name.replace(/^patch\./, ''), each] as const)
  if (parsed.ok && errors.size === 0) {
    const request = seen === null ? parsed.request : { ...parsed.request, expectHash: seen.hash }
    return { ok: true, request, reason: parsed.reason, patch }
  }
  return { ok: false, errors: new Map([...errors, ...found]) }
}

/** Null if the form has no preview that could be held to. */
export function readSeen(form: URLSearchParams, isPartial: boolean): Seen | null {
  const [expect, asOf] = [form.get('expect') ?? '', form.get('as_of') ?? '']
  const [hash, key] = [form.get('hash') ?? '', form.get('key') ?? '']
  const hasNumbers = [expect, asOf].every((word) => /^\d{1,15}$/.test(word))
  const hasKeys = [hash, key].every((word) => /^[\x21-\x7e]{1,255}$/.test(word))
  return hasNumbers && hasKeys ? { expect: Number(expect), hash, asOf: Number(asOf), isPartial, key } : null
}
