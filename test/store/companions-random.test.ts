import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs, sample } from '../harness/runs.ts'
import { bulk } from './bulk-store.ts'
import { type ListStore, openSqliteStore } from './list-stores.ts'
import {
  ann,
  anyAuthor,
  anyTalk,
  engines,
  expectCopies,
  listProblems,
  type Name,
  names,
  readValues,
  talks,
  toLinks,
  toParts,
  toUrl,
  toUrls,
  type Values,
  word,
} from './random-companions.ts'

// Runner: slow

const anyStep = fc.oneof(
  fc.record({ is: fc.constant('edit' as const), talk: anyTalk, by: anyAuthor, title: word }),
  fc.record({
    is: fc.constant('link' as const),
    talk: anyTalk,
    by: anyAuthor,
    urls: fc.uniqueArray(word),
    isStale: fc.boolean(),
  }),
  fc.record({
    is: fc.constant('chapters' as const),
    talk: anyTalk,
    by: anyAuthor,
    titles: fc.array(word, { maxLength: 2 }),
  }),
  fc.record({
    is: fc.constant('transcript' as const),
    talk: anyTalk,
    by: anyAuthor,
    said: fc.array(word, { maxLength: 2 }),
  }),
  fc.record({
    is: fc.constant('bulk' as const),
    by: anyAuthor,
    add: word,
    remove: fc.option(word),
    title: fc.option(word),
  }),
  fc.record({ is: fc.constant('undo' as const), batch: fc.nat(8) }),
  fc.record({ is: fc.constant('restore' as const), of: anyAuthor }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** One change of one value of one talk. */
interface Deed {
  readonly talk: number
  readonly name: Name
  readonly before: string
  readonly after: string
  readonly by: string
  readonly batch: number | null
}

/** A naive model: the values of talks, and every deed in order. */
class Model {
  readonly values: Values[] = []
  readonly deeds: Deed[] = []

  set(talk: number, name: Name, after: string, by: string, batch: number | null): void {
    const now = this.values[talk]
    if (now === undefined || now[name] === after) return
    this.deeds.push({ talk, name, before: now[name], after, by, batch })
    this.values[talk] = { ...now, [name]: after }
  }

  /** A value goes back if it is what the batch left. */
  undo(batch: number, by: string, own: number): void {
    for (let talk = 0; talk < talks; talk++)
      for (const name of names) {
        const made = this.deeds.filter((deed) => deed.batch === batch && deed.talk === talk && deed.name === name)
        const [first, last] = [made[0], made.at(-1)]
        if (first && last && first.before !== last.after && this.values[talk]?.[name] === last.after)
          this.set(talk, name, first.before, by, own)
      }
  }

  /** A value goes back to what it was before the author's first deed, unless another has changed it since. */
  restore(author: string, by: string, own: number): void {
    const known = [...this.deeds]
    for (let talk = 0; talk < talks; talk++)
      for (const name of names) {
        const all = known.filter((deed) => deed.talk === talk && deed.name === name)
        const first = all.findIndex((deed) => deed.by === author)
        const isFree = first >= 0 && all.slice(first).every((deed) => deed.by === author)
        if (isFree) this.set(talk, name, all[first]?.before ?? '', by, own)
      }
  }
}

async function play(store: ListStore, steps: readonly Step[]): Promise<void> {
  const model = new Model()
  const run = async (command: Parameters<ListStore['writer']['run']>[0][number]) => {
    const outcomes = await store.writer.run([command], new Set())
    const [outcome] = outcomes === 'busy' ? [] : outcomes
    if (outcome === undefined || outcome.is === 'failed') throw new Error(JSON.stringify(outcome))
    return outcome
  }
  for (let i = 0; i < talks; i++) {
    const created = await run({ kind: 'create', author: ann, changes: { title: 'a', category: 'C', state: 1 } })
    if (created.is !== 'stored') throw new Error('not created')
    model.values.push({ title: 'a', related: '', chapters: '', 'transcripts/en': '' })
  }
  const ids = [1, 2]
  const batches: number[] = []
  const toNew = (outcome: Awaited<ReturnType<typeof run>>) =>
    outcome.is === 'batch' ? (outcome.batch?.id ?? null) : null
  const next = () => (batches.at(-1) ?? 0) + 1
  for (const step of steps) {
    const before = model.deeds.length
    const batch = next()
    switch (step.is) {
      case 'edit':
        await run({
          kind: 'merge',
          id: ids[step.talk] ?? 0,
          author: step.by,
          precondition: {},
          changes: { title: step.title },
        })
        model.set(step.talk, 'title', step.title, step.by.name, null)
        break
      case 'link': {
        const precondition = step.isStale ? { ifMatch: ['related-999-00000000'] } : {}
        const body = toLinks(toUrls(step.urls))
        const outcome = await run({
          kind: 'set companion',
          id: ids[step.talk] ?? 0,
          name: 'related',
          body,
          author: step.by,
          precondition,
        })
        expect(outcome.is).toBe(step.isStale ? 'refused' : 'companion')
        if (!step.isStale) model.set(step.talk, 'related', toUrls(step.urls), step.by.name, null)
        break
      }
      case 'chapters': {
        const body = toParts(step.titles)
        await run({
          kind: 'set companion',
          id: ids[step.talk] ?? 0,
          name: 'chapters',
          body,
          author: step.by,
          precondition: {},
        })
        model.set(step.talk, 'chapters', step.titles.join(), step.by.name, null)
        break
      }
      case 'transcript': {
        const cues = step.said.map((text, i) => ({ start: i, end: i + 1, text }))
        await run({
          kind: 'set companion',
          id: ids[step.talk] ?? 0,
          name: 'transcripts/en',
          body: { origin: 'human', cues },
          author: step.by,
          precondition: {},
        })
        model.set(step.talk, 'transcripts/en', step.said.join(), step.by.name, null)
        break
      }
      case 'bulk': {
        const related = { add: [{ url: toUrl(step.add) }], remove: step.remove === null ? [] : [toUrl(step.remove)] }
        const patch = { related, ...(step.title === null ? {} : { title: step.title }) }
        const made = toNew(await run(bulk({ select: { ids }, patch }, step.by)))
        for (let talk = 0; talk < talks; talk++) {
          const now = (model.values[talk]?.related ?? '')
            .split(',')
            .filter((each) => each !== '' && each !== step.remove)
          const after = now.includes(step.add) ? now : [...now, step.add]
          if (step.title !== null) model.set(talk, 'title', step.title, step.by.name, batch)
          model.set(talk, 'related', after.join(), step.by.name, batch)
        }
        expect(made).toBe(model.deeds.length > before ? batch : null)
        if (made !== null) batches.push(made)
        break
      }
      case 'undo': {
        const undone = batches[step.batch]
        if (undone === undefined) break
        const admin = { name: 'ida', role: 'admin' } as const
        const made = toNew(await run({ kind: 'undo', batch: undone, author: admin }))
        model.undo(undone, 'ida', batch)
        expect(made).toBe(model.deeds.length > before ? batch : null)
        if (made !== null) batches.push(made)
        break
      }
      case 'restore': {
        const select = { by: step.of.name, since: '2000-01-01' }
        const total = new Set(model.deeds.filter(({ by }) => by === step.of.name).map(({ talk }) => talk))
        // Ann has created all talks: a restore of hers would make them drafts.
        if (step.of.name === 'ann' || total.size === 0) break
        const made = toNew(await run(bulk({ select, restore: true, expect: total.size }, ann)))
        model.restore(step.of.name, 'ann', batch)
        expect(made).toBe(model.deeds.length > before ? batch : null)
        if (made !== null) batches.push(made)
        break
      }
    }
    for (const [i, id] of ids.entries()) {
      expect([step, await readValues(store.writing, id)]).toEqual([step, model.values[i] as Values])
    }
  }
  expect(await listProblems(store.writing)).toEqual([])
}

test.each(sample(Object.entries(engines)))(
  'Fields and companions that several people change, restore and undo are as a naive model has them (%s)',
  async (_, open) => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 14 }), async (steps) => {
      const store = await open()
      try {
        await play(store, steps)
        await expectCopies(store, openSqliteStore)
      } finally {
        await store.remove()
      }
    })
    await fc.assert(property, { numRuns: runs(40) })
  },
  300_000,
)
