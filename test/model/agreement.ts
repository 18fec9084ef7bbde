import { expect } from 'bun:test'
import type { BatchReport } from '../../src/store/batch-reads.ts'
import type { FeedEntry, StoredVersion } from '../../src/store/change-log.ts'
import type { Outcome, StoredRecord } from '../../src/store/store.ts'
import type { Engine } from './engine.ts'
import { questions } from './questions.ts'

/** What two engines have to answer alike. Of a refusal that is the code: the rest is words. */
export function toGist(outcome: Outcome) {
  switch (outcome.is) {
    case 'refused':
      return { is: outcome.is, code: outcome.refusal.code }
    case 'stored':
    case 'unchanged':
    case 'repeated':
      return { ...outcome, stored: toReadable(outcome.stored) }
    case 'dry run':
      return toReadable(outcome)
    case 'batch':
      // Which records a dry run would have rewritten is nobody's promise.
      // A category's own versions, and what batches do besides changing records, are told by tests of their own.
      return {
        is: outcome.is,
        batch: withoutOthers(outcome.batch),
        ...(outcome.batch === null ? {} : { ids: outcome.ids }),
      }
    default:
      return outcome
  }
}

/** Everything that can be read is the same on both. */
export async function expectSame(engine: Engine, model: Engine): Promise<void> {
  const counts = await model.counts()
  expect(await engine.counts()).toEqual(counts)
  for (let id = 1; id <= counts.records + 1; id++) await expectSameRecord(engine, model, id)
  expect((await engine.batches()).map(withoutOthers)).toEqual((await model.batches()).map(withoutOthers))
  expect(await engine.vocabulary()).toEqual(await model.vocabulary())
  for (const number of asks.keys()) await expectSameList(engine, model, number)
  for (const drafts of [true, false]) {
    expect((await engine.changes(drafts)).map(withoutNumber)).toEqual((await model.changes(drafts)).map(withoutNumber))
  }
}

const withoutOthers = (batch: BatchReport | null) => (batch === null ? null : { ...batch, others: [] })

const asks = [true, false].flatMap((drafts) => Object.keys(questions).map((parameters) => ({ parameters, drafts })))

/** A list, its facets and its count are what counting anew gives. */
export async function expectSameList(engine: Engine, model: Engine, number: number): Promise<void> {
  const asked = asks[number % asks.length]
  if (asked === undefined) throw new Error('there are no questions')
  const answer = await engine.ask(asked.parameters, asked.drafts)
  expect({ asked, answer }).toEqual({ asked, answer: await model.ask(asked.parameters, asked.drafts) })
}

async function expectSameRecord(engine: Engine, model: Engine, id: number): Promise<void> {
  const current = await model.read(id)
  expect(toReadable(await engine.read(id))).toEqual(toReadable(current))
  expect(await engine.history(id)).toEqual([...(await model.history(id))])
  for (let number = 0; number <= (current?.version ?? 0) + 1; number++) {
    expect(toReadable(await engine.readVersion(id, number))).toEqual(toReadable(await model.readVersion(id, number)))
  }
}

/** Where in the log a change stands is the engine's own business, as long as the order is right. */
const withoutNumber = ({ seq: _, ...change }: FeedEntry) => change

/** Bytes as text, so that a difference can be read. */
function toReadable<T extends StoredRecord | StoredVersion | { readonly body: Uint8Array } | null>(stored: T) {
  return stored === null ? null : { ...stored, body: Buffer.from(stored.body).toString('latin1') }
}
