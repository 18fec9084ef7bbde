import { beforeAll, expect, test } from 'bun:test'
import { byteOrderMark, parseCells } from '../../src/record/table/csv.ts'
import { headerOf } from '../harness/raw.ts'
import { useNames } from './curated-names.ts'
import { type Curator, createCurator } from './curator.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })
const { ask, findName } = useNames(service)
let reader: Curator

beforeAll(async () => {
  await service.create({ category: 'Quay Days', title: 'Cranes', speakers: ['Ada Hoist', 'Bo Mate'], tags: ['cranes'] })
  await service.create({ category: 'Quay Days', title: 'Docks', speakers: ['Ada Hoist'], state: 2 })
  const { id } = await findName('speaker', 'Ada Hoist')
  await ask('PATCH', `speaker/${id}`, { note: '=1+1\nLifts', links: ['https://a.example/', 'https://b.example/'] })
  await ask('PATCH', 'category/quay-days', { end_date: '2020-05-03', place: 'Rotterdam', series: 'Quay Days' })
  reader = createCurator(service)
  await reader.signIn(service.keyOf('reader'))
})

async function read(kind: string): Promise<readonly (readonly string[])[]> {
  const answer = await reader.get(`/edit/names/${kind}.csv`)
  expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  expect(headerOf(answer, 'Cache-Control')).toContain('no-store')
  const text = Buffer.from(answer.body).toString()
  expect(text).toStartWith(byteOrderMark)
  const parsed = parseCells(text.slice(1))
  return parsed.ok ? parsed.rows.map(({ cells }) => cells) : []
}

test('speakers are saved with notes and links, and formulas stay texts', async () => {
  const [heading, ada, bo] = await read('speaker')
  expect(heading).toEqual(['id', 'name', 'talks', 'live', 'note', 'links'])
  expect(ada?.slice(1)).toEqual(['Ada Hoist', '2', '1', "'=1+1\nLifts", 'https://a.example/ https://b.example/'])
  expect(bo?.slice(1)).toEqual(['Bo Mate', '1', '1', '', ''])
})

test('events are saved with days, place and series, tags with their talks', async () => {
  const [heading, quay] = await read('category')
  const fields = ['title', 'description', 'url', 'start_date', 'end_date', 'place', 'series', 'whiteboard']
  expect(heading).toEqual(['slug', 'talks', 'live', ...fields])
  const known = ['Quay Days', '', '', '', '2020-05-03', 'Rotterdam', 'Quay Days', '']
  expect(quay).toEqual(['quay-days', '2', '1', ...known])
  expect((await read('tag'))[1]?.slice(1)).toEqual(['cranes', '1', '1'])
})

test('the lists link to them, for curators alone', async () => {
  for (const kind of ['speaker', 'tag', 'category']) {
    expect((await reader.get(`/edit/names/${kind}`)).body).toContain(`href="/edit/names/${kind}.csv"`)
    const answer = await service.call({ method: 'GET', path: `/edit/names/${kind}.csv` })
    expect(answer.body).not.toContain('Ada Hoist')
    expect(answer.status).not.toBe(200)
  }
})
