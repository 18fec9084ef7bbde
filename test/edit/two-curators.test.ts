import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseForm, toControlKind, toControlName, toControlText } from '../../src/edit/form/form-values.ts'
import { choices, findContested, parseConflict, toChoiceName, toYoursName } from '../../src/edit/save/save-fields.ts'
import type { TalkVersion } from '../../src/edit/talk/talk-version.ts'
import { fields, isWritableName } from '../../src/record/fields.ts'
import { isSameJson, type JsonObject, type JsonValue } from '../../src/record/json.ts'
import { runs } from '../harness/runs.ts'
import { anyChange, anyRecord } from './any-record.ts'
import { createOneTalkStore, type OneTalkStore } from './one-talk-store.ts'
import { renderConflict, renderForm } from './rendered.tsx'
import { submitForm } from './submit-form.ts'

/** What somebody does next: opens the talk, or sends the form or the choices that are open. */
interface Step {
  readonly who: 'ann' | 'bob'
  /** What is typed into a form that is open. */
  readonly edits: readonly JsonObject[]
  /** What is chosen of every contested field. */
  readonly choice: (typeof choices)[number]
}

/** Few fields and values, so that two people often change the same one, or even make the same change. */
const contestedChange: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom('Tides', 'Moons', 'Tides of\r\nthe sea').map((title) => ({ title })),
  fc.constantFrom('one\ntwo', 'one\r\n\r\n', '').map((summary) => ({ summary })),
  fc.subarray(['sea', 'moon', 'a\nb']).map((tags) => ({ tags })),
)

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('ann', 'bob'),
  edits: fc.array(fc.oneof(anyChange, contestedChange), { minLength: 1, maxLength: 2 }),
  choice: fc.constantFrom(...choices),
})

/** What one person has open. */
type Open =
  | { readonly is: 'nothing' }
  | { readonly is: 'form'; readonly base: TalkVersion }
  | { readonly is: 'conflict'; readonly base: TalkVersion; readonly theirs: TalkVersion; readonly yours: JsonObject }

test('whatever two people type at the same time is stored or shown to them; nothing is overwritten silently', async () => {
  let conflicts = 0
  const property = fc.asyncProperty(
    anyRecord,
    fc.array(step, { minLength: 4, maxLength: 14 }),
    async (record, steps) => {
      const store = createOneTalkStore({ ...record, state: 2, updated: '2024-05-31T00:00:00.000' })
      const open: Record<Step['who'], Open> = { ann: { is: 'nothing' }, bob: { is: 'nothing' } }
      for (const each of steps) {
        open[each.who] = await take(store, open[each.who], each)
        if (open[each.who].is === 'conflict') conflicts++
      }
    },
  )
  await fc.assert(property, { numRuns: runs(800) })
  expect(conflicts).toBeGreaterThan(0)
}, 120_000)

async function take(store: OneTalkStore, open: Open, { who, edits, choice }: Step): Promise<Open> {
  switch (open.is) {
    case 'nothing':
      return { is: 'form', base: store.current() }
    case 'form': {
      const { base } = open
      const typed = Object.assign({}, ...edits.map((edit) => toEdits(edit, base.record)))
      const parsed = parseForm(submitForm(renderForm(base.record), new Map(Object.entries(typed))), base.record)
      if (!parsed.ok) return open
      return save(store, who, base, parsed.changes, base)
    }
    case 'conflict': {
      const { base, theirs, yours } = open
      const sides = { base: base.record, theirs: theirs.record, yours }
      const contested = findContested(sides)
      const html = renderConflict(sides)
      const isOffered = (name: string) => html.includes(`name="${toChoiceName(name)}" value="${choice}"`)
      const chosen = new Map(contested.map((name) => [name, isOffered(name) ? choice : 'yours'] as const))
      const form = submitForm(html, new Map([...chosen].map(([name, each]) => [toChoiceName(name), each])))
      const parsed = parseConflict(form, sides)
      if (!parsed.ok) throw new Error(`the choice is refused: ${JSON.stringify([...parsed.errors])}`)
      const wanted = { base: base.record, theirs: theirs.record, yours, edited: yours, both: toBoth(sides) }
      for (const [name, each] of chosen)
        expect(at({ ...theirs.record, ...parsed.changes }, name)).toEqual(at(wanted[each], name))
      return save(store, who, theirs, parsed.changes, theirs)
    }
  }
}

/** Sends a change of a version that the person has seen, and checks what became of it. */
async function save(
  store: OneTalkStore,
  who: string,
  base: TalkVersion,
  changes: JsonObject,
  seen: TalkVersion,
): Promise<Open> {
  const before = store.current()
  const sent = await store.send(who, base, changes)
  const after = store.current()
  switch (sent.is) {
    case 'conflict': {
      expect(after).toBe(before)
      const { theirs, yours } = sent
      const sides = { base: sent.base.record, theirs: theirs.record, yours }
      const shown = submitForm(renderConflict(sides))
      // All that was typed is in the page, except what is stored already.
      for (const [name, value] of Object.entries(changes)) {
        if (isSameJson(at(theirs.record, name), value)) continue
        expect(at(yours, name)).toEqual(value)
        expect(shown.has(toYoursName(name))).toBe(true)
      }
      return { is: 'conflict', base: sent.base, theirs, yours }
    }
    case 'refused':
      throw new Error(`refused: ${sent.problem.code}`)
    default: {
      for (const [name, value] of Object.entries(changes)) expect(at(after.record, name)).toEqual(value)
      const overwritten = Object.keys(fields).filter(
        (name) => isWritableName(name) && !isSameJson(at(before.record, name), at(after.record, name)),
      )
      for (const name of overwritten) {
        // The markup follows the address if it was made from it.
        if (name === 'embed' && !Object.hasOwn(changes, 'embed')) continue
        expect(Object.keys(changes)).toContain(name)
        expect(at(before.record, name)).toEqual(at(seen.record, name))
      }
      return { is: 'nothing' }
    }
  }
}

const at = (record: JsonObject, name: string): JsonValue => record[name] ?? null

/** What a person types to give fields of this record their values. */
function toEdits(edit: JsonObject, record: JsonObject): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(edit).flatMap(([name, value]) => {
      if (!isWritableName(name) || name === 'state') return []
      const control = toControlKind(name, fields[name].kind, record[name] ?? null)
      return [[toControlName(name), typeof value === 'boolean' ? value : toControlText(control, value)]]
    }),
  )
}

/** Every name that both have or that one of them added; theirs come first. */
function toBoth({ base, theirs, yours }: Readonly<Record<'base' | 'theirs' | 'yours', JsonObject>>): JsonObject {
  const both = (name: string) => {
    const [was, now, own] = [base, theirs, yours].map((record) => Array.from(Object(at(record, name) ?? []), String))
    const isLeft = (each: string) => (now?.includes(each) && own?.includes(each)) || was?.includes(each) === false
    return [...new Set([...(now ?? []), ...(own ?? [])])].filter(isLeft)
  }
  return { speakers: both('speakers'), tags: both('tags') }
}
