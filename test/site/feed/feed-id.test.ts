import { expect, test } from 'bun:test'
import { toFeedUuid, toTalkUuid } from '../../../src/site/feed/feed-id.ts'

const talk = { id: 7, slug: 'a-talk', added: '2024-05-01T12:00:00.000' }
const archive = { slug: 'first-conf', added: '2024-05-01T12:00:00.000' }

// A change here shows every talk as new to everybody who has subscribed.
test('ids never change', () => {
  expect(toTalkUuid(talk)).toBe('0be0cd19-3bba-5383-884d-f27fdba0d4fb')
  expect(toFeedUuid(archive, 'speaker 3')).toBe('c99701d9-8f0e-5678-8b7d-d82f1c5bcb83')
  expect(toFeedUuid(null, '')).toBe('3bde93fa-662a-5f25-836c-e814d7826a93')
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
