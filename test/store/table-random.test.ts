import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { VideoRecord } from '../../src/record/record.ts'
import { runs } from '../harness/runs.ts'
import { ann, type BulkStore, bob, describeBulk, fail, toBatch } from './bulk-store.ts'
import { table, toPreview } from './table-command.ts'

// Runner: slow

const names = ['title', 'summary', 'whiteboard'] as const
type Values = { readonly [name in (typeof names)[number]]: string }
const talks = 3

const word = fc.constantFrom('a', 'b', 'c')
const anyCells = fc.record({ title: word, summary: word, whiteboard: word }, { requiredKeys: [] })
const anyTalk = fc.nat(talks - 1)
const anyStep = fc.oneof(
  fc.record({ is: fc.constant('edit' as const), talk: anyTalk, values: anyCells }),
  fc.record({
    is: fc.constant('upload' as const),
    /** For each talk, how many versions old its row is, and the cells that a person has changed; null for no row. */
    rows: fc.array(fc.option(fc.record({ age: fc.nat(4), cells: anyCells })), { minLength: talks, maxLength: talks }),
    created: fc.nat(2),
    /** An edit by somebody else between the preview and the upload. */
    between: fc.option(fc.record({ talk: anyTalk, values: anyCells })),
  }),
)
type Upload = Extract<typeof anyStep extends fc.Arbitrary<infer T> ? T : never, { is: 'upload' }>

/** Every version of each talk, the first one first. */
interface Talk {
  readonly id: number
  readonly versions: { readonly updated: string; readonly values: Values }[]
}

const toValues = ({ title, summary, whiteboard }: VideoRecord): Values => ({ title, summary, whiteboard })

const findBase = ({ versions }: Talk, age: number) => versions.at(-1 - age) ?? versions[0] ?? fail('no version')

function toText(model: readonly Talk[], { rows, created }: Upload): string {
  const lines = model.flatMap((talk, i) => {
    const row = rows[i] ?? null
    if (row === null) return []
    const base = findBase(talk, row.age)
    return [[talk.id, `${base.updated}Z`, ...names.map((name) => row.cells[name] ?? base.values[name])].join('|')]
  })
  return ['id|updated|title|summary|whiteboard', ...lines, ...Array(created).fill('||new||')].join('\n')
}

/**
 * The values that a row leads to if the talk has the values `now`, and had `seen` in the preview; null if others have
 * changed one of its cells since.
 */
function applyRow(base: Values, cells: Partial<Values>, seen: Values, now: Values): Values | null {
  const changed = names.filter((name) => (cells[name] ?? base[name]) !== base[name])
  const isContested = (name: (typeof names)[number]) =>
    now[name] !== cells[name] && (now[name] !== base[name] || now[name] !== seen[name])
  return changed.some(isContested)
    ? null
    : { ...now, ...Object.fromEntries(changed.map((name) => [name, cells[name]])) }
}

describeBulk('Tables beside other changes', (store) => {
  test('do exactly what a naive model does, and their undo gives all back', async () => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
      const model: Talk[] = []
      for (let i = 0; i < talks; i++)
        model.push({ id: await store.create({ title: 'a', summary: 'a', whiteboard: 'a' }), versions: [] })
      await follow(store, model)
      for (const step of steps) {
        if (step.is === 'edit') await edit(store, model[step.talk]?.id, step.values)
        else await upload(store, model, step)
        await follow(store, model)
      }
    })
    await fc.assert(property, { numRuns: runs(100) })
  }, 300_000)
})

/** Adds what the talks are now to the model. */
async function follow(store: BulkStore, model: readonly Talk[]): Promise<void> {
  for (const { id, versions } of model) {
    const record = await store.read(id)
    if (versions.at(-1)?.updated !== record.updated)
      versions.push({ updated: record.updated, values: toValues(record) })
  }
}

async function edit(store: BulkStore, id = 0, values: Partial<Values>): Promise<void> {
  await store.run({ kind: 'merge', id, author: bob, changes: values, precondition: {} })
}

async function upload(store: BulkStore, model: readonly Talk[], step: Upload): Promise<void> {
  const text = toText(model, step)
  if (!text.includes('\n')) return
  const readAll = () => Promise.all(model.map(async ({ id }) => toValues(await store.read(id))))
  const applyAll = (seen: readonly Values[], now: readonly Values[]) =>
    model.map((talk, i) => {
      const [row, before, after] = [step.rows[i] ?? null, seen[i] ?? fail(i), now[i] ?? fail(i)]
      return row === null ? after : applyRow(findBase(talk, row.age).values, row.cells, before, after)
    })
  const count = (await store.engine().counts()).records
  const seen = await readAll()
  const preview = toPreview(await store.run({ ...table(text), isDryRun: true }))
  expect(preview.rows.filter(({ is }) => is === 'refused').length).toBe(
    applyAll(seen, seen).filter((values) => values === null).length,
  )
  if (step.between !== null) await edit(store, model[step.between.talk]?.id, step.between.values)
  const now = await readAll()
  const { id } = toBatch(await store.run(table(text, { asOf: preview.as_of, isPartial: true })))
  expect(await readAll()).toEqual(applyAll(seen, now).map((values, i) => values ?? now[i] ?? fail(i)))
  expect((await store.engine().counts()).records).toBe(count + step.created)
  if (id === null) return
  await store.run({ kind: 'undo', batch: id, author: ann })
  expect(await readAll()).toEqual(now)
}
