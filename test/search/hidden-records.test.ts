import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Changes } from '../../src/record/record.ts'
import { isLong } from '../harness/runs.ts'
import { type Asked, createSqliteEngine, findDifference, type SearchEngine } from './engine.ts'
import { createRandom, type Random } from './random.ts'
import { hidden, toCreate, toMerge, toTalk } from './random-archive.ts'
import { toAsked, toMisspelling, toTyped } from './random-query.ts'

// Runner: one engine, slow (agreement.test.ts holds the engines to the same answers)

/** A failure tells the seed, and ROSTRUM_TEST_SEED repeats it. */
const seed = Number(process.env.ROSTRUM_TEST_SEED ?? Math.floor(Math.random() * 0x7fff_ffff))
const records = 120
const queries = isLong ? 400 : 60
const timeoutMs = 120_000

/** One archive has drafts, withdrawn and erased records; the other never had them. */
let full: SearchEngine
let bare: SearchEngine

beforeAll(async () => {
  full = await createSqliteEngine()
  bare = await createSqliteEngine()
}, 180_000)
afterAll(async () => {
  await full.close()
  await bare.close()
})

const secrets = Object.values(hidden)

/** A record with words that no other record has, next to words that many have. */
function toSecretTalk(random: Random): Changes {
  const [secret, talk] = [random.pick(secrets), toTalk(random)]
  const { title, tags = [], description = '' } = talk
  return {
    ...talk,
    ...random.pick<Changes>([
      { title: `${secret} ${title}` },
      { speakers: [`Ada ${secret}`] },
      { tags: [...tags, secret] },
      { description: `${description} ${secret} ${title}` },
      { category: `Days of ${secret}` },
    ]),
  }
}

async function fill(random: Random): Promise<void> {
  for (let id = 1; id <= records; id++) {
    const isHidden = random.chance(0.4)
    const [secret, talk] = [toSecretTalk(random), { ...toTalk(random), state: 1 }]
    await bare.write(toCreate(isHidden ? { title: 'Nothing', category: 'Others' } : talk))
    if (isHidden) await bare.erase(id)
    const fate = random.pick(['draft', 'withdrawn', 'erased', 'erased draft'] as const)
    if (!isHidden) {
      const isRewritten = random.chance(0.3)
      await full.write(toCreate(isRewritten ? { ...secret, state: 1 } : talk))
      // The query makes the index learn the words that the next write takes away.
      if (isRewritten) await full.ask(toAsked(random))
      if (isRewritten) await full.write(toMerge(id, talk))
      continue
    }
    await full.write(toCreate({ ...secret, state: fate.endsWith('draft') ? 2 : 1 }))
    await full.ask(toAsked(random))
    if (fate === 'withdrawn') await full.write(toMerge(id, { state: 2 }))
    if (fate.startsWith('erased')) await full.erase(id)
  }
}

/** Searches with `match=best`, half of them for words that are hidden. */
function toPublicAsked(random: Random): Asked {
  const parameters = new URLSearchParams(toAsked(random).parameters)
  if (random.chance(0.5)) {
    const secret = random.pick(secrets)
    const typed = random.pick([secret, secret.slice(0, 5), toMisspelling(random, secret), `${secret}s`])
    parameters.set('q', `${typed} ${parameters.get('q') ?? ''}`.slice(0, 60))
  }
  parameters.set('match', 'best')
  // Slugs tell of names that others had before, and `added` of the first version.
  for (const name of ['category', 'ordering', 'fields']) parameters.delete(name)
  return { parameters: parameters.toString(), visibility: 'live' }
}

test(
  'the public cannot tell an archive with drafts, withdrawn and erased records from one without them',
  async () => {
    const random = createRandom(seed)
    await fill(random)
    const asked = Array.from({ length: queries }, () => toPublicAsked(random))
    const faults: string[] = []
    const isCompared = (name: string) => name !== 'records' && name !== 'nextCursor'
    for (const isFresh of [false, true]) {
      if (isFresh) full.restart()
      for (const each of asked) {
        const answer = await full.ask(each)
        const difference = findDifference(answer, await bare.ask(each), isCompared)
        // `unknown` repeats what was typed.
        const { records: _, unknown: __, ...shown } = { records: null, unknown: [], ...answer }
        const told = secrets.find((secret) => JSON.stringify(shown).includes(secret))
        const fault = difference ?? (told === undefined ? null : `tells ${told}`)
        if (fault !== null) faults.push(`${decodeURIComponent(each.parameters)}\n    ${fault}`)
      }
    }
    expect(`seed ${seed}, ${faults.length} faults\n${faults.slice(0, 10).join('\n')}`).toBe(`seed ${seed}, 0 faults\n`)
  },
  timeoutMs,
)

test('the public is suggested nothing that only hidden records have', async () => {
  const random = createRandom(seed)
  const faults: string[] = []
  for (let time = 0; time < queries; time++) {
    const { text } = toTyped(random)
    const typed = { text: random.chance(0.5) ? text : random.pick(secrets).slice(0, random.between(1, 9)) }
    const [ours, theirs] = [full, bare].map((engine) => engine.suggest({ ...typed, visibility: 'live' }))
    const [first, second] = [JSON.stringify(await ours), JSON.stringify(await theirs)]
    if (first !== second) faults.push(`${typed.text}\n    ${first} / ${second}`)
  }
  expect(`seed ${seed}, ${faults.length} faults\n${faults.slice(0, 10).join('\n')}`).toBe(`seed ${seed}, 0 faults\n`)
})

test('a caller who sees drafts is told their words', async () => {
  for (const secret of secrets) {
    const typed = `${secret.slice(0, -1)}x`
    const answer = await full.ask({ parameters: `match=best&q=${typed}`, visibility: 'all' })
    expect(answer).toMatchObject({ corrected: { [typed]: [secret] } })
  }
})
