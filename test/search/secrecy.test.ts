import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { createService, type Fields, isFields, listPath, parseFields } from '../contract/service.ts'
import { createFreshStore, type FreshStore } from '../harness/fresh-store.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

let store: FreshStore
let server: Server | null = null

beforeAll(async () => {
  store = await createFreshStore()
  server = await startServer({ db: store.db })
  for (const title of ['Public talk about tests', 'Public talk about zanzibar']) await service.create({ title })
}, 180_000)
afterAll(async () => {
  await server?.kill9()
  await store.remove()
}, 180_000)

const service = createService(
  () => server ?? expect.unreachable(),
  () => (server ?? expect.unreachable()).adminKey,
)

async function restart(): Promise<void> {
  await server?.stop()
  server = await startServer({ db: store.db })
}

async function find(query: string, as: 'none' | 'admin'): Promise<Fields> {
  const parameters = `match=best&highlight=1&facets=category,speaker,tag,year&q=${encodeURIComponent(query)}`
  const answer = await service.call({ method: 'GET', path: `${listPath}?${parameters}`, as })
  expect(answer.status).toBe(200)
  return parseFields(answer)
}

/** Several times, so that every query thread answers. */
async function expectUnknown(secret: string, as: 'none' | 'admin' = 'none'): Promise<void> {
  const typed = [
    secret,
    secret.slice(0, 6),
    `${secret.slice(0, -2)}mu`,
    `${secret}s`,
    `talk ${secret}`,
    secret.slice(1),
  ]
  for (const query of [...typed, ...typed]) {
    const { results, corrected, facets } = await find(query, as)
    const texts = [results, facets, isFields(corrected) ? Object.values(corrected) : []]
    expect(`${query}: ${JSON.stringify(texts)}`).not.toMatch(new RegExp(`: .*${secret}`))
    const isOfSecretOnly = !query.startsWith('talk ') && query !== secret.slice(0, 6)
    if (isOfSecretOnly) expect({ query, results, corrected }).toEqual({ query, results: [], corrected: undefined })
  }
}

const secretTalk = (secret: string) => ({
  title: `Talk about ${secret}`,
  category: `Days of ${secret}`,
  speakers: [`Ada ${secret}`],
  tags: [secret],
  description: `What ${secret} is.`,
})

async function expectCorrected(typed: string, secret: string, as: 'none' | 'admin'): Promise<void> {
  expect(await find(typed, as)).toMatchObject({ count: 1, corrected: { [typed]: [secret] } })
}

describe('Words of records that the public does not see', () => {
  test('are unknown to the public while only a draft has them, and known to token holders', async () => {
    await service.create({ ...secretTalk('quixotarium'), state: 2 })
    await expectUnknown('quixotarium')
    await expectCorrected('quixotraium', 'quixotarium', 'admin')
    await restart()
    await expectUnknown('quixotarium')
    await expectCorrected('quixotraium', 'quixotarium', 'admin')
    await expectUnknown('quixotarium')
  }, 180_000)

  test('are unknown as soon as the record is withdrawn', async () => {
    const { id } = await service.create(secretTalk('mandragoran'))
    await expectCorrected('mandragorna', 'mandragoran', 'none')
    expect((await service.patch(id, { state: 2 })).status).toBe(200)
    await expectUnknown('mandragoran')
    await expectCorrected('mandragorna', 'mandragoran', 'admin')
    expect((await service.patch(id, { state: 1 })).status).toBe(200)
    await expectCorrected('mandragorna', 'mandragoran', 'none')
    expect((await service.patch(id, { state: 2 })).status).toBe(200)
    await restart()
    await expectUnknown('mandragoran')
  }, 180_000)

  test('are unknown as soon as the record is changed', async () => {
    const { id } = await service.create(secretTalk('petrichorian'))
    await expectCorrected('petrichorain', 'petrichorian', 'none')
    const changes = { title: 'Rain', category: 'Days', speakers: [], tags: [], description: '' }
    expect((await service.patch(id, changes)).status).toBe(200)
    await expectUnknown('petrichorian')
    await expectUnknown('petrichorian', 'admin')
  }, 180_000)

  test('are unknown to everybody when the record is erased', async () => {
    const { id } = await service.create(secretTalk('wolframitic'))
    await expectCorrected('wolframtiic', 'wolframitic', 'none')
    expect(await runRostrum('purge', String(id), '--yes', '--db', store.db)).toMatchObject({ exitCode: 0 })
    const isGone = async () => (await service.read(id)).status === 410
    await until('every thread has noticed', async () =>
      (await Promise.all(Array.from({ length: 8 }, isGone))).every(Boolean),
    )
    await expectUnknown('wolframitic')
    await expectUnknown('wolframitic', 'admin')
    await restart()
    await expectUnknown('wolframitic')
    await expectUnknown('wolframitic', 'admin')
  }, 180_000)
})
