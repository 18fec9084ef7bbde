import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { toControlName } from '../../src/edit/form/form-values.ts'
import { findContested, parseConflict } from '../../src/edit/save/save-fields.ts'
import type { JsonObject } from '../../src/record/json.ts'
import { runs } from '../harness/runs.ts'
import { parsePage } from '../site/page-tree.ts'
import { createRecord } from '../site/talk-record.ts'
import { anyChange, anyRecord, toLf } from './any-record.ts'
import { renderConflict } from './rendered.tsx'
import { submitForm } from './submit-form.ts'

const base = createRecord({ title: 'Tides', summary: 'one\r\ntwo', tags: ['sea'], duration: 60 })
const theirs = createRecord({ ...base, title: 'Tides of the sea', summary: 'one\r\nthree', state: 2 })
const yours = { title: 'Tides and moons', summary: 'one\r\ntwo\r\nfour', tags: ['sea', 'moon'] }
const sides = { base, theirs, yours }

/** What happens after these choices. */
function choose(edits: Readonly<Record<string, string>>) {
  return parseConflict(submitForm(renderConflict(sides), new Map(Object.entries(edits))), sides)
}

describe('A conflicting save', () => {
  test('shows the fields that both changed, with all three sides, and lists the others', () => {
    const page = parsePage(renderConflict({ ...sides, theirsTitle: 'Theirs, by ben' }))
    expect(page.all('legend').map(({ text }) => text)).toEqual(['Title', 'Summary'])
    const [first] = page.all('fieldset')
    expect(first?.all('label').map(({ text }) => text)).toEqual(['Yours', 'Theirs, by ben', 'As it was', 'My own text'])
    expect(first?.all('ins').map(({ text }) => text)).toEqual([
      'added: and moons (end of change)',
      'added: of the sea (end of change)',
    ])
    expect(page.one('p.also-saved').text).toBe('Your other changes will be saved too: Tags.')
  })

  test('saves nothing before every field has a choice', () => {
    const parsed = choose({ 'choice.title': 'yours' })
    if (parsed.ok) throw new Error('it was taken')
    expect([...parsed.errors]).toEqual([['summary', ['Choose one of these.']]])
    expect([...parsed.chosen.choices]).toEqual([['title', 'yours']])
    const again = submitForm(renderConflict({ ...sides, chosen: parsed.chosen, errors: parsed.errors }))
    expect(parseConflict(again, sides)).toEqual(parsed)
  })

  const outcomes: readonly (readonly [string, string, JsonObject])[] = [
    ['base', 'theirs', { title: 'Tides', tags: ['sea', 'moon'] }],
    ['theirs', 'yours', { summary: 'one\r\ntwo\r\nfour', tags: ['sea', 'moon'] }],
    ['yours', 'base', { title: 'Tides and moons', summary: 'one\r\ntwo', tags: ['sea', 'moon'] }],
    ['theirs', 'theirs', { tags: ['sea', 'moon'] }],
  ]
  for (const [title, summary, changes] of outcomes) {
    test(`title: ${title}, summary: ${summary}`, () => {
      const parsed = choose({ 'choice.title': title, 'choice.summary': summary })
      expect(parsed).toMatchObject({ ok: true, changes })
      expect(Object.keys(Object(parsed).changes).sort()).toEqual(Object.keys(changes).sort())
    })
  }

  test('accepts a text that joins both, with the line ends of the field', () => {
    const own = { [toControlName('summary')]: 'one\nthree\nfour' }
    for (const choice of [{ 'choice.summary': 'edited' }, {}]) {
      expect(choose({ 'choice.title': 'theirs', ...own, ...choice })).toMatchObject({
        ok: true,
        changes: { summary: 'one\r\nthree\r\nfour', tags: ['sea', 'moon'] },
      })
    }
  })

  test('asks again if the text was edited but another side is chosen', () => {
    const parsed = choose({ 'choice.title': 'theirs', [toControlName('title')]: 'Mine', 'choice.summary': 'yours' })
    if (parsed.ok) throw new Error('it was taken')
    expect([...parsed.errors.keys()]).toEqual(['title'])
    expect(parsed.errors.get('title')?.[0]).toContain('Choose “My own text” to use it.')
    expect(parsed.chosen.edited.get('title')).toBe('Mine')
  })

  test('validates an edited text like the form', () => {
    const parsed = choose({ 'choice.title': 'edited', [toControlName('title')]: ' ', 'choice.summary': 'yours' })
    if (parsed.ok) throw new Error('it was taken')
    expect([...parsed.errors]).toEqual([['title', ['May not be blank.']]])
  })

  const lists = {
    base: createRecord({ ...base, tags: ['sea', 'old', 'late'] }),
    theirs: createRecord({ ...base, tags: ['sea', 'old', 'moon'], title: 'Theirs' }),
    yours: { tags: ['tide', 'sea', 'late', 'moon'], title: 'Yours' },
  }
  const chooseBoth = (edits: Readonly<Record<string, string>>, sides = lists) =>
    parseConflict(submitForm(renderConflict(sides), new Map(Object.entries(edits))), sides)

  test('offers both changes of a list: theirs, and what you added, without what either removed', () => {
    const [title, tags] = parsePage(renderConflict(lists)).all('fieldset')
    expect(title?.all('label').map(({ text }) => text)).not.toContain('Both')
    expect(tags?.all('label').map(({ text }) => text)).toEqual(['Yours', 'Theirs', 'Both', 'As it was', 'My own text'])
    expect(chooseBoth({ 'choice.title': 'theirs', 'choice.tags': 'both' })).toMatchObject({
      ok: true,
      changes: { tags: ['sea', 'moon', 'tide'] },
    })
    const edited = chooseBoth({ 'choice.title': 'theirs', 'choice.tags': 'both', [toControlName('tags')]: 'mine' })
    expect(edited).toMatchObject({ ok: false })
  })

  test('does not offer both if that equals one of the sides, and not for a text', () => {
    const same = { ...lists, yours: { tags: ['sea'] }, theirs: createRecord({ ...base, tags: ['sea', 'old'] }) }
    expect(parsePage(renderConflict(same)).one('fieldset').all('label').length).toBe(4)
    const parsed = parseConflict(
      submitForm(renderConflict(lists).replace('value="base"', 'value="both"'), new Map([['choice.title', 'both']])),
      lists,
    )
    if (parsed.ok) throw new Error('it was taken')
    expect(parsed.errors.get('title')).toEqual(['Choose one of these.'])
  })

  test('the same change on both sides is no conflict', () => {
    const same = { base, theirs, yours: { title: theirs.title, tags: ['moon'] } }
    expect(findContested(same)).toEqual([])
    expect(parseConflict(submitForm(renderConflict(same)), same)).toMatchObject({
      ok: true,
      changes: { tags: ['moon'] },
    })
  })
})

test('for any three sides, choosing yours saves yours, and choosing theirs changes nothing of theirs', () => {
  const property = fc.property(anyRecord, anyRecord, anyChange, (was, now, change) => {
    // Nobody can type a line break into a line.
    fc.pre(!/[\r\n]/.test(String(change.title ?? change.category ?? '')))
    const any = { base: was, theirs: now, yours: change }
    const contested = findContested(any)
    const html = renderConflict(any)
    const choose = (choice: string) =>
      parseConflict(submitForm(html, new Map(contested.map((name) => [`choice.${name}`, choice]))), any)
    const kept = choose('theirs')
    expect(kept).toMatchObject({ ok: true })
    for (const name of contested) expect(Object.keys(Object(kept).changes)).not.toContain(name)
    const own = choose('yours')
    expect(own).toMatchObject({ ok: true })
    for (const name of contested) {
      const saved = { ...now, ...Object(own).changes }[name]
      expect(toComparable(saved)).toEqual(toComparable(change[name]))
    }
  })
  fc.assert(property, { numRuns: runs(1_000) })
})

/** Names and texts without line ends that the field did not have. */
function toComparable(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => String(each).replace(/\r\n|[\r\n]|↵/g, '')))]
  return typeof value === 'string' ? String(toLf(value)).trim() || null : value
}
