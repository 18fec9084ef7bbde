import { describe, expect, test } from 'bun:test'
import { parseForm, toBlankRecord, toControlName } from '../../src/edit/form/form-values.ts'
import { integer, text } from '../../src/record/field-kind.ts'
import { fields } from '../../src/record/fields.ts'
import type { JsonValue } from '../../src/record/json.ts'
import { createRecord } from '../site/talk-record.ts'
import { renderForm } from './rendered.tsx'
import { type Edits, submitForm } from './submit-form.ts'

const record = createRecord({
  title: 'Tides',
  language: 'English',
  speakers: ['Ada Quill', 'Ben Stone'],
  tags: ['sea'],
  summary: 'one\r\ntwo\r\n',
  description: 'one\ntwo\n',
  duration: 2347,
  recorded: '2024-05-31',
  video_mp4_url: null,
  video_ogv_url: '',
  video_mp4_length: 412_630_117,
  video_mp4_download_only: true,
  source_url: 'https://media.example.org/tides',
})

/** What happens if a person types this. */
function type(name: string, typed: string | boolean, base: typeof record = record) {
  const edits: Edits = new Map([[toControlName(name), typed]])
  return parseForm(submitForm(renderForm(base), edits), base)
}

const changed: readonly (readonly [string, string | boolean, JsonValue])[] = [
  ['title', ' Tides and moons ', 'Tides and moons'],
  ['language', 'deu', 'German'],
  ['language', '', ''],
  ['speakers', 'Ada Quill\n\n  Zoë Marsh  \n', ['Ada Quill', 'Zoë Marsh']],
  ['speakers', 'Ben Stone\nAda Quill', ['Ben Stone', 'Ada Quill']],
  ['speakers', '', []],
  ['summary', 'one\nthree\n', 'one\r\nthree\r\n'],
  ['summary', '\none\n\n', '\r\none\r\n\r\n'],
  ['description', 'one\nthree\n', 'one\nthree\n'],
  ['quality_notes', 'hum\nhiss', 'hum\nhiss'],
  ['duration', '1:02:03', 3723],
  ['duration', '90', 90],
  ['duration', '90:00', 5400],
  ['duration', ' 0:05 ', 5],
  ['duration', '', null],
  ['recorded', '2024-06-01 ', '2024-06-01'],
  ['recorded', '', null],
  ['state', '2', 2],
  ['video_mp4_download_only', false, false],
  ['video_webm_download_only', true, true],
  ['video_mp4_length', '', null],
  ['video_mp4_length', '9007199254740991', Number.MAX_SAFE_INTEGER],
  ['video_mp4_url', 'https://media.example.org/tides.mp4', 'https://media.example.org/tides.mp4'],
  ['source_url', '', ''],
]

const unchanged: readonly (readonly [string, string | boolean])[] = [
  ['title', ' Tides '],
  ['language', 'en'],
  ['speakers', 'Ada Quill\nBen Stone\n\n'],
  ['speakers', 'Ada Quill\nBen Stone\nAda Quill'],
  ['duration', '2347'],
  ['duration', '0:39:07'],
  ['recorded', ' 2024-05-31'],
  ['video_mp4_url', ''],
  ['video_ogv_url', ' '],
  ['source_url', ' https://media.example.org/tides '],
]

const wrong: readonly (readonly [string, string, string])[] = [
  ['title', '   ', 'May not be blank.'],
  ['title', 'x'.repeat(256), 'Must have at most 255 characters.'],
  ['title', '💡'.repeat(256), 'Must have at most 255 characters.'],
  ['language', 'Englisch', 'is not the English name or code of a language'],
  ['duration', 'an hour', 'Must be a length such as 39:07'],
  ['duration', '1:75', 'Must be a length such as 39:07'],
  ['duration', '1:90:00', 'Must be a length such as 39:07'],
  ['duration', '20000000', 'Must be from 0 to 10000000.'],
  ['recorded', '31.05.2024', 'Must be an existing calendar day'],
  ['recorded', '2024-02-30', 'Must be an existing calendar day'],
  ['video_mp4_length', '412 MB', 'written with digits only'],
  ['video_mp4_length', '-1', 'written with digits only'],
  ['video_mp4_length', '9007199254740993', 'Must be from 0 to'],
  ['video_mp4_url', 'media.example.org/tides.mp4', 'Must be empty or an absolute URL'],
  ['tags', `${'x'.repeat(101)}\nsea`, 'Entry 1: Must have at most 100 characters.'],
]

describe('What a person types', () => {
  for (const [name, typed, value] of changed) {
    test(`${JSON.stringify(typed)} makes ${name} ${JSON.stringify(value)}`, () => {
      expect(type(name, typed)).toMatchObject({ ok: true, changes: { [name]: value } })
      expect(Object.keys(Object(type(name, typed)).changes)).toEqual([name])
    })
  }
  for (const [name, typed] of unchanged) {
    test(`${JSON.stringify(typed)} leaves ${name} as it is`, () => {
      expect(type(name, typed)).toMatchObject({ ok: true, changes: {} })
    })
  }
  for (const [name, typed, message] of wrong) {
    test(`${JSON.stringify(typed.slice(0, 20))} is wrong for ${name}, and is kept`, () => {
      const parsed = type(name, typed)
      if (parsed.ok) throw new Error('it was taken')
      expect([...parsed.errors]).toEqual([[name, [expect.stringContaining(message)]]])
      expect(parsed.typed.get(name)?.replaceAll('\r\n', '\n')).toBe(typed)
      const again = submitForm(renderForm(record, { typed: parsed.typed, errors: parsed.errors }))
      expect(parseForm(again, record)).toEqual(parsed)
    })
  }

  test('a title may have 255 characters of any sort', () => {
    expect(type('title', '💡'.repeat(255))).toMatchObject({ ok: true, changes: { title: '💡'.repeat(255) } })
  })

  test('all errors are reported together', () => {
    const edits: Edits = new Map([
      [toControlName('title'), ''],
      [toControlName('recorded'), 'May'],
      [toControlName('tags'), 'sea\nmoon'],
    ])
    const parsed = parseForm(submitForm(renderForm(record), edits), record)
    if (parsed.ok) throw new Error('it was taken')
    expect([...parsed.errors.keys()]).toEqual(['title', 'recorded'])
    expect([...parsed.typed.keys()]).toEqual(['title', 'recorded', 'tags'])
  })
})

describe('Line ends', () => {
  const mixed = 'one\r\ntwo\nthree\r\nfour\r\n'
  const base = createRecord({ description: mixed })

  test('of lines that stay are kept in a text that mixes them; new lines get the usual one', () => {
    expect(type('description', 'one\ntwo\nnew\nthree\nfour\n', base)).toMatchObject({
      changes: { description: 'one\r\ntwo\nnew\r\nthree\r\nfour\r\n' },
    })
  })
  test('a removed line is removed with its line end', () => {
    expect(type('description', 'one\nthree\nfour\n', base)).toMatchObject({
      changes: { description: 'one\r\nthree\r\nfour\r\n' },
    })
  })
  test('old ones of a single carriage return stay', () => {
    const old = createRecord({ summary: 'one\rtwo' })
    expect(type('summary', 'one\ntwo\nthree', old)).toMatchObject({ changes: { summary: 'one\rtwo\rthree' } })
  })

  test('a line break of one character is never joined with the next one', () => {
    const old = createRecord({ summary: 'one\rtwo\nthree\n' })
    expect(type('summary', 'one\n\n\ntwo\nthree\n', old)).toMatchObject({
      changes: { summary: 'one\r\r\n\ntwo\nthree\n' },
    })
  })
  test('a first line break is kept', () => {
    const first = createRecord({ summary: '\n\none' })
    expect(type('summary', '\n\ntwo', first)).toMatchObject({ changes: { summary: '\n\ntwo' } })
    expect(type('summary', '\none', first)).toMatchObject({ changes: { summary: '\none' } })
  })
})

describe('Names with line breaks', () => {
  const odd = createRecord({ speakers: ['Ada\nQuill', 'Ben\r\nStone', 'Zoë'] })

  test('keep them while others are edited', () => {
    expect(type('speakers', 'Zoë Marsh\nBen↵Stone\nAda↵Quill', odd)).toMatchObject({
      changes: { speakers: ['Zoë Marsh', 'Ben\r\nStone', 'Ada\nQuill'] },
    })
  })
  test('lose them when the sign is replaced', () => {
    expect(type('speakers', 'Ada Quill\nBen↵Stone\nZoë', odd)).toMatchObject({
      changes: { speakers: ['Ada Quill', 'Ben\r\nStone', 'Zoë'] },
    })
  })
})

describe('A form that', () => {
  test('lacks a field leaves it alone, also a box that could be checked', () => {
    expect(parseForm(new FormData(), record)).toEqual({ ok: true, changes: {}, typed: new Map() })
    const locked = submitForm(renderForm(record, { locked: ['state', 'video_mp4_download_only'] }))
    expect(locked.has(toControlName('state'))).toBe(false)
    expect(parseForm(locked, record)).toEqual({ ok: true, changes: {}, typed: new Map() })
  })
  test('has a file where a text should be leaves the field alone', () => {
    const form = new FormData()
    form.append(toControlName('title'), new File(['x'], 'x.txt'))
    expect(parseForm(form, record)).toEqual({ ok: true, changes: {}, typed: new Map() })
  })
})

describe('A new talk', () => {
  const blank = toBlankRecord()

  test('needs an event and a title', () => {
    const parsed = parseForm(submitForm(renderForm(blank)), blank, { isNew: true })
    if (parsed.ok) throw new Error('it was taken')
    expect([...parsed.errors]).toEqual([
      ['title', ['This field is required.']],
      ['category', ['This field is required.']],
    ])
  })
  test('has exactly what the form contained', () => {
    const typed = new Map([
      ['title', 'Tides'],
      ['category', 'Harbour 2024'],
      ['source_url', 'https://www.youtube.com/watch?v=abcdefghijk'],
    ])
    const form = submitForm(renderForm(blank, { typed }))
    expect(parseForm(form, blank, { isNew: true })).toMatchObject({ ok: true, changes: Object.fromEntries(typed) })
    expect(Object.keys(Object(parseForm(form, blank)).changes).sort()).toEqual(['category', 'source_url', 'title'])
  })
})

test('a field that is added to the table is in the form, with its help and limits, and is read from it', () => {
  const table = {
    ...fields,
    room: { access: 'write', kind: text(40), absent: { is: 'value', value: '' }, help: 'Where the talk was.' },
    seats: { access: 'write', kind: integer(0, 900), absent: { is: 'value', value: null }, help: 'How many had room.' },
  } as const
  const base = { ...record, room: 'Blue', seats: 12 }
  const html = renderForm(base, { table })
  expect(html).toContain('>Room</label>')
  expect(html).toContain('Where the talk was.')
  expect(html).toContain('At most 40 characters.')
  expect(parseForm(submitForm(html), base, { table })).toEqual({ ok: true, changes: {}, typed: new Map() })
  const edits: Edits = new Map([
    [toControlName('room'), 'Red'],
    [toControlName('seats'), '901'],
  ])
  const parsed = parseForm(submitForm(html, edits), base, { table })
  if (parsed.ok) throw new Error('it was taken')
  expect([...parsed.errors]).toEqual([['seats', ['Must be from 0 to 900.']]])
  const fewer: Edits = new Map([[toControlName('room'), 'Red']])
  const taken = parseForm(submitForm(html, fewer), base, { table })
  expect(Object(taken).changes).toEqual({ room: 'Red' })
})
