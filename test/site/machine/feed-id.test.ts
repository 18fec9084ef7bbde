import { expect, test } from 'bun:test'
import { toFeedUuid, toTalkUuid } from '../../../src/site/machine/feed.ts'

// Runner: long PostgreSQL

const talk = { id: 7, slug: 'a-talk', added: '2024-05-01T12:00:00.000' }
const archive = { slug: 'first-conf', added: '2024-05-01T12:00:00.000' }

// A change here shows every talk as new to everybody who has subscribed.
test('ids never change', () => {
  expect(toTalkUuid(talk)).toBe('80d2a3be-31d2-53d1-90ac-2bf238b3b396')
  expect(toFeedUuid(archive, 'speaker 3')).toBe('412ca681-4bba-5d82-8bcf-3403aa000060')
  expect(toFeedUuid(null, '')).toBe('e8153fa2-91f0-501a-9eff-4e3954c39454')
})

test('other talks, feeds and archives have other ids', () => {
  const ids = [
    toTalkUuid(talk),
    toTalkUuid({ ...talk, id: 8 }),
    toTalkUuid({ ...talk, slug: 'another-talk' }),
    toTalkUuid({ ...talk, added: '2024-05-01T12:00:00.001' }),
    toFeedUuid(archive, ''),
    toFeedUuid(archive, 'speaker 3'),
    toFeedUuid({ ...archive, added: '2024-05-01T12:00:00.001' }, 'speaker 3'),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})
