import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FieldEdit } from '../../src/record/bulk.ts'
import type { JsonObject } from '../../src/record/json.ts'
import type { Changes, VideoRecord } from '../../src/record/record.ts'
import { runs } from '../harness/runs.ts'
import { toEdited } from '../model/model-bulk.ts'
import { ann, bob, bulk, describeBulk, fail, toBatch, toPreview } from './bulk-store.ts'

/** Few letters, so that texts often have what is looked for. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '$', 'ü', '😀', '\n'), minLength: 1, maxLength: 3 })
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''))
const title = text.map((some) => `T${some}`.trim())

const talk = fc.record({
  title,
  summary: text,
  description: fc.oneof(text, fc.constant('ab'.repeat(49_999))),
  duration: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 10_000_000 })),
})

/** A member of a patch, with the edit that the model makes of it. */
type Step = readonly [field: 'title' | 'summary' | 'description' | 'duration', value: JsonObject, edit: FieldEdit]

const textEdit = fc.oneof(
  fc.tuple(word, fc.oneof(text, word)).map(
    ([find, replace]) =>
      [
        { find, replace },
        { is: 'find', find, replace },
      ] as const,
  ),
  word.map((add) => [{ prefix: add }, { is: 'start', cut: '', add }] as const),
  word.map((add) => [{ suffix: add }, { is: 'end', cut: '', add }] as const),
  word.map((cut) => [{ cut_start: cut }, { is: 'start', cut, add: '' }] as const),
  fc.tuple(word, word).map(
    ([cut, add]) =>
      [
        { cut_end: cut, suffix: add },
        { is: 'end', cut, add },
      ] as const,
  ),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.constantFrom('title', 'summary', 'description'), textEdit)
    .map(([field, [value, edit]]): Step => [field, value, edit]),
  fc.constantFrom<Step>(
    ['duration', { multiply: 60 }, { is: 'multiply', by: 60 }],
    ['duration', { divide: 1000 }, { is: 'divide', by: 1000 }],
  ),
)
const steps = fc.uniqueArray(step, { minLength: 1, maxLength: 3, selector: ([field]) => field })

/** What the model makes of a talk; null if a field cannot have it. */
function expectTalk(before: Changes, given: readonly Step[]): Changes | null {
  const changed = Object.fromEntries(given.map(([field, , edit]) => [field, toEdited(before[field], edit)]))
  const after = { ...before, ...changed }
  const [name, length, size] = [
    String(after.title).trim(),
    after.duration ?? null,
    [...String(after.description)].length,
  ]
  const isVanished = length === 0 && (before.duration ?? 0) > 0
  if (name === '' || size > 100_000 || isVanished || (length ?? 0) > 10_000_000) return null
  return { ...after, title: name }
}

describeBulk('Edits in bulk', (store) => {
  test(
    'do what a naive model does, refuse what it refuses, and go back',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(talk, { minLength: 1, maxLength: 5 }), steps, async (talks, given) => {
          const ids: number[] = []
          for (const changes of talks) ids.push(await store.create(changes))
          const read = async () => Promise.all(ids.map(async (id) => toKnown(await store.read(id))))
          const before = await read()
          const expected = before.map((each) => expectTalk(each, given))
          const patch = Object.fromEntries(given.map(([field, value]) => [field, value]))
          const body = { select: { ids }, patch, partial: true }
          const told = await store.run(bulk(body, ann, true))
          const refused = ids.filter((_, i) => expected[i] === null)
          const isChanged = (_: number, i: number) => expected[i] !== null && !Bun.deepEquals(expected[i], before[i])
          const changed = ids.filter(isChanged)
          expect(toBatch(told).refused.map(({ id }) => id)).toEqual(refused)
          expect(toPreview(told).differences.map(({ id }) => id)).toEqual(changed)
          const batch = toBatch(await store.run(bulk({ ...body, as_of: toPreview(told).as_of })))
          expect([batch.changed, batch.unchanged]).toEqual([changed.length, ids.length - changed.length])
          expect(await read()).toEqual(expected.map((each, i) => each ?? before[i] ?? fail(i)))
          if (batch.id === null) return
          expect(toBatch(await store.run({ kind: 'undo', batch: batch.id, author: ann }))).toMatchObject({ left: [] })
          expect(await read()).toEqual(before)
        }),
        { numRuns: runs(100) },
      ),
    120_000,
  )

  test('refuse a record of which an edited field was changed after the dry run', async () => {
    const source_url = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
    const ids = [
      await store.create({ source_url }),
      await store.create({ source_url }),
      await store.create({ source_url }),
    ]
    const body = { select: { ids }, patch: { thumbnail_url: { from_source: true }, title: { suffix: '!' } } }
    const { as_of } = toPreview(await store.run(bulk(body, ann, true)))
    await store.change(1, { title: 'Other' }, bob)
    await store.change(2, { source_url: 'https://www.youtube.com/watch?v=bbbbbbbbbbb' }, bob)
    const refused = [1, 2].map((id) => ({ id, problem: 'changed_since' }))
    const batch = toBatch(await store.run(bulk({ ...body, as_of, partial: true })))
    expect(batch).toMatchObject({ changed: 1, refused })
    expect(await store.read(3)).toMatchObject({
      title: 'T!',
      thumbnail_url: 'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg',
    })
    expect(await store.read(2)).toMatchObject({ title: 'T', thumbnail_url: '' })
  })

  test('show every difference, page by page', async () => {
    const ids: number[] = []
    for (let i = 0; i < 120; i++) ids.push(await store.create({ title: i % 4 === 0 ? 'Same' : `Talk ${i} | Conf` }))
    const command = bulk({ select: { ids }, patch: { title: { cut_end: ' | Conf' } } }, ann, true)
    const shown: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const outcome = await store.run({ ...command, after })
      expect(toBatch(outcome)).toMatchObject({ total: 120, changed: 90, unchanged: 30 })
      const { differences, next } = toPreview(outcome)
      expect(differences.length).toBeLessThanOrEqual(50)
      shown.push(...differences.map(({ id }) => id))
      after = next
    }
    expect(shown).toEqual(ids.filter((_, i) => i % 4 !== 0))
    expect(toPreview(await store.run({ ...command, after: 9_999 }))).toMatchObject({ differences: [], next: null })
  })
})

const toKnown = ({ title, summary, description, duration }: VideoRecord): Changes => ({
  ...{ title, summary, description, duration },
})
