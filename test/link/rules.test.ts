import { expect, test } from 'bun:test'
import type { LinkAnswer } from '../../src/record/link/link.ts'
import { type LinkReply, needsGet, toQuestion } from '../../src/record/link/rules.ts'

// Runner: one engine

const page = 'https://conf.example/talks/1'
const peerTube = 'https://tube.example/w/kP1Yz'

type Given = Partial<Extract<LinkReply, { is: 'reply' }>> | Exclude<LinkReply, { is: 'reply' }>

function read(url: string, given: Given, expectsMedia = false): LinkAnswer {
  const reply: LinkReply =
    'why' in given || ('is' in given && given.is === 'refused')
      ? (given as LinkReply)
      : {
          ...{ is: 'reply', method: 'GET', status: 200, type: '', body: '', isCut: false, permanent: null },
          ...{ url, ...given },
        }
  return toQuestion({ url, expectsMedia }, ['tube.example']).read(reply)
}

const questions: readonly [url: string, api: string | null][] = [
  [
    'https://youtu.be/dQw4w9WgXcQ?t=5',
    'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ',
  ],
  ['https://vimeo.com/123456', 'https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F123456'],
  ['https://archive.org/details/pycon-1', 'https://archive.org/metadata/pycon-1'],
  [peerTube, 'https://tube.example/api/v1/videos/kP1Yz'],
  ['https://other.example/w/kP1Yz', null],
  ['https://archive.org/download/pycon-1/talk.mp4', null],
  ['https://www.youtube.com/@channel', null],
  [page, null],
]

test.each(questions)('%s is asked through %s', (url, api) => {
  expect(toQuestion({ url, expectsMedia: false }, ['tube.example']).api).toBe(api)
})

const [youTube, vimeo, archive] = questions.map(([url]) => url) as [string, string, string]
const json = '{"title":"A talk"}'
const answers: readonly [what: string, url: string, given: Given, verdict: LinkAnswer['verdict']][] = [
  ['YouTube with JSON', youTube, { body: json }, 'ok'],
  ['YouTube 401', youTube, { status: 401, body: 'Unauthorized' }, 'not_embeddable'],
  ['YouTube 403', youTube, { status: 403 }, 'private'],
  ['YouTube without JSON', youTube, { body: '<html>', type: 'text/html' }, 'private'],
  ['YouTube 400', youTube, { status: 400 }, 'gone'],
  ['YouTube 404', youTube, { status: 404 }, 'gone'],
  ['YouTube 429', youTube, { status: 429 }, 'unclear'],
  ['YouTube 500', youTube, { status: 500 }, 'unclear'],
  ['Vimeo with JSON', vimeo, { body: json }, 'ok'],
  ['Vimeo 403', vimeo, { status: 403 }, 'private'],
  ['Vimeo 404', vimeo, { status: 404 }, 'gone'],
  ['archive.org with metadata', archive, { body: '{"created":1,"files":[]}' }, 'ok'],
  ['archive.org with nothing', archive, { body: '{}' }, 'gone'],
  ['archive.org with a dark item', archive, { body: '{"is_dark":true,"metadata":{}}' }, 'gone'],
  ['archive.org with more files than are read', archive, { body: '{"files":[', isCut: true }, 'ok'],
  ['archive.org with a page', archive, { body: '<html>' }, 'unclear'],
  ['PeerTube with JSON', peerTube, { body: json }, 'ok'],
  ['PeerTube 404', peerTube, { status: 404 }, 'gone'],
  ['PeerTube 403', peerTube, { status: 403 }, 'private'],
  ['PeerTube 502', peerTube, { status: 502 }, 'unclear'],
  ['a page', page, { type: 'text/html' }, 'ok'],
  ['a part of a file', page, { status: 206, type: 'video/mp4' }, 'ok'],
  ['404', page, { status: 404 }, 'gone'],
  ['410', page, { status: 410 }, 'gone'],
  ['403', page, { status: 403 }, 'unclear'],
  ['429', page, { status: 429 }, 'unclear'],
  ['503', page, { status: 503 }, 'unclear'],
  ['no answer', page, { is: 'timeout', why: 'no answer in time' }, 'unclear'],
  ['no name', page, { is: 'unresolved', why: 'ENOTFOUND' }, 'unclear'],
  ['the guard', page, { is: 'refused' }, 'refused'],
  ['a redirect to the root of the host', page, { url: 'https://www.conf.example/' }, 'gone'],
  [
    'a redirect to the root of another host',
    page,
    { url: 'https://new.example/', permanent: 'https://new.example/' },
    'moved',
  ],
  ['a permanent redirect', page, { url: 'https://conf.example/t/1', permanent: 'https://conf.example/t/1' }, 'moved'],
  ['another redirect', page, { url: 'https://conf.example/t/1' }, 'ok'],
]

test.each(answers)('%s', (_, url, given, verdict) => {
  expect(read(url, given).verdict).toBe(verdict)
})

test('a page in place of a media file means that the file is gone', () => {
  expect(read('https://media.example/1.mp4', { type: 'text/html' }, true).verdict).toBe('gone')
  expect(read('https://media.example/1.mp4', { type: 'video/mp4' }, true).verdict).toBe('ok')
})

test('answers that tell nothing are failures of hosts without an API, and names that do not resolve are of all', () => {
  const counts = (url: string, given: Given) => read(url, given).countsUnclear
  for (const given of [
    { status: 429 },
    { status: 500 },
    { is: 'timeout', why: '' },
    { is: 'unreadable', why: '' },
  ] as const) {
    expect(counts(page, given)).toBe(true)
    expect(counts(youTube, given)).toBe(false)
  }
  expect(counts(page, { is: 'unresolved', why: '' })).toBe(true)
  expect(counts(youTube, { is: 'unresolved', why: '' })).toBe(true)
  // Those say something about programs, or about this machine.
  expect(counts(page, { status: 403 })).toBe(false)
  expect(counts(page, { is: 'unreached', why: 'ENETUNREACH' })).toBe(false)
})

test('the evidence is what the host said, in one line of at most 200 characters', () => {
  expect(read(youTube, { status: 401, type: 'text/plain', body: 'Un\nauthorized\u0007' }).evidence).toBe(
    `GET 401 text/plain ${youTube} Un authorized`,
  )
  expect(read(youTube, { status: 403, body: 'x'.repeat(500) }).evidence).toHaveLength(200)
  expect(read(page, { is: 'refused' })).toMatchObject({ evidence: 'not checked', status: null })
  expect(read(page, { permanent: 'https://new.example/1', url: 'https://new.example/1' }).target).toBe(
    'https://new.example/1',
  )
})

test('a target that no record can have is left out', () => {
  const toTarget = (permanent: string) => read(page, { permanent, url: 'https://new.example/1' })
  for (const target of [
    'javascript:alert(1)',
    'https://ann:secret@new.example/1',
    `https://new.example/${'x'.repeat(100_000)}`,
    'ftp://new.example/1',
    'https://new.example/\u0000',
  ])
    expect(toTarget(target)).toMatchObject({ verdict: 'moved', target: null })
})

test('a HEAD that fails is followed by a GET, unless the host wants to be left alone', () => {
  const reply = { is: 'reply', method: 'HEAD', type: '', body: '', isCut: false, url: page, permanent: null } as const
  expect([200, 404, 405, 403, 500, 429, 503].filter((status) => needsGet({ ...reply, status }))).toEqual([
    404, 405, 403, 500,
  ])
  // Some servers drop a HEAD, or never answer it.
  expect(needsGet({ is: 'timeout', why: '' })).toBe(true)
  expect(needsGet({ is: 'unreadable', why: '' })).toBe(true)
  expect(needsGet({ is: 'unresolved', why: '' })).toBe(false)
})
