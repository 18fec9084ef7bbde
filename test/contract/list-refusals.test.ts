import { beforeAll, describe, expect, test } from 'bun:test'
import { resultsOf } from './every-answer.ts'
import { listPath, parseFields, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { createTalks } from './talks.ts'

// Runner: long PostgreSQL

const service = useService()

beforeAll(async () => void (await createTalks(service)))

/** A bad value of a known parameter is refused by name, in `errors` and in the sentence. */
function refusesQuery(query: string, ...names: readonly string[]): Row {
  return {
    name: `${query.length > 60 ? `${query.slice(0, 60)}…` : query} is refused by name`,
    method: 'GET',
    path: `${listPath}?${query}`,
    status: 400,
    errors: names,
    check: (_, answer) => {
      for (const name of names) expect(parseFields(answer).detail).toContain(name)
    },
  }
}

const days = ['x', '2012', '2012-3-9', '2012-02-30', '2023-02-29', '12-03-2012', '2012-03-09T00:00:00', '%202012-03-09']
const numbers = ['x', '-1', '1.5', '1e3', '0x10', 'NaN', '%2B1', '1%20']
const manyIds = Array.from({ length: 101 }, (_, index) => index + 1).join(',')

describe('A bad value', () =>
  runTable(
    [
      ...days.flatMap((day) => [
        refusesQuery(`recorded_after=${day}`, 'recorded_after'),
        refusesQuery(`recorded_before=${day}`, 'recorded_before'),
      ]),
      ...numbers.flatMap((number) => [
        refusesQuery(`duration_min=${number}`, 'duration_min'),
        refusesQuery(`duration_max=${number}`, 'duration_max'),
      ]),
      ...['0', '3', 'live', '-1', '1,2', '01'].map((state) => refusesQuery(`state=${state}`, 'state')),
      ...['Klingonese', 'xx', '-', '%00'].map((language) => refusesQuery(`language=${language}`, 'language')),
      ...['x', 'mp3', 'mp4,', ',', 'mp4,x', 'MP4', 'mp4;webm'].flatMap((has) => [
        refusesQuery(`has=${has}`, 'has'),
        refusesQuery(`has_any=${has}`, 'has_any'),
      ]),
      ...['x', '0', '-1', '1,2', '01', '1.0', '9007199254740992'].flatMap((id) => [
        refusesQuery(`speaker_id=${id}`, 'speaker_id'),
        refusesQuery(`tag_id=1&tag_id=${id}`, 'tag_id'),
      ]),
      refusesQuery('speaker_id=1&speaker_id=2&speaker_id=3&speaker_id=4&speaker_id=5', 'speaker_id'),
      refusesQuery('tag_id=1&tag_id=2&tag_id=3&tag_id=4&tag_id=5', 'tag_id'),
      ...['x', '0', '-1', '1,', '1,x', '01', '1.0', '1;2', manyIds].map((ids) => refusesQuery(`id=${ids}`, 'id')),
      ...['x', 'Title', 'title,', 'title,x', '*', '__proto__', 'toString'].map((names) =>
        refusesQuery(`fields=${names}`, 'fields'),
      ),
      ...['x', 'speakers', 'year,x', 'length', 'download', ',', 'constructor'].map((names) =>
        refusesQuery(`facets=${names}`, 'facets'),
      ),
      ...['x', '!!', 'AAAA', '%00', '..', btoa('[]'), btoa('{}')].map((cursor) =>
        refusesQuery(`cursor=${encodeURIComponent(cursor)}`, 'cursor'),
      ),
      ...['x', 'ALL', 'any', 'best,all', '1', '__proto__'].map((match) => refusesQuery(`match=${match}`, 'match')),
      ...['x', '2', 'true', 'yes', '01', '-1'].map((flag) => refusesQuery(`highlight=${flag}`, 'highlight')),
      refusesQuery('match=some&highlight=on&state=9', 'highlight', 'match', 'state'),
      refusesQuery(`q=${'x'.repeat(201)}`, 'q'),
      refusesQuery(`q=${'%F0%9F%92%A1'.repeat(201)}`, 'q'),
      refusesQuery(`q=${Array.from({ length: 17 }, (_, index) => `w${index}`).join('+')}`, 'q'),
      refusesQuery(`q=${'-w+'.repeat(17)}`, 'q'),
      refusesQuery(toPieces('speaker', 5), 'speaker'),
      refusesQuery(`${toPieces('tag', 5)}&ordering=duration`, 'tag'),
      refusesQuery(`speaker=${'x'.repeat(256)}`, 'speaker'),
      refusesQuery(`tag=a&tag=${'x'.repeat(7_000)}`, 'tag'),
      refusesQuery(`${toPieces('speaker', 16)}&${toPieces('tag', 10)}`, 'speaker', 'tag'),
      refusesQuery('recorded_after=x&page_size=0&state=9&q=fine', 'page_size', 'recorded_after', 'state'),
    ],
    service,
  ))

/** So many different ones. */
function toPieces(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name}=${String.fromCharCode(97 + index)}`).join('&')
}

const takes = (query: string): Row => ({
  name: `${query.length > 60 ? `${query.slice(0, 60)}…` : query} is taken`,
  method: 'GET',
  path: `${listPath}?${query}`,
  status: 200,
})

describe('A value at the limit', () =>
  runTable(
    [
      takes(`q=${'x'.repeat(200)}`),
      takes(`q=${'%F0%9F%92%A1'.repeat(200)}`),
      takes(`q=${Array.from({ length: 16 }, (_, index) => `w${index}`).join('+')}`),
      takes(`${toPieces('speaker', 4)}&${toPieces('tag', 4)}`),
      takes(`speaker=${'x'.repeat(255)}&tag=${'%F0%9F%92%A1'.repeat(255)}`),
      takes('speaker_id=1&speaker_id=2&speaker_id=3&speaker_id=4&tag_id=1&tag_id=2&tag_id=3&tag_id=4'),
      takes('duration_min=10000000'),
      takes('recorded_after=0001-01-01'),
      takes('recorded_before=9999-12-31'),
      takes('ordering=x,y,-z'),
      takes('ordering=,,-,--title'),
    ],
    service,
  ))

describe('An empty value counts as none, and', () =>
  runTable(
    [
      takes(
        'q=&category=&speaker=&tag=&language=&recorded_after=&duration_min=&has=&has_any=&speaker_id=&tag_id=&source_url=&id=&state=',
      ),
      takes('ordering=&fields=&facets=&cursor=&match=&highlight='),
      refusesQuery('page_size=', 'page_size'),
      { name: 'an empty page is not found', method: 'GET', path: `${listPath}?page=`, status: 404 },
    ],
    service,
  ))

describe('Odd, but no error:', () => {
  runTable(
    [
      takes('speaker=ab%00cd'),
      takes('tag=%00%00%00'),
      takes('speaker=%22%22%22'),
      takes("category=x'%20OR%201=1--"),
      takes('source_url=%00'),
      takes('tag=%FF%FE%FD'),
      takes(Array.from({ length: 50 }, () => 'tag=a').join('&')),
    ],
    service,
  )

  test('a tab within a name is found, whole or in pieces', async () => {
    const { id } = await service.create({ title: 'Tabbed', speakers: ['Ann\tTab'], tags: ['two\r\nlines'] })
    for (const query of ['speaker=ann%09tab', 'speaker=n%09t', 'speaker=%09', 'tag=o%0D%0Al', 'tag=%0A']) {
      const answer = await service.call({ method: 'GET', path: `${listPath}?${query}` })
      expect([query, resultsOf(answer).map((record) => record.id)]).toEqual([query, [id]])
    }
  })

  test('more tags than any record has are accepted or refused, and never a server error', async () => {
    const answer = await service.call({ method: 'GET', path: `${listPath}?${'tag=a&'.repeat(1300)}` })
    expect([200, 400]).toContain(answer.status)
  })
})
