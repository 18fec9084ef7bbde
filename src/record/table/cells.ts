import { type FieldKind, ok, type Parsed, wrong } from '../field-kind.ts'
import { fields, type WritableName } from '../fields.ts'
import type { JsonValue } from '../json.ts'
import { isSeveralSpeakers } from '../quality/several-speakers.ts'
import { readClock, readNumber, toLf, withLineEndsOf } from '../text/typed-text.ts'
import { isDay } from '../timestamp.ts'
import { toPlainCell } from './csv.ts'

/** A value as a cell of the downloaded table shows it. */
export function toCellText(name: WritableName, value: JsonValue): string {
  if (Array.isArray(value)) return value.map((entry) => toEntry(String(entry))).join('; ')
  const choice = toKind(name).choices?.find((each) => each.value === value)
  return choice?.display_name ?? String(value ?? '')
}

/** The longest text that Excel keeps of a cell. */
const excelLength = 32_767

/**
 * Whether a cell still has the text of this value. Spreadsheets change line ends, and Excel cuts long texts: neither
 * counts as a change.
 */
export function isUntouchedCell(name: WritableName, cell: string, value: JsonValue): boolean {
  const [typed, shown] = [toLf(toPlainCell(cell)), toLf(toCellText(name, value))]
  if (typed === shown) return true
  return typed.length >= excelLength - 2 && typed.length <= excelLength && shown.startsWith(typed)
}

/** The value that a person has typed into a cell, in the form that is stored. `base` is the value before. */
export function parseCell(name: WritableName, cell: string, base: JsonValue): Parsed<JsonValue> {
  const read = readCell(name, toLf(toPlainCell(cell)), base)
  return read.ok ? toKind(name).parse(read.value) : read
}

/** Entries that look like several, such as a speaker "Ann Lee and Bo Ek": only a semicolon ends one. */
export function listSeveral(name: string, value: JsonValue): readonly string[] {
  const entries = Array.isArray(value) ? value.map(String) : []
  if (name === 'speakers') return entries.filter(isSeveralSpeakers)
  return name === 'tags' ? entries.filter((tag) => tag.includes(',')) : []
}

// Each kind parses any JSON value.
const toKind = (name: WritableName) => fields[name].kind as FieldKind<JsonValue>

function readCell(name: WritableName, text: string, base: JsonValue): Parsed<JsonValue> {
  const kind = toKind(name)
  const word = text.trim()
  switch (kind.type) {
    case 'list':
      return ok(splitEntries(text))
    case 'boolean':
      return readFlag(word)
    case 'choice':
      return readChoice(kind, word)
    case 'integer':
      if (word === '') return ok(null)
      return name === 'duration' ? readClock(word) : readNumber(word)
    case 'date':
      return word === '' ? ok(null) : readDay(word)
    case 'url':
      return ok(word === '' && kind.nullable ? null : word)
    default:
      return ok(withLineEndsOf(typeof base === 'string' ? base : '', text))
  }
}

const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** `28.05.2026` has the day first. `5/28/2026` is read if only one of the two numbers can be the month. */
function readDay(word: string): Parsed<string> {
  const [, day, month, dottedYear] = dotted.exec(word) ?? []
  if (dottedYear !== undefined) return ok(toDay(dottedYear, month, day))
  const [, one = '', other = '', year] = slashed.exec(word) ?? []
  if (year === undefined) return ok(word)
  const [dayFirst, monthFirst] = [toDay(year, other, one), toDay(year, one, other)]
  const isAmbiguous = dayFirst !== monthFirst && isDay(dayFirst) && isDay(monthFirst)
  if (isAmbiguous) return wrong(`Could be ${dayFirst} or ${monthFirst}. Write the one that you mean.`)
  return ok(isDay(dayFirst) ? dayFirst : monthFirst)
}

const toDay = (year: string, month = '', day = '') => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** A semicolon ends an entry. One inside an entry has a backslash before it, and so has a backslash. */
const toEntry = (entry: string) => entry.replace(/[\\;]/g, '\\$&')

/** Skips blank entries, such as after a last semicolon. */
function splitEntries(text: string): string[] {
  const entries = ['']
  for (let offset = 0; offset < text.length; offset++) {
    const [sign, next] = [text.charAt(offset), text.charAt(offset + 1)]
    const isEscape = sign === '\\' && (next === ';' || next === '\\')
    if (sign === ';') entries.push('')
    else entries.push(`${entries.pop() ?? ''}${isEscape ? next : sign}`)
    if (isEscape) offset++
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

/** Spreadsheets write TRUE and FALSE. An empty cell means no. */
function readFlag(word: string): Parsed<boolean> {
  if (/^(?:true|yes|1)$/i.test(word)) return ok(true)
  return /^(?:false|no|0)?$/i.test(word) ? ok(false) : wrong('Must be true or false.')
}

function readChoice({ choices = [] }: FieldKind<JsonValue>, word: string): Parsed<JsonValue> {
  const found = choices.find(({ value, display_name }) => [String(value), display_name].includes(word.toLowerCase()))
  return found === undefined
    ? wrong(`Must be ${choices.map((each) => each.display_name).join(' or ')}.`)
    : ok(found.value)
}
