import { expect, test } from 'bun:test'
import { createChangePages } from '../../src/api/feed/change-streams.ts'
import { toTimestamp } from '../../src/record/timestamp.ts'
import type { Store } from '../../src/store/store.ts'
import { until } from '../harness/until.ts'

const live = { visibility: 'live', by: null } as const
const all = { visibility: 'all', by: null } as const

type Questions = Parameters<Store['listChanges']>[0][]

function createFixture() {
  const questions: Questions = []
  let isAway = false
  const store: Pick<Store, 'listChanges'> = {
    async listChanges(question) {
      questions.push(question)
      await Bun.sleep(2)
      if (isAway) return 'down'
      const seq = (question.since ?? 0) + 1
      const change = {
        seq,
        id: 7,
        version: 1,
        at: toTimestamp(0),
        kind: 'created',
        isPublic: true,
        details: null,
      } as const
      return { changes: [change], last: seq, store: 'here' }
    },
  }
  const pages = createChangePages(store, 30)
  const setAway = (isIt: boolean) => {
    isAway = isIt
  }
  return { pages, questions, setAway }
}

test('readers at the same position share a page that is read once; others get their own', async () => {
  const { pages, questions } = createFixture()
  const [first, ...others] = await Promise.all(Array.from({ length: 100 }, () => pages.read(5, live, 'here')))
  expect(others.every((each) => each === first)).toBe(true)
  expect(String(first?.bytes)).toStartWith('id: here.6\ndata: {"seq":6,"id":7,')
  expect(first?.upTo).toBe(6)
  await Promise.all([pages.read(5, live, 'here'), pages.read(5, all, 'here'), pages.read(6, live, 'here')])
  expect(questions.map(({ since, visibility }) => [since, visibility])).toEqual([
    [5, 'live'],
    [5, 'all'],
    [6, 'live'],
  ])
})

test('a page is read again after a while', async () => {
  const { pages, questions } = createFixture()
  await pages.read(5, live, 'here')
  const isReadAgain = async () => {
    await pages.read(5, live, 'here')
    return questions.length === 2
  }
  await until('it is read again', isReadAgain)
})

test('a failed read is not cached', async () => {
  const { pages, setAway } = createFixture()
  setAway(true)
  expect(await pages.read(5, live, 'here')).toBeNull()
  setAway(false)
  expect(await pages.read(5, live, 'here')).toMatchObject({ upTo: 6 })
})
