import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator } from './curator.ts'
import { parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })

let editor: Curator

beforeAll(async () => {
  editor = createCurator(service)
  await editor.signIn(service.keyOf('editor'))
}, 180_000)

const readNote = async (id: unknown) => parseFields(await service.read(id)).whiteboard
const toIds = (...ids: readonly unknown[]) => ids.map((id) => ['id', String(id)] as const)

describe('Parking', () => {
  test('marks drafts on their whiteboards, keeps their notes, and can be reversed', async () => {
    const [one, other] = [await service.create({ state: 2 }), await service.create({ state: 2, whiteboard: 'Lost' })]
    const list: readonly [string, string] = ['list', 'state=2&parked=0&page=3']
    const parked = await editor.post('/edit/park', [...toIds(one.id, other.id), list, ['do', 'park']])
    const location = headerOf(parked, 'Location') ?? ''
    expect([parked.status, location]).toEqual([303, '/edit/list?state=2&parked=0&done=parked&count=2'])
    expect((await editor.get(location)).body).toContain('2 talks set aside.')
    expect([await readNote(one.id), await readNote(other.id)]).toEqual(['[parked]', '[parked] Lost'])
    const back = await editor.post('/edit/park', [...toIds(one.id, other.id), list, ['do', 'unpark']])
    expect(headerOf(back, 'Location')).toContain('done=unparked&count=2')
    expect([await readNote(one.id), await readNote(other.id)]).toEqual(['', 'Lost'])
  })

  test('again changes nothing', async () => {
    const { id } = await service.create({ state: 2, whiteboard: '[parked] x' })
    await editor.post('/edit/park', [...toIds(id), ['do', 'park']])
    expect(parseFields(await service.read(id)).whiteboard).toBe('[parked] x')
    const history = await service.call({ method: 'GET', path: `/api/v2/video/${id}/history`, as: 'reader' })
    expect(JSON.parse(history.body).count).toBe(1)
  })

  test('leaves live talks and full whiteboards as they are, and says so', async () => {
    const [live, full, draft] = [
      await service.create(),
      await service.create({ state: 2, whiteboard: 'x'.repeat(250) }),
      await service.create({ state: 2 }),
    ]
    const answer = await editor.post('/edit/park', [...toIds(live.id, full.id, draft.id, 999_999), ['do', 'park']])
    const location = headerOf(answer, 'Location') ?? ''
    expect(location).toBe('/edit/list?done=parked&count=1&left=3')
    expect((await editor.get(location)).body).toContain('3 talks were not changed: only drafts can be set aside')
    expect([await readNote(live.id), await readNote(full.id)]).toEqual(['', 'x'.repeat(250)])
  })

  test('from the editor returns there', async () => {
    const { id } = await service.create({ state: 2 })
    expect((await editor.get(`/edit/video/${id}`)).body).toContain('value="park"')
    const form = [...toIds(id), ['do', 'park'], ['list', 'state=2'], ['back', 'talk']] as const
    const answer = await editor.post('/edit/park', form)
    expect(headerOf(answer, 'Location')).toBe(`/edit/video/${id}?list=state%3D2`)
    expect((await editor.get(`/edit/video/${id}`)).body).toContain('value="unpark"')
  })

  test('from the editor says why a talk was not changed', async () => {
    const { id } = await service.create({ state: 2, whiteboard: 'x'.repeat(250) })
    const answer = await editor.post('/edit/park', [...toIds(id), ['do', 'park'], ['back', 'talk']])
    const location = headerOf(answer, 'Location') ?? ''
    expect((await editor.get(location)).body).toContain('This talk was not changed: only drafts can be set aside')
    expect((await editor.get(`/edit/video/${id}?left=unparked`)).body).toContain('only drafts that were set aside')
    expect((await editor.get(`/edit/video/${id}?left=x`)).body).not.toContain('This talk was not changed')
  })

  test('needs ticks', async () => {
    const answer = await editor.post('/edit/park', [['list', 'state=2']])
    expect(headerOf(answer, 'Location')).toBe('/edit/list?state=2&done=none')
    expect((await editor.get('/edit/list?state=2&done=none')).body).toContain('Select talks first.')
    const { id } = await service.create({ state: 2 })
    const whole = await editor.post('/edit/park', [...toIds(id), ['list', 'state=2'], ['scope', 'all'], ['do', 'park']])
    expect(headerOf(whole, 'Location')).toBe('/edit/list?state=2&done=none')
    expect(await readNote(id)).toBe('')
  })

  test.each(['x', '0', '-1', '1e3', '1;2'])('refuses an invalid id: %s', async (id) => {
    expect((await editor.post('/edit/park', [['id', id]])).status).toBe(400)
  })

  test('redirects only to pages for curators', async () => {
    const { id } = await service.create({ state: 2 })
    const lists = ['//evil.example', 'https://evil.example/?a=b', '\r\nX: y', 'state=2#//evil']
    for (const list of lists) {
      const answer = await editor.post('/edit/park', [...toIds(id), ['list', list]])
      expect(headerOf(answer, 'Location')).toStartWith('/edit/list?')
    }
  })

  test('shows no text from the URL', async () => {
    const { body } = await editor.get('/edit/list?done=parked&count=<b>1</b>&left=x')
    expect(body).toContain('0 talks set aside.')
    expect((await editor.get('/edit/list?done=hacked')).body).not.toContain('hacked')
  })
})
