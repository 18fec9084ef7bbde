import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createRandom, type Random } from '../../bench/generated/random.ts'
import type { AcceptCommand, Command } from '../../src/record/command.ts'
import { isWritableName } from '../../src/record/fields.ts'
import { parseBulk } from '../../src/record/parse-bulk.ts'
import { type FindingCode, findingCodes, findingFields } from '../../src/record/quality/finding-codes.ts'
import { type Changes, fromBody, type VideoRecord } from '../../src/record/record.ts'
import { createImporter } from '../../src/store/import/importer.ts'
import { createFindingCounter, createFindingReader, createWorkRowReader } from '../../src/store/read/findings.ts'
import { isLong } from '../harness/runs.ts'
import { describeRecords, expectFindings } from './expect-findings.ts'
import { author, toChanges, toCommand } from './random-talks.ts'
import { describeEngines, type SiteStore, timeoutMs } from './site/site-store.ts'

// Runner: slow

const steps = isLong ? 400 : 60
const records = 12

/** What somebody has called fine as it is: `<id> <code>`. */
type Model = Set<string>

describeEngines((open) => {
  let store: SiteStore
  beforeAll(async () => {
    store = await open()
  }, timeoutMs)
  afterAll(() => store.remove())

  test(
    'The findings that are shown are those of the rules without the accepted ones, whatever happens',
    async () => {
      const random = createRandom(isLong ? Date.now() : 85)
      const model: Model = new Set()
      for (let i = 0; i < records; i++) await store.create(toChanges(random))
      let before = await readAll(store)
      for (let step = 0; step < steps; step++) {
        await takeStep(store, random, model)
        const after = await readAll(store)
        endChanged(model, before, after)
        before = after
        if (step % 10 === 9) await expectShown(store, model)
      }
      await expectShown(store, model)
      expect(model.size).toBeGreaterThan(0)
    },
    timeoutMs,
  )
})

async function takeStep(store: SiteStore, random: Random, model: Model): Promise<void> {
  const kind = random.below(10)
  if (kind < 5) return accept(store, random, model)
  if (kind === 5) return importAgain(store, random)
  if (kind === 6) return void (await run(store, toBulk(random)))
  await run(store, toCommand(random, records))
}

async function run({ writer }: SiteStore, command: Command) {
  const outcomes = await writer.run([command], new Set())
  const outcome = outcomes === 'busy' ? undefined : outcomes[0]
  if (outcome === undefined || outcome.is === 'failed') throw new Error(JSON.stringify(outcome))
  return outcome
}

/** Accepts a finding of some records, or shows it again. The model judges by the rules alone. */
async function accept(store: SiteStore, random: Random, model: Model): Promise<void> {
  const code = findingCodes[random.below(findingCodes.length)] ?? 'missing_tags'
  const isAccepted = random.percent(75)
  const ids = Array.from({ length: 1 + random.below(records) }, (_, i) => i + 1)
  const select = { is: 'ids', ids } as const
  const command: AcceptCommand = { kind: 'accept findings', code, select, isAccepted, author, expect: null, asOf: null }
  const described = await describeRecords(store, 'all')
  const isFound = (id: number) => described.find((each) => each.id === id)?.codes.includes(code) === true
  const changed = ids.filter((id) => (isAccepted ? isFound(id) : true) && model.has(toKey(id, code)) !== isAccepted)
  const refused = isAccepted ? ids.filter((id) => !isFound(id)) : []
  const outcome = await run(store, command)
  if (outcome.is !== 'acceptance') throw new Error(outcome.is)
  expect([outcome.changed, outcome.refused.map(({ id }) => id)]).toEqual([changed.length, refused])
  for (const id of changed) {
    if (isAccepted) model.add(toKey(id, code))
    else model.delete(toKey(id, code))
  }
}

const toKey = (id: number, code: string) => `${id} ${code}`

function toBulk(random: Random): Command {
  const { title = '', tags = [], duration = null } = toChanges(random)
  const patch = random.percent(50) ? { title } : { tags: [...tags], duration }
  const ids = [1 + random.below(4), 5 + random.below(records - 4)]
  const parsed = parseBulk({ select: { ids }, patch, partial: true }, false)
  if (!parsed.ok) throw new Error('not a bulk change')
  return { kind: 'bulk', author, request: parsed.request }
}

/** The same source with other values each time: people's changes stay, and so does what they accepted there. */
async function importAgain({ writing }: SiteStore, random: Random): Promise<void> {
  const options = { source: 'test', author: 'import', reason: null, state: 1, isDryRun: false } as const
  const importer = createImporter(writing, { ...options, hasPath: () => true, now: Date.now })
  const plain = { id: null, slug: null, added: null, updated: null, isTakenDown: false, unfitNames: [] }
  const changes: Changes = toChanges(random)
  await importer.run([{ ...plain, path: `${random.below(3)}`, changes, toExtras: () => null }], [])
}

type All = ReadonlyMap<number, VideoRecord>

async function readAll({ db }: SiteStore): Promise<All> {
  const rows = await db.query<{ body: Uint8Array }, []>('SELECT body FROM record').all()
  return new Map(rows.map(({ body }) => fromBody(body)).map((record) => [record.id, record]))
}

function endChanged(model: Model, before: All, after: All): void {
  for (const [id, now] of after) {
    for (const code of findingCodes) if (isChanged(before.get(id), now, code)) model.delete(toKey(id, code))
  }
}

function isChanged(before: VideoRecord | undefined, now: VideoRecord, code: FindingCode): boolean {
  return findingFields[code]
    .filter(isWritableName)
    .some((name) => JSON.stringify(before?.[name]) !== JSON.stringify(now[name]))
}

/** Lists, rows, counts and single records all show the same. */
async function expectShown(store: SiteStore, model: Model): Promise<void> {
  const isShown = (id: number, code: string) => !model.has(toKey(id, code))
  await store.indexes.columns.refresh()
  await expectFindings(store, store.indexes, isShown)
  const described = await describeRecords(store, 'all')
  const toShown = (of: (typeof described)[number]) =>
    [...new Set(of.codes.filter((code) => isShown(of.id, code)))].sort()
  const rows = await createWorkRowReader(store.db)({ ids: described.map(({ id }) => id).slice(0, 100) })
  for (const { id, findings } of rows) {
    const expected = described.filter((each) => each.id === id).flatMap(toShown)
    expect({ id, findings: findings.toSorted() }).toEqual({ id, findings: expected as FindingCode[] })
  }
  const counter = createFindingCounter(
    store.db,
    store.indexes.columns,
    () => Number.NaN,
    () => undefined,
  )
  const reader = createFindingReader(store.db, counter)
  const { totals } = await reader.countFindings({ page: 1, pageSize: 1 })
  const shown = described.flatMap(toShown)
  for (const { code, count } of totals) {
    expect({ code, count }).toEqual({ code, count: shown.filter((each) => each === code).length })
  }
  for (const each of described.slice(0, 5)) {
    const found = await reader.findFindings({ id: each.id })
    expect([...new Set(found?.findings.map(({ code }) => code))].sort()).toEqual(toShown(each) as FindingCode[])
  }
}
