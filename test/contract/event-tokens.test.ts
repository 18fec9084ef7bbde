import { beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../archive/command.ts'
import { createToken, rotateToken } from '../harness/server.ts'
import { createCurator } from './curator.ts'
import { type Fields, parseFields, toPath, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })

let key = ''
let [inside, outside]: [number, number] = [0, 0]
beforeAll(async () => {
  inside = Number((await service.create({ category: 'Own Days', speakers: ['Ada Quill'] })).id)
  outside = Number((await service.create({ category: 'Other Days', speakers: ['Ada Quill'] })).id)
  await service.create({ category: 'Second Days' })
  key = await createToken(service.server(), 'tina', 'publisher', '--events', 'own-days,second-days')
}, 180_000)

/** A request with the limited token. */
const send = (method: string, path: string, json?: unknown, token = key) =>
  service.call({ method, path, headers: { Authorization: `Token ${token}`, Accept: 'application/json' }, json })

const read = async (id: number): Promise<Fields> => parseFields(await service.read(id))

async function expectOutside(method: string, path: string, json?: unknown): Promise<void> {
  const before = [await read(inside), await read(outside)]
  const answer = await send(method, path, json)
  expect([path, answer.status, parseFields(answer).type]).toEqual([path, 403, 'urn:rostrum:problem:outside_event'])
  expect([await read(inside), await read(outside)]).toEqual(before)
}

describe('A token that is limited to events', () => {
  test('reads what its role reads, and changes records of its events', async () => {
    expect((await send('GET', toPath(outside))).status).toBe(200)
    const { id } = parseFields(await send('POST', '/api/v2/video', { category: 'Own Days', title: 'New' }))
    expect((await send('PATCH', toPath(id), { summary: 'S', category: 'Second Days' })).status).toBe(200)
    expect((await send('POST', `${toPath(id)}/history/1/restore`)).status).toBe(200)
    expect((await send('PATCH', toPath(id), { state: 1 })).status).toBe(200)
  })

  const refused: readonly (readonly [string, () => readonly [string, string, unknown?]])[] = [
    ['a change of a record of another event', () => ['PATCH', toPath(outside), { summary: 'S' }]],
    ['a record that is moved to another event', () => ['PATCH', toPath(inside), { category: 'Other Days' }]],
    ['a record that is moved to a new event', () => ['PATCH', toPath(inside), { category: 'Unheard of' }]],
    ['a record that is moved here', () => ['PATCH', toPath(outside), { category: 'Own Days' }]],
    ['a whole record', () => ['PUT', toPath(inside), { category: 'Other Days', title: 'T' }]],
    ['a dry run', () => ['PATCH', `${toPath(outside)}?dry_run=1`, { summary: 'S' }]],
    ['a new record', () => ['POST', '/api/v2/video', { category: 'Other Days', title: 'T' }]],
    ['a restore', () => ['POST', `${toPath(outside)}/history/1/restore`]],
    ['a bulk change', () => ['POST', batchPath, { select: { ids: [inside, outside] }, patch: { summary: 'S' } }]],
    [
      'a bulk change by an edit',
      () => ['POST', batchPath, { select: { ids: [inside] }, patch: { category: { suffix: '!' } } }],
    ],
    ['a time to go live', () => ['DELETE', `${toPath(outside)}/publish-at`]],
    ['a merge of records', () => ['POST', `${toPath(outside)}/merge`, { into: inside }]],
    ['a merge into another event', () => ['POST', `${toPath(inside)}/merge`, { into: outside }]],
    ['a new event', () => ['POST', '/api/v2/category', { title: 'Third Days' }]],
    ['another event', () => ['PATCH', '/api/v2/category/other-days', { description: 'D' }]],
    ['a merge into another event', () => ['POST', '/api/v2/category/own-days/merge', { into: 'other-days' }]],
    ['a merge of another event', () => ['POST', '/api/v2/category/other-days/merge', { into: 'own-days' }]],
    ['a speaker', () => ['PATCH', '/api/v2/speaker/1', { name: 'Ada Q.' }]],
    ['a finding of another event', () => ['POST', `${toPath(outside)}/findings/missing_tags/accept`]],
    ['a list that is hidden for all', () => ['PUT', '/api/v2/findings/missing_tags/hidden']],
    ['variants', () => ['POST', '/api/v2/speaker/variants/dismiss', { ids: [1, 2] }]],
  ]
  test.each(refused)('is refused %s', async (_, toRequest) => expectOutside(...toRequest()))

  test('changes the others of a partial bulk change, and undoes it', async () => {
    const body = { select: { ids: [inside, outside] }, patch: { summary: 'Partly' }, partial: true }
    const batch = parseFields(await send('POST', batchPath, body))
    expect(batch).toMatchObject({ changed: 1, refused: [{ id: outside, problem: 'outside_event' }] })
    expect(parseFields(await send('POST', `${batchPath}/${batch.id}/undo`))).toMatchObject({ changed: 1 })
    await service.patch(inside, { category: 'Other Days' })
    const moved = parseFields(await send('POST', `${batchPath}/${batch.id}/undo`))
    expect(moved).toMatchObject({ changed: 0 })
    await service.patch(inside, { category: 'Own Days' })
  })

  test('edits and renames its own events, takes it back, and keeps its limit', async () => {
    const path = '/api/v2/category/own-days'
    expect((await send('PATCH', path, { title: 'Renamed Days', description: 'D' })).status).toBe(200)
    expect((await send('PATCH', toPath(inside), { summary: 'After the rename' })).status).toBe(200)
    await expectOutside('PATCH', toPath(inside), { category: 'Own Days' })
    const [rename] = parseFields(await send('GET', `${batchPath}?page_size=1`)).results as Fields[]
    expect(parseFields(await send('POST', `${batchPath}/${rename?.id}/undo`))).toMatchObject({
      changed: expect.any(Number),
    })
    expect((await read(inside)).category).toBe('Own Days')
  })

  test('keeps its limit when an event is merged, and when the key is replaced', async () => {
    const merge = { method: 'POST', path: '/api/v2/category/second-days/merge', as: 'admin' as const }
    expect((await service.call({ ...merge, json: { into: 'other-days' } })).status).toBe(200)
    expect((await send('PATCH', toPath(outside), { summary: 'Merged with its own' })).status).toBe(200)
    const next = await rotateToken(service.server(), 'tina')
    expect((await send('PATCH', toPath(inside), { summary: 'New key' }, next)).status).toBe(200)
    const { id } = await service.create({ category: 'Elsewhere' })
    expect((await send('PATCH', toPath(id), { summary: 'x' }, next)).status).toBe(403)
    const { stdout } = await runRostrum('token', 'list', '--db', service.server().db)
    expect(stdout).toMatch(/tina .* own-days,second-days\n/)
  })

  test('is refused on pages, too', async () => {
    const { id } = await service.create({ category: 'Elsewhere' })
    const curator = createCurator(service)
    await curator.signIn(key)
    const token = await curator.readToken()
    const form = [
      ['field.title', 'Taken over'],
      ['field.category', 'Elsewhere'],
      ['key', 'a-key-of-sixteen-letters'],
      ['do', 'create'],
    ] as const
    const answer = await curator.post('/edit/new', form, { token })
    expect([answer.status, answer.body.includes('limited to certain events')]).toEqual([403, true])
    expect((await read(Number(id))).title).toBe('A talk')
  })
})

test('A token cannot be limited to an event that does not exist', async () => {
  const { db } = service.server()
  const create = (events: string) =>
    runRostrum('token', 'create', '--name', 'tom', '--role', 'editor', '--events', events, '--db', db)
  expect(await create('own-days,no-such-days')).toMatchObject({ exitCode: 65, stdout: '' })
  expect((await create('own-days,no-such-days')).stderr).toContain('There is no event no-such-days.')
  expect(await create('own-days,,')).toMatchObject({ exitCode: 64, stdout: '' })
})
