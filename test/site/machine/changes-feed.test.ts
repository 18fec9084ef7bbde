import { describe, expect, test } from 'bun:test'
import { type Fields, useService } from '../../contract/service.ts'
import { type HeaderList, headerOf } from '../../harness/raw.ts'
import { changesFeed } from './atom-schema.ts'
import { findLink, get, listIds, listTitles, readXml } from './feed-service.ts'
import { findAll, findText } from './xml-tree.ts'

const service = useService()

const readChanges = (path: string, headers?: HeaderList) =>
  readXml(service, path, 'application/atom+xml', changesFeed, headers)

let events = 0
/** Creates an event for a test, with its feed. */
function toEvent() {
  const number = ++events
  const create = (fields: Fields) => service.create({ category: `Tide Conf ${number}`, ...fields })
  return { path: `/category/tide-conf-${number}/changes.atom`, slug: `tide-conf-${number}`, create }
}

const listKinds = async (path: string) =>
  findAll(await readChanges(path), 'entry').map((entry) => `${findText(entry, 'title')}: ${findText(entry, 'summary')}`)

describe('The feed of the changes of an event', () => {
  test('has an entry per change, newest first, with the current title of the talk', async () => {
    const { path, create } = toEvent()
    const ebb = await create({ title: 'Ebb', language: 'German' })
    await create({ title: 'Flood' })
    await service.patch(ebb.id, { summary: 'Of low water.' })
    await service.patch(ebb.id, { title: 'Ebb and flow' })
    expect(await listKinds(path)).toEqual([
      'Ebb and flow: Changed',
      'Ebb and flow: Changed',
      'Flood: New talk',
      'Ebb and flow: New talk',
    ])
    const feed = await readChanges(path)
    const [entry] = findAll(feed, 'entry')
    if (entry === undefined) throw new Error('no entry')
    const { url } = service.server()
    expect(entry.attributes).toEqual({ 'xml:lang': 'de' })
    expect(findLink(entry, 'alternate', 'text/html')).toBe(`${url}/video/${ebb.id}/ebb`)
    expect(findText(feed, 'updated')).toBe(findText(entry, 'updated') ?? '')
    expect(findLink(feed, 'self', 'application/atom+xml')).toBe(`${url}${path}`)
  })

  test('reveals no drafts, authors, reasons or whiteboards', async () => {
    const { path, create } = toEvent()
    const talk = await create({ title: 'Known', whiteboard: 'zqboard' })
    const draft = await create({ title: 'zqdraft', state: 2 })
    await service.patch(draft.id, { summary: 'zqsummary' })
    const before = (await get(service, path)).body
    await service.patch(talk.id, { whiteboard: 'zqnote' }, { 'Change-Reason': 'zqreason' })
    expect((await get(service, path)).body).toBe(before)
    await service.patch(talk.id, { tags: ['new'] }, { 'Change-Reason': 'zqreason' })
    const { body } = await get(service, path)
    expect(await listKinds(path)).toEqual(['Known: Changed', 'Known: New talk'])
    expect(body).not.toContain('zq')
    expect(body).not.toContain('ROSTRUM_ADMIN_TOKEN')
  })

  test('omits a withdrawn talk, and lists it again when it returns', async () => {
    const { path, create } = toEvent()
    const talk = await create({ title: 'Back' })
    await create({ title: 'Stays' })
    await service.patch(talk.id, { state: 2 })
    await service.patch(talk.id, { summary: 'zqhidden' })
    expect(await listKinds(path)).toEqual(['Stays: New talk'])
    await service.patch(talk.id, { state: 1 })
    expect(await listKinds(path)).toEqual(['Back: New talk', 'Stays: New talk', 'Back: New talk'])
  })

  test('has ids that depend on the version only, and at most fifty entries', async () => {
    const { path, create } = toEvent()
    const talk = await create({ title: 'Often' })
    for (let i = 0; i < 55; i++) await service.patch(talk.id, { summary: `Version ${i}` })
    const feed = await readChanges(path)
    const other = await readChanges(path, { Host: 'other.example.org' })
    expect(new Set(listIds(feed)).size).toBe(50)
    expect([findText(other, 'id'), ...listIds(other)]).toEqual([findText(feed, 'id'), ...listIds(feed)])
    await service.patch(talk.id, { title: 'Renamed' })
    const later = await readChanges(path)
    expect(listIds(later).slice(1)).toEqual(listIds(feed).slice(0, 49))
    expect(listTitles(later)[1]).toBe('Renamed')
  })

  test('is revalidated, may be read from any origin, and is the same for everybody', async () => {
    const { path, create } = toEvent()
    await create({ title: 'Headers' })
    const answer = await get(service, path)
    expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBe('*')
    expect(headerOf(answer, 'Cache-Control')).toBe('public, max-age=0, must-revalidate')
    const again = await get(service, path, { 'If-None-Match': headerOf(answer, 'ETag') ?? '' })
    expect([again.status, again.body]).toEqual([304, ''])
    expect((await service.call({ method: 'GET', path, as: 'admin' })).body).toBe(answer.body)
    expect((await service.call({ method: 'GET', path, as: 'wrong' })).status).toBe(200)
  })

  test('does not exist for an event that is not public', async () => {
    const { path, create } = toEvent()
    await create({ title: 'Draft', state: 2 })
    expect((await get(service, path)).status).toBe(404)
    expect((await get(service, '/category/unknown/changes.atom')).status).toBe(404)
  })

  test('follows a merged event', async () => {
    const [from, to] = [toEvent(), toEvent()]
    await from.create({ title: 'Moved' })
    await to.create({ title: 'Was here' })
    const merge = {
      method: 'POST',
      path: `/api/v2/category/${from.slug}/merge`,
      as: 'admin',
      json: { into: to.slug },
    } as const
    expect((await service.call(merge)).status).toBe(200)
    const answer = await get(service, from.path)
    expect([answer.status, headerOf(answer, 'Location')]).toEqual([301, to.path])
    expect(await listKinds(to.path)).toEqual(['Moved: Changed', 'Was here: New talk', 'Moved: New talk'])
  })
})
