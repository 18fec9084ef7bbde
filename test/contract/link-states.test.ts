import { beforeAll, describe, expect, test } from 'bun:test'
import type { LinkState } from '../../src/record/link/link.ts'
import { setLinkState } from '../harness/links.ts'
import { type Fields, listPath, parseFields, toPath, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

type As = 'none' | 'reader' | 'editor' | 'publisher' | 'admin'

async function ask(method: string, path: string, json?: unknown, as: As = 'publisher') {
  const answer = await service.call({ method, path, as, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, fields: answer.body === '' ? {} : parseFields(answer) }
}

const links = '/api/v2/links'
const toVideo = (name: string) => `https://www.youtube.com/watch?v=${name.padEnd(11, '_')}`

/** A record with these addresses, of which some get a state. */
async function create(name: string, fields: Fields = {}): Promise<number> {
  const { id } = await service.create({
    title: name,
    category: `Event of ${name}`,
    source_url: toVideo(name),
    ...fields,
  })
  return Number(id)
}

/** The write that follows tells every thread. */
async function setState(state: LinkState, urls: readonly string[], target: string | null = null): Promise<void> {
  await setLinkState(service.server().db, state, urls, target)
  await service.create({ title: 'Told', category: 'Told' })
}

async function listIds(query: string, as: As = 'reader'): Promise<unknown> {
  const { status, fields } = await ask('GET', `${listPath}?fields=id&category=event-of-${query}`, undefined, as)
  return status === 200 ? (fields as { results: Fields[] }).results.map(({ id }) => id) : status
}

async function listCodes(id: number): Promise<unknown[]> {
  const { fields } = await ask('GET', `${toPath(id)}/findings`)
  return (fields as { results: Fields[] }).results
    .filter(({ code }) => /_(?:gone|private|moved|not_embeddable)$/.test(String(code)))
    .map(({ code, field }) => [code, field])
}

describe('Addresses in trouble', () => {
  const file = 'https://media.example.org/dead.mp4'
  const slides = 'https://example.org/dead.pdf'
  let id = 0
  beforeAll(async () => {
    id = await create('dead', { video_mp4_url: file })
    await ask('PUT', `${toPath(id)}/related`, { links: [{ url: slides }] })
    await setState('gone', [toVideo('dead'), file, slides])
  })

  test('are findings of their records, which lists find', async () => {
    expect(await listCodes(id)).toEqual([
      ['file_gone', 'video_mp4_url'],
      ['video_gone', 'source_url'],
      ['link_gone', 'related'],
    ])
    for (const query of ['finding=video_gone', 'finding=file_gone,link_gone', 'link=gone', 'watchable=0'])
      expect([query, await listIds(`dead&${query}`)]).toEqual([query, [id]])
    for (const query of ['finding=video_private', 'link=moved', 'watchable=1'])
      expect([query, await listIds(`dead&${query}`)]).toEqual([query, []])
  })

  test('are counted by event', async () => {
    const { fields } = await ask('GET', '/api/v2/findings?category=event-of-dead&code=video_gone')
    expect(fields).toMatchObject({ results: [{ code: 'video_gone', count: 1 }] })
  })

  test('are listed with what is known of them', async () => {
    const { fields } = await ask('GET', `${links}?category=event-of-dead&state=gone,moved&host=media.example.org`)
    expect(fields).toEqual({
      ...{ count: 1, next: null, previous: null },
      results: [
        {
          ...{ url: file, host: 'media.example.org', state: 'gone', since: '2026-02-03T04:05:06.789Z', failures: 0 },
          ...{ status: null, last_ok: null, checked: '2026-02-03T04:05:06.789Z', evidence: '', target: null },
          videos: [id],
        },
      ],
    })
    const report = await ask('GET', `${links}/report?category=event-of-dead`)
    const none = { ok: 0, moved: 0, private: 0, not_embeddable: 0, unknown: 0 }
    const event = { category: 'Event of dead', slug: 'event-of-dead' }
    expect(report.fields).toMatchObject({
      count: 3,
      results: ['example.org', 'media.example.org', 'www.youtube.com'].map((host) => ({
        ...event,
        host,
        gone: 1,
        ...none,
      })),
    })
  })

  test('can be accepted, until the companion or field changes', async () => {
    const path = `${toPath(id)}/findings/link_gone/accept`
    expect((await ask('POST', path)).status).toBe(200)
    expect(await listIds('dead&finding=link_gone')).toEqual([])
    await ask('PUT', `${toPath(id)}/related`, { links: [{ url: slides, label: 'Slides' }] })
    expect(await listIds('dead&finding=link_gone')).toEqual([id])
  })

  test('are shown with the recordings', async () => {
    const others = [{ url: 'https://example.org/copy', kind: 'page', state: 'gone' }]
    const put = await ask('PUT', `${toPath(id)}/recordings`, { recordings: others })
    expect(put.fields).toEqual({
      recordings: [
        { url: toVideo('dead'), kind: 'page', own: true, state: 'gone' },
        { url: file, kind: 'file', own: true, state: 'gone' },
        { url: 'https://example.org/copy', kind: 'page', state: 'unknown' },
      ],
    })
    expect(await ask('GET', `${toPath(id)}/recordings`, undefined, 'none')).toEqual(put)
    expect(await listIds('dead&watchable=1', 'none')).toEqual([id])
  })
})

test('A record without anything to watch is not watchable, one with player markup is', async () => {
  const nothing = await create('empty', { source_url: '' })
  const embed = '<iframe src="https://example.org/player"></iframe>'
  const embedded = await create('embedded', { source_url: '', embed })
  expect(await listIds('empty&watchable=0', 'none')).toEqual([nothing])
  expect(await listIds('embedded&watchable=1', 'none')).toEqual([embedded])
})

test('States of addresses are for readers, and changing them for publishers', async () => {
  for (const path of [links, `${links}/report`, `${listPath}?link=gone`])
    expect([path, (await ask('GET', path, undefined, 'none')).status]).toEqual([path, 401])
  for (const path of [`${links}/accept-moved`, `${links}/ignore`])
    expect([path, (await ask('POST', path, {}, 'editor')).status]).toEqual([path, 403])
  expect((await ask('GET', `${links}?state=lost`)).status).toBe(400)
  expect((await ask('GET', `${listPath}?link=ok`)).status).toBe(400)
})

describe('Moved addresses', () => {
  const old = toVideo('moved')
  const target = toVideo('target')
  const accept = (select: unknown, more: Fields = {}, query = '') =>
    ask('POST', `${links}/accept-moved${query}`, { select, ...more })
  let id = 0
  beforeAll(async () => {
    id = await create('moved', { thumbnail_url: 'https://example.org/old.jpg' })
    await ask('PUT', `${toPath(id)}/related`, { links: [{ url: old, label: 'Video' }] })
    await ask('PUT', `${toPath(id)}/recordings`, { recordings: [{ url: target }] })
    await setState('moved', [old], target)
    await setState('moved', ['https://example.org/old.jpg'], 'http://example.org/new.jpg')
  })

  test('are accepted in fields and companions by one batch, never from https to http, and come back', async () => {
    const preview = await accept({ urls: [old] }, {}, '?dry_run=1')
    expect(preview.fields).toMatchObject({ total: 1, changed: 1, differences: [{ id }] })
    expect((await accept({ urls: [old] })).status).toBe(400)
    expect((await accept({ query: 'category=event-of-moved' }, { expect: 2 })).status).toBe(409)
    const done = await accept({ query: 'category=event-of-moved' }, { expect: 1, reason: 'they moved' })
    expect([done.status, done.fields]).toMatchObject([201, { kind: 'bulk', changed: 1, reason: 'they moved' }])
    const read = async () => parseFields(await service.read(id))
    expect(await read()).toMatchObject({ source_url: target, thumbnail_url: 'https://example.org/old.jpg' })
    expect((await ask('GET', `${toPath(id)}/related`)).fields).toMatchObject({ links: [{ url: target }] })
    expect((await ask('GET', `${toPath(id)}/recordings`)).fields).toEqual({
      recordings: [{ url: target, kind: 'page', own: true, state: 'unknown' }],
    })
    const undone = await ask('POST', `/api/v2/batches/${done.fields.id}/undo`)
    expect(undone.fields).toMatchObject({ state: 'done', left: [] })
    expect(await read()).toMatchObject({ source_url: old })
    expect((await ask('GET', `${toPath(id)}/related`)).fields).toMatchObject({ links: [{ url: old }] })
  })

  test('never get an address that a field cannot have, and a recording twice becomes one', async () => {
    const urls = ['user', 'long', 'script', 'same'].map((name) => `https://old.example.org/${name}`)
    const twin = 'https://example.org/twin'
    const recordings = [...urls, twin].map((url) => ({ url }))
    const other = await create('hostile', { source_url: 'https://old.example.org/own' })
    await ask('PUT', `${toPath(other)}/recordings`, { recordings })
    const targets = ['https://a:b@example.org/', `https://example.org/${'x'.repeat(2100)}`, 'javascript:alert(1)', twin]
    for (const [i, url] of urls.entries()) await setState('moved', [url], targets[i])
    await setState('moved', ['https://old.example.org/own'], twin)
    const all = [...urls, 'https://old.example.org/own']
    const done = await accept({ urls: all }, { expect: 1 })
    expect([done.status, done.fields]).toMatchObject([201, { changed: 1 }])
    const { fields } = await ask('GET', `${toPath(other)}/recordings`)
    expect((fields as { recordings: Fields[] }).recordings.map(({ url }) => url)).toEqual([twin, ...urls.slice(0, 3)])
  })

  test('are named by either a query or addresses', async () => {
    for (const select of [{}, { query: 'link=moved', urls: [] }, { urls: 'x' }, { query: '' }, { ids: [1] }])
      expect([select, (await accept(select, { expect: 0 })).status]).toEqual([select, 400])
  })
})

describe('An address that a curator calls fine', () => {
  const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

  test('is no longer in trouble, until that is taken back', async () => {
    const id = await create('fine')
    const url = toVideo('fine')
    await setState('private', [url])
    expect(await listCodes(id)).toEqual([['video_private', 'source_url']])
    const ignored = await ask('POST', `${links}/ignore`, { url, until: later })
    expect(ignored).toEqual({ status: 200, fields: { url, until: `${later}T23:59:59.999Z` } })
    expect(await listCodes(id)).toEqual([])
    const read = async () => (await ask('GET', `${links}?category=event-of-fine`)).fields
    expect(await read()).toMatchObject({ results: [{ state: 'ok', evidence: expect.stringContaining('publisher') }] })
    expect((await ask('POST', `${links}/ignore`, { url, until: null })).status).toBe(200)
    expect(await read()).toMatchObject({ results: [{ state: 'unknown', checked: null }] })
  })

  test('must be one of a record, and for a year at most', async () => {
    const url = toVideo('none')
    expect((await ask('POST', `${links}/ignore`, { url, until: later })).status).toBe(404)
    for (const until of ['2020-01-01', '2099-01-01', 'soon', 7])
      expect([until, (await ask('POST', `${links}/ignore`, { url, until })).status]).toEqual([until, 400])
  })
})
