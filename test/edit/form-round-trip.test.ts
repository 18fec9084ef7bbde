import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseForm, toControlKind, toControlName, toControlText } from '../../src/edit/form/form-values.ts'
import { fields, isWritableName } from '../../src/record/fields.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/record/json.ts'
import { mapFile } from '../archive/mapped.ts'
import { runs } from '../harness/runs.ts'
import { anyChange, anyRecord, toLf } from './any-record.ts'
import { renderForm } from './rendered.tsx'
import { type Edits, submitForm } from './submit-form.ts'

const submit = (record: JsonObject, edits: Edits = new Map()) =>
  parseForm(submitForm(renderForm(record), edits), record)

const untouched = { ok: true, changes: {}, typed: new Map() } as const

/** What a person types to give a field of this record a value. */
function toEdit(name: string, record: JsonObject, value: JsonValue): Edits {
  if (!isWritableName(name)) throw new Error(`${name} cannot be written`)
  const control = toControlKind(name, fields[name].kind, record[name] ?? null)
  return new Map([[toControlName(name), typeof value === 'boolean' ? value : toControlText(control, value)]])
}

describe('For any record', () => {
  test('a form that nobody touched changes nothing', () => {
    const property = fc.property(anyRecord, (record) => {
      expect(submit(record)).toEqual(untouched)
    })
    fc.assert(property, { numRuns: runs(3_000) })
  })

  test('an edit of one field changes only that field, to what was typed', () => {
    const property = fc.property(anyRecord, anyChange, (record: JsonObject, change) => {
      const [[name, value] = ['', null]] = Object.entries(change)
      const edits = toEdit(name, record, value)
      const parsed = submit(record, edits)
      const typed = edits.get(toControlName(name))
      const shown = submitForm(renderForm(record)).getAll(toControlName(name)).at(-1)
      if (typeof typed === 'string' && typed === toLf(shown)) return expect(parsed).toEqual(untouched)
      if (!parsed.ok) throw new Error(`${name} is refused: ${JSON.stringify([...parsed.errors])}`)
      expect(Object.keys(parsed.changes).filter((each) => each !== name)).toEqual([])
      const after: JsonObject = { ...record, ...parsed.changes }
      expect(toComparable(after[name])).toEqual(toComparable(isLine(name, record) ? withoutBreaks(value) : value))
    })
    fc.assert(property, { numRuns: runs(3_000) })
  })

  test('a text that is typed again and put back changes nothing, whatever its line ends were', () => {
    const property = fc.property(anyRecord, (record) => {
      const edits: Edits = new Map(
        ['description', 'whiteboard', 'title'].flatMap((name) => [...toEdit(name, record, record[name as 'title'])]),
      )
      expect(submit(record, edits)).toEqual(untouched)
    })
    fc.assert(property, { numRuns: runs(1_000) })
  })
})

const isLine = (name: string, record: JsonObject) =>
  isWritableName(name) && toControlKind(name, fields[name].kind, record[name] ?? null) === 'line'
const withoutBreaks = (value: JsonValue) => (typeof value === 'string' ? value.replace(/[\r\n]/g, '') : value)

/** Line ends are those that the field had, those in names are shown as a sign, and nothing is the same as empty. */
function toComparable(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return [...new Set(value.map((entry) => String(entry).replace(/\r\n|\r|\n/g, '↵')))]
  return typeof value === 'string' && value !== '' ? String(toLf(value)) : value === '' ? null : (value ?? null)
}

/** A folder of talks to try besides our own. */
const otherArchive = process.env.TEST_ARCHIVE

if (otherArchive !== undefined) {
  test('opening and saving each talk of another archive changes nothing', () => {
    const records = listTalks(otherArchive)
    expect(records.length).toBeGreaterThan(100)
    for (const { path, record } of records) expect({ path, ...submit(record) }).toEqual({ path, ...untouched })
  }, 120_000)
}

function listTalks(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => /(?:^|\/)videos\/[^/]*\.json$/.test(path))
    .flatMap((path) => {
      const file: JsonValue = JSON.parse(readFileSync(join(folder, path), 'utf8'))
      const record = isJsonObject(file) ? mapFile(file) : null
      return record === null || 'refused' in record ? [] : [{ path, record: record as JsonObject }]
    })
}
