import { beforeAll, describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { parsePage } from '../site/page-tree.ts'
import { createBulk } from './bulk-change.ts'
import { useNames } from './curated-names.ts'
import { type Curator, createCurator } from './curator.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const { change } = createBulk(service)
const { ask, findName } = useNames(service)

let publisher: Curator
let reader: Curator
let batch: unknown
let [first, second] = [0, 0]
const today = new Date().toISOString().slice(0, 10)

/** Two talks of one event and one of another; single changes, a bulk change, and changes of names and events. */
beforeAll(async () => {
  publisher = await signIn('publisher')
  reader = await signIn('reader')
  first = Number((await service.create({ category: 'Quay Days', title: 'Cranes', speakers: ['Ada L.'] })).id)
  second = Number((await service.create({ category: 'Quay Days', title: 'Docks', speakers: ['Ada Lovelace'] })).id)
  await service.create({ category: 'Elsewhere', title: 'Hills' })
  await service.patch(first, { video_mp4_url: 'https://example.org/a.mp4' }, { 'Change-Reason': 'found the file' })
  await service.patch(second, { state: 2 })
  const request = { select: { ids: [first, second] }, patch: { language: 'Dutch' }, reason: 'all in Dutch' }
  batch = (await change(request)).id
  await ask('PATCH', 'category/quay-days', { start_date: '2026-11-01' })
  const ada = await findName('speaker', 'Ada L.')
  await ask('PATCH', `speaker/${ada.id}`, { note: 'Builds cranes.' }, 'publisher', { 'Change-Reason': 'she asked' })
  const ids = [ada.id, (await findName('speaker', 'Ada Lovelace')).id]
  expect((await ask('POST', 'speaker/variants/dismiss', { ids })).status).toBe(200)
}, 180_000)

async function signIn(role: 'reader' | 'publisher'): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

/** The lines of the list, without their times. */
async function listLines(query: string, curator = publisher): Promise<string[]> {
  const { status, body } = await curator.get(`/edit/changes${query}`)
  expect([query, status]).toEqual([query, 200])
  return parsePage(body)
    .all('li.change-line')
    .map(({ text }) => text.replace(/^\d\d:\d\d/, ''))
}

const whole = [
  'Different speakers: Ada L., Ada Lovelace by the publisher',
  'Speaker: Ada L. Note by the publishershe asked',
  'Event: Quay Days First day by the publisher',
  'Language set to Dutch in 2 talks by the publisherall in Dutch',
  'Docks Withdrawn State Diff by ROSTRUM_ADMIN_TOKEN',
  'Cranes MP4: Address Diff by ROSTRUM_ADMIN_TOKENfound the file',
  'Hills New by ROSTRUM_ADMIN_TOKEN',
  'New event: Elsewhere by ROSTRUM_ADMIN_TOKEN',
  'Docks New by ROSTRUM_ADMIN_TOKEN',
  'Cranes New by ROSTRUM_ADMIN_TOKEN',
  'New event: Quay Days by ROSTRUM_ADMIN_TOKEN',
]

describe('The list of changes', () => {
  test('says who did what and why, newest first, by day', async () => {
    expect(await listLines('')).toEqual(whole)
    const page = parsePage((await publisher.get('/edit/changes')).body)
    expect(page.all('section.change-day').length).toBe(1)
  })

  test('links to the talk, to what changed in it, and to the batch', async () => {
    const { body } = await publisher.get('/edit/changes')
    expect(body).toContain(`href="/edit/video/${first}"`)
    expect(body).toContain(`href="/edit/video/${first}/compare?from=1&amp;to=2"`)
    expect(body).toContain(`href="/edit/batches/${batch}"`)
    expect((await reader.get('/edit/changes')).body).toContain(`href="/edit/changes?batch=${batch}"`)
  })

  test('is narrowed to an author, an event, a batch, a day', async () => {
    expect(await listLines('?by=the+publisher')).toEqual(whole.slice(0, 4))
    const ofBatch = ['Docks Language Diff', 'Cranes Language Diff'].map(
      (text) => `${text} Bulk change ${batch} by the publisherall in Dutch`,
    )
    expect(await listLines(`?batch=${batch}`)).toEqual(ofBatch)
    const [, , event = '', , withdrawn = '', file = '', , , docks = '', cranes = '', created = ''] = whole
    const ofEvent = [event, ...ofBatch, withdrawn, file, docks, cranes, created]
    expect(await listLines('?category=quay-days')).toEqual(ofEvent)
    expect(await listLines('?category=Quay+Days')).toEqual(ofEvent)
    expect(await listLines('?category=quay-days&by=the+publisher')).toEqual(ofEvent.slice(0, 3))
    expect(await listLines(`?day=${today}`)).toEqual(whole)
    expect(await listLines('?day=2020-02-29')).toEqual([])
  })

  test('says what is wrong with a filter', async () => {
    const read = async (query: string) =>
      parsePage((await publisher.get(`/edit/changes${query}`)).body).one('main').text
    expect(await read('?category=nowhere')).toContain('There is no event “nowhere”.')
    expect(await read('?day=2026-02-30')).toContain('Enter the date as YYYY-MM-DD.')
    expect(await read('?by=nobody')).toContain('No changes match these filters.')
    expect(await read('?cursor=rubbish')).toContain('Cranes')
  })

  test('links to the feed of an event, which shows viewers less', async () => {
    const { body } = await publisher.get('/edit/changes?category=quay-days')
    expect(body).toContain('href="/category/quay-days/changes.atom"')
    for (const page of ['/edit/names/category/quay-days', '/category/quay-days'])
      expect((await publisher.get(page)).body).toContain('href="/category/quay-days/changes.atom"')
    const feed = (await reader.get('/category/quay-days/changes.atom')).body
    expect([feed.includes('Cranes'), feed.includes('Docks'), feed.includes('publisher')]).toEqual([true, false, false])
  })
})

test('pages through older changes, each once', async () => {
  const talk = await service.create({ category: 'Long list', title: 'Often changed' })
  for (let i = 0; i < 120; i++) await service.patch(talk.id, { summary: `Version ${i}` })
  const lines: string[] = []
  let path: string | null = '/edit/changes?category=long-list'
  let pages = 0
  while (path !== null) {
    const { body } = await publisher.get(path)
    lines.push(...[...body.matchAll(/compare\?from=(\d+)/g)].map(([, from]) => String(from)))
    path = /rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? null
    if (++pages > 5) fail('the list has no end')
  }
  expect([pages, lines]).toEqual([3, Array.from({ length: 120 }, (_, i) => String(120 - i))])
})

test('shows an erased talk only by its number', async () => {
  const { id } = await service.create({ category: 'Erased', title: 'Zqgone' })
  await service.patch(id, { summary: 'zqsummary' }, { 'Change-Reason': 'zqreason' })
  const { db } = service.server()
  expect(await runRostrum('purge', String(id), '--yes', '--db', db)).toMatchObject({ exitCode: 0 })
  const deadline = Date.now() + 5_000
  while ((await service.read(id)).status !== 410 && Date.now() < deadline) await Bun.sleep(20)
  const { body } = await publisher.get('/edit/changes')
  expect(body).toContain(`Talk ${id} was erased.`)
  expect(/zq(?:gone|summary|reason)/i.test(body)).toBe(false)
  const history = await publisher.get(`/edit/video/${id}/history`)
  expect(history.status).toBe(410)
  expect(parsePage(history.body).one('main').text).toContain('erased')
})
