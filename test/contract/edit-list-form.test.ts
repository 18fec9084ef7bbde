import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

let publisher: Curator
let first = 0

beforeAll(async () => {
  first = Number((await service.create({ title: 'First draft', state: 2 })).id)
  for (const title of ['Second draft', 'Third draft']) await service.create({ title, state: 2 })
  await service.create({ title: 'Parked draft', state: 2, whiteboard: '[parked] Nobody has the recording' })
  await service.create({ title: 'Live talk' })
  publisher = createCurator(service)
  await publisher.signIn(service.keyOf('publisher'))
}, 180_000)

describe('The form of a list', () => {
  const toBulk = async (query: string) =>
    listForms((await publisher.get(`/edit/list?${query}`)).body).find(({ action }) => action === '/edit/bulk')?.fields

  test('leads to a bulk change of the ticked talks', async () => {
    const { body } = await publisher.get('/edit/list?state=2&parked=0')
    const fields = await toBulk('state=2&parked=0')
    expect(fields).toContainEqual(['list', 'state=2&parked=0'])
    expect(fields).toContainEqual(['scope', 'ticked'])
    expect(body).toContain(`type="checkbox" name="id" value="${first}"`)
  })

  test('offers the whole list as a separate choice, unless that is the whole archive', async () => {
    const box = '<input type="checkbox" name="scope" value="all"'
    const { body } = await publisher.get('/edit/list?state=2&parked=0')
    expect(body).toContain(box)
    expect(body).toContain('All 3 talks in this list')
    expect((await publisher.get('/edit/list?ordering=title')).body).not.toContain(box)
  })

  test('returns to the list if nothing is ticked, and says what to do', async () => {
    const sent = (await toBulk('state=2&page_size=20')) ?? []
    const answer = await publisher.post('/edit/bulk', [...sent, ['do', 'publish']])
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, '/edit/list?state=2&done=unticked'])
    const { body } = await publisher.get('/edit/list?state=2&done=unticked')
    expect(body).toContain('Select talks first, or choose the whole list.')
  })

  test('selects the whole list if that was chosen, whatever is ticked', async () => {
    const sent = (await toBulk('state=2&parked=0')) ?? []
    const ticked = ['id', String(first)] as const
    const count = async (more: FieldList) =>
      /<strong>([^<]*) selected\.<\/strong>/.exec((await publisher.post('/edit/bulk', [...sent, ...more])).body)?.[1]
    expect(await count([ticked])).toBe('1 talk')
    expect(await count([['scope', 'all']])).toBe('3 talks')
    expect(await count([['scope', 'all'], ticked])).toBe('3 talks')
  })

  test('offers only what the role may do, and what a talk of the list may need', async () => {
    const buttons = async (curator: Curator, list = 'state=2') =>
      [...(await curator.get(`/edit/list?${list}`)).body.matchAll(/value="(publish|park)"/g)].map(([, name]) => name)
    expect(await buttons(publisher)).toEqual(['publish', 'park'])
    for (const list of ['state=1', 'q=Live+talk']) expect(await buttons(publisher, list)).toEqual([])
    const reader = createCurator(service)
    await reader.signIn(service.keyOf('reader'))
    expect(await buttons(reader)).toEqual([])
    const editor = createCurator(service)
    await editor.signIn(service.keyOf('editor'))
    expect(await buttons(editor)).toEqual(['park'])
  })
})
