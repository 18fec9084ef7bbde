import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator } from './curator.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })

let publisher: Curator
let id = 0

beforeAll(async () => {
  const category = 'Größe & Maß 2026'
  id = Number((await service.create({ title: 'Kiwi draft', category, state: 2 })).id)
  await service.create({ title: 'Kiwi talk', category })
  publisher = createCurator(service)
  await publisher.signIn(service.keyOf('publisher'))
}, 180_000)

const titleOf = async (query: string) =>
  /<h1>(.*?) <span/.exec((await publisher.get(`/edit/list?${query}`)).body)?.[1]?.replaceAll('&amp;', '&')

describe('The title of a list', () => {
  test.each([
    ['category=grosse-mass-2026', 'Talks of Größe & Maß 2026'],
    ['category=Gr%C3%B6%C3%9Fe+%26+Ma%C3%9F+2026', 'Talks of Größe & Maß 2026'],
    ['category=grosse-mass-2026&state=2&ordering=title', 'Drafts of Größe & Maß 2026'],
    ['category=grosse-mass-2026&state=2&parked=0', 'Drafts of Größe & Maß 2026'],
    ['category=grosse-mass-2026&state=2&parked=1', 'Set-aside drafts of Größe & Maß 2026'],
    ['category=grosse-mass-2026&state=1', 'Live talks of Größe & Maß 2026'],
    ['category=grosse-mass-2026&finding=missing_language', 'Größe & Maß 2026: No language'],
    ['category=grosse-mass-2026&whiteboard=1', 'Größe & Maß 2026: With a note for curators'],
    ['category=no-such-event', 'Talks of no-such-event'],
    ['state=1', 'Live talks'],
    ['state=2', 'Drafts and set-aside drafts'],
    ['q=kiwi', 'Talks with “kiwi”'],
    ['finding=missing_language', 'No language'],
    ['missing=slides', 'No slides'],
    ['missing=chapters&category=grosse-mass-2026', 'Größe & Maß 2026: No chapters'],
    ['has=recordings', 'Several recordings'],
    ['q=kiwi&state=2', 'Talks'],
    ['category=grosse-mass-2026&q=kiwi', 'Talks'],
  ])('%s', async (query, title) => {
    expect(await titleOf(query)).toBe(title)
  })

  test('names the event in the chip and in the file, too', async () => {
    const query = 'category=grosse-mass-2026&state=2'
    expect((await publisher.get(`/edit/list?${query}`)).body).toContain('Event: Größe &amp; Maß 2026')
    const file = headerOf(await publisher.get(`/edit/list.csv?${query}`), 'Content-Disposition')
    expect(file).toBe('attachment; filename="drafts-of-grosse-mass-2026.csv"')
  })

  test('is the way back from the editor', async () => {
    const open = async (list: string) =>
      /<nav class="place"[^>]*><a [^>]*>([^<]*)</.exec(
        (await publisher.get(`/edit/video/${id}?list=${encodeURIComponent(list)}`)).body,
      )?.[1]
    expect(await open('category=grosse-mass-2026&state=2')).toBe('Drafts of Größe &amp; Maß 2026')
    expect(await open('category=other&state=2')).toBe('Drafts of other')
    expect(await open('state=2&parked=0')).toBe('Drafts')
  })
})
