import { describe, expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { fieldNames, fields, writableNames } from '../../src/record/fields.ts'
import { createHostileMarkup } from '../browser/hostile-markup.ts'
import { parsePage } from '../site/page-tree.ts'
import { createRecord } from '../site/talk-record.ts'
import { renderConflict, renderDiff, renderForm, renderWholeForm } from './rendered.tsx'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  // Preact writes <br/>; lists of names may be named; the server judges lengths in code points.
  rules: { 'void-style': 'off', 'aria-label-misuse': ['error', { allowAnyNamable: true }] },
})

const record = createRecord({ speakers: ['Ada', 'Ben'], summary: 'one\r\ntwo', language: 'German', duration: 90 })
const pick = { toPickAddress: (kind: string) => `/edit/pick?kind=${kind}` }
const errors = new Map([
  ['title', ['May not be blank.']],
  ['video_mp4_url', ['Must be empty or an absolute URL.']],
])
const hostile = createHostileMarkup('https://collector.example.org').join('\n')
const hostileRecord = createRecord({
  title: hostile,
  category: hostile,
  speakers: [hostile, '</textarea><script>alert(1)</script>'],
  tags: ['</option></select>', '"onfocus=alert(1) autofocus x="'],
  summary: `</textarea>${hostile}`,
  whiteboard: hostile,
  embed: hostile,
  source_url: 'https://x.example.org/"onfocus=alert(1)',
})

const parts: readonly (readonly [string, string])[] = [
  ['a form', renderForm(record, { ...pick, languages: ['English', 'German'] })],
  ['a form with errors', renderForm(record, { errors, typed: new Map([['title', ' ']]) })],
  ['a form with its buttons', renderWholeForm(record)],
  ['a difference', renderDiff(record, hostileRecord)],
  [
    'a conflict',
    renderConflict({ base: record, theirs: hostileRecord, yours: { title: 'Mine', tags: ['x'], state: 2 } }),
  ],
  ['a hostile form', renderForm(hostileRecord, pick)],
]

describe('The markup of', () => {
  for (const [name, html] of parts) {
    test(`${name} is valid, and runs nothing`, async () => {
      const { results } = await validator.validateString(html)
      expect(results.flatMap(({ messages }) => messages.map((each) => `${each.ruleId}: ${each.message}`))).toEqual([])
      const page = parsePage(html)
      expect(page.all('script').length + page.all('img').length + page.all('iframe').length).toBe(0)
      for (const element of page.all('')) {
        expect([element.attribute('style'), element.attribute('onfocus'), element.attribute('autofocus')]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
      }
    })
  }
})

describe('The form', () => {
  const page = parsePage(renderForm(record, { errors, ...pick }))
  const byId = (id: string) => page.all('').filter((element) => element.attribute('id') === id)

  test('has a control, a label and a help text for every field that can be written', () => {
    for (const name of writableNames) {
      const [control] = byId(`field-${name}`)
      expect([name, control?.attribute('name')]).toEqual([name, `field.${name}`])
      expect(page.all('label').filter((label) => label.attribute('for') === `field-${name}`).length).toBe(1)
      const described = control?.attribute('aria-describedby')?.split(' ') ?? []
      expect(described.flatMap(byId).length).toBe(errors.has(name) ? 2 : 1)
    }
    expect(fieldNames.filter((name) => fields[name].access === 'read' && byId(`field-${name}`).length > 0)).toEqual([])
  })

  test('says what is wrong at the field, and above all fields with a link to it', () => {
    const [title] = byId('field-title')
    expect(title?.attribute('aria-invalid')).toBe('true')
    expect(byId('field-title-error')[0]?.text).toBe('Error: May not be blank.')
    const summary = page.one('.error-summary')
    expect(summary.attribute('role')).toBe('alert')
    expect(summary.all('a').map((link) => [link.attribute('href'), link.text])).toEqual([
      ['#field-title', 'Title'],
      ['#field-video_mp4_url', 'MP4: Address'],
    ])
  })

  test('puts texts of the talk into its language', () => {
    expect(byId('field-title')[0]?.attribute('lang')).toBe('de')
    expect(byId('field-whiteboard')[0]?.attribute('lang')).toBeUndefined()
  })

  test('truncates nothing that is pasted, and accepts whatever is typed', () => {
    for (const control of [...page.all('input'), ...page.all('textarea')]) {
      expect(control.attribute('maxlength')).toBeUndefined()
      expect(['text', 'url', 'checkbox', 'hidden', undefined]).toContain(control.attribute('type'))
    }
  })
})
