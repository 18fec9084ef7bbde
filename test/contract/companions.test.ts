import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createAsk } from './asking.ts'
import { listPath, parseFields, toPath, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

const ask = createAsk(service)

const toLinks = (id: unknown) => `${toPath(id)}/related`
const slides = { url: 'https://example.org/slides.pdf', label: 'Slides', kind: 'slides' }
const code = { url: 'https://github.com/x/y', kind: 'code' }

async function readHistory(id: unknown, query = '') {
  const { results } = (await ask('GET', `${toPath(id)}/history${query}`)).fields() as {
    results: { version: number; changed: string[] }[]
  }
  return results.map(({ version, changed }) => [version, changed.length > 3 ? 'all' : changed.join()])
}

describe('A companion', () => {
  test('is empty at first, replaced by PUT, and empty again after DELETE', async () => {
    const { id } = await service.create()
    const none = await ask('GET', toLinks(id), undefined, { as: 'none' })
    expect([none.status, none.fields()]).toEqual([200, { links: [] }])
    const sent = { links: [{ url: slides.url, label: ' Slides ' }, { url: code.url }] }
    const put = await ask('PUT', toLinks(id), sent)
    expect([put.status, put.fields()]).toEqual([200, { links: [slides, code] }])
    const read = await ask('GET', toLinks(id), undefined, { as: 'none' })
    expect([read.etag, read.fields()]).toEqual([put.etag, put.fields()])
    expect((await ask('GET', toLinks(id), undefined, { 'If-None-Match': put.etag })).status).toBe(304)
    const gone = await ask('DELETE', toLinks(id))
    expect([gone.status, gone.fields()]).toEqual([200, { links: [] }])
    expect(gone.etag).not.toBe(none.etag)
    expect(await readHistory(id)).toEqual([
      [3, 'related'],
      [2, 'related'],
      [1, 'all'],
    ])
  })

  test('changes neither the bytes, the time nor the ETag of its record', async () => {
    const { id } = await service.create()
    const before = await ask('GET', toPath(id), undefined, { Accept: 'application/json' })
    await ask('PUT', toLinks(id), { links: [slides] })
    const after = await ask('GET', toPath(id), undefined, { Accept: 'application/json' })
    expect([after.body, after.etag]).toEqual([before.body, before.etag])
    const patched = await service.patch(id, { title: 'Another' }, { 'If-Match': before.etag })
    expect([patched.status, headerOf(patched, 'ETag')]).toEqual([200, expect.stringMatching(/^"3-/)])
    expect((await ask('GET', toLinks(id))).fields()).toEqual({ links: [slides] })
    expect(await readHistory(id)).toEqual([
      [3, 'title'],
      [2, 'related'],
      [1, 'all'],
    ])
    expect(await readHistory(id, '?companion=related')).toEqual([[2, 'related']])
    expect((await ask('GET', `${toPath(id)}/history?companion=links`)).status).toBe(400)
  })

  test('that others have changed is 412 with base, theirs and yours', async () => {
    const { id } = await service.create()
    const first = await ask('PUT', toLinks(id), { links: [slides] })
    const second = await ask('PUT', toLinks(id), { links: [code] }, { 'If-Match': first.etag })
    const stale = await ask('PUT', toLinks(id), { links: [] }, { 'If-Match': first.etag })
    expect([stale.status, stale.fields()]).toMatchObject([
      412,
      {
        current: { version: 3, etag: second.etag },
        ...{ base: { links: [slides] }, theirs: { links: [code] }, yours: { links: [] } },
      },
    ])
    expect((await ask('DELETE', toLinks(id), undefined, { 'If-Match': first.etag })).status).toBe(412)
    expect((await ask('PUT', toLinks(id), { links: [] }, { 'If-None-Match': '*' })).status).toBe(412)
    expect((await ask('PUT', toLinks(id), { links: [code] }, { 'If-Match': second.etag })).etag).toBe(second.etag)
    expect((await readHistory(id)).length).toBe(3)
  })

  test('is merged with changes of others in other entries with Prefer: merge, and refused if both changed an entry', async () => {
    const { id } = await service.create()
    const merge = (base: string) => ({ Prefer: `merge; base=${JSON.stringify(base)}` })
    const first = await ask('PUT', toLinks(id), { links: [slides, code] })
    const paper = { url: 'https://example.org/paper', kind: 'paper' }
    const notes = { url: 'https://example.org/notes', kind: 'notes' }
    await ask('PUT', toLinks(id), { links: [slides, code, paper] })
    const mine = { links: [{ ...slides, label: 'Mine' }, notes] }
    const merged = await service.call({
      ...{ method: 'PUT', path: toLinks(id), as: 'publisher', json: mine, headers: merge(first.etag) },
    })
    expect([merged.status, headerOf(merged, 'Preference-Applied')]).toEqual([200, 'merge'])
    expect(parseFields(merged)).toEqual({ links: [{ ...slides, label: 'Mine' }, notes, paper] })
    const stale = await ask('PUT', toLinks(id), { links: [{ ...slides, label: 'Other' }, code] }, merge(first.etag))
    expect([stale.status, stale.fields()]).toMatchObject([
      412,
      { base: { links: [slides, code] }, conflicts: [slides.url] },
    ])
    for (const base of ['', 'related-1-00000000.json', first.etag.replace('related', 'chapters').slice(1, -1)])
      expect((await ask('PUT', toLinks(id), { links: [] }, merge(base))).status).toBe(412)
    const both = { ...merge(first.etag), 'If-Match': first.etag }
    expect((await ask('PUT', toLinks(id), { links: [notes] }, both)).status).toBe(412)
    const many = Array.from({ length: 98 }, (_, i) => ({ url: `https://example.org/${i}` }))
    const full = await ask('PUT', toLinks(id), { links: [slides, code, ...many] }, merge(first.etag))
    expect([full.status, full.body]).toEqual([400, expect.stringContaining('at most 100')])
    expect((await ask('GET', toLinks(id))).fields()).toEqual({ links: [{ ...slides, label: 'Mine' }, notes, paper] })
    expect((await readHistory(id)).length).toBe(4)
  })

  test('is merged with changes of the record, and the other way round', async () => {
    const { id } = await service.create()
    const { etag } = await ask('GET', toPath(id), undefined, { Accept: 'application/json' })
    await ask('PUT', toLinks(id), { links: [slides] })
    await service.patch(id, { summary: 'Theirs' })
    const merged = await service.patch(id, { title: 'Mine' }, { Prefer: `merge; base=${JSON.stringify(etag)}` })
    expect([merged.status, parseFields(merged)]).toMatchObject([200, { title: 'Mine', summary: 'Theirs' }])
    const stale = await service.patch(id, { summary: 'Mine' }, { 'If-Match': etag })
    expect([stale.status, parseFields(stale)]).toMatchObject([412, { current: { version: 4 } }])
  })

  test('is on the page of its talk at once, and in the lists that it belongs to', async () => {
    const { id, slug } = await service.create({ title: 'Paged' })
    const readPage = async () =>
      (await service.call({ method: 'GET', path: `/video/${id}/${slug}`, headers: { Accept: 'text/html' } })).body
    const list = async () =>
      (await ask('GET', `${listPath}?q=paged&has=slides`, undefined, { as: 'none' })).fields().count
    expect([(await readPage()).includes(slides.url), await list()]).toEqual([false, 0])
    await ask('PUT', toLinks(id), { links: [slides] })
    expect([(await readPage()).includes(slides.url), await list()]).toEqual([true, 1])
    await ask('DELETE', toLinks(id))
    expect([(await readPage()).includes(slides.url), await list()]).toEqual([false, 0])
  })

  test('is restored alone', async () => {
    const { id } = await service.create()
    await ask('PUT', toLinks(id), { links: [slides] })
    await service.patch(id, { title: 'Later' })
    await ask('PUT', toLinks(id), { links: [code] })
    const back = await ask('POST', `${toPath(id)}/history/2/restore`)
    expect([back.status, back.fields()]).toEqual([200, { links: [slides] }])
    expect(parseFields(await service.read(id))).toMatchObject({ title: 'Later' })
    const first = await ask('POST', `${toPath(id)}/history/1/restore`)
    expect(first.fields()).toMatchObject({ title: 'A talk' })
    expect((await ask('GET', toLinks(id))).fields()).toEqual({ links: [slides] })
    const version = (await ask('GET', `${toPath(id)}/history/4`)).fields()
    expect(version).toMatchObject({
      changed: { related: { from: { links: [slides] }, to: { links: [code] } } },
      companion: { kind: 'related', before: { links: [slides] }, after: { links: [code] } },
      record: { title: 'Later' },
    })
  })

  test('is in the feed, with its fields for those with a token', async () => {
    const { id } = await service.create()
    const { next: last } = (await ask('GET', '/api/v2/changes?since=0&limit=1000')).fields()
    await ask('PUT', toLinks(id), { links: [slides] }, { 'Change-Reason': 'asked' })
    const page = (await ask('GET', `/api/v2/changes?since=${last}`)).fields()
    expect(page).toMatchObject({ changes: [{ id, version: 2, kind: 'updated', fields: ['related'], reason: 'asked' }] })
    expect((await ask('GET', `/api/v2/changes?since=${last}`, undefined, { as: 'none' })).fields()).toMatchObject({
      changes: [{ id, version: 2, kind: 'updated' }],
    })
  })

  test('of a draft is seen and changed by those who may see and change the draft', async () => {
    const { id } = await service.create({ state: 2 })
    expect((await ask('PUT', toLinks(id), { links: [slides] }, { as: 'editor' })).status).toBe(200)
    expect((await ask('GET', toLinks(id), undefined, { as: 'none' })).status).toBe(404)
    expect((await ask('GET', toLinks(id), undefined, { as: 'reader' })).status).toBe(200)
    expect((await ask('PUT', toLinks(id), { links: [] }, { as: 'reader' })).status).toBe(403)
    const live = await service.create()
    expect((await ask('PUT', toLinks(live.id), { links: [] }, { as: 'editor' })).status).toBe(403)
    await ask('PUT', toLinks(live.id), { links: [slides] })
    const restore = `${toPath(live.id)}/history/2/restore`
    const stale = { 'If-Match': '"related-1-00000000.json"' }
    expect((await ask('POST', restore, undefined, { as: 'editor', ...stale })).status).toBe(403)
    expect((await ask('POST', restore, undefined, stale)).status).toBe(412)
    expect((await ask('PUT', toLinks(live.id), { links: [] }, { as: 'none' })).status).toBe(401)
    expect((await ask('GET', toLinks(999_999))).status).toBe(404)
  })

  test('is not stored if the answer could not be sent', async () => {
    const { id } = await service.create()
    for (const [name, sent] of [
      ['related', { links: [slides] }],
      ['recordings', { recordings: [{ url: slides.url }] }],
      ['chapters', { chapters: [{ start: 0, title: 'x' }] }],
    ] as const) {
      const path = `${toPath(id)}/${name}`
      expect((await ask('GET', path, undefined, { Accept: 'image/png' })).status).toBe(406)
      expect((await ask('PUT', path, sent, { Accept: 'image/png' })).status).toBe(406)
      expect((await ask('DELETE', path, undefined, { Accept: 'image/png' })).status).toBe(406)
      for (const accept of ['*/*', 'text/html', 'text/html,application/xhtml+xml,*/*;q=0.8'])
        expect((await ask('GET', path, undefined, { Accept: accept })).status).toBe(200)
    }
    expect((await readHistory(id)).length).toBe(1)
  })

  test('is JSON whatever Accept says if the URL asks for it', async () => {
    const { id } = await service.create()
    const asked = (name: string, sent?: unknown) =>
      ask(sent === undefined ? 'GET' : 'PUT', `${toPath(id)}/${name}?format=json`, sent, { Accept: 'image/png' })
    for (const [name, sent] of [
      ['related', { links: [slides] }],
      ['recordings', { recordings: [{ url: slides.url }] }],
    ] as const) {
      expect([name, (await asked(name)).status, (await asked(name, sent)).status]).toEqual([name, 200, 200])
    }
  })

  test('of a dry run is not stored', async () => {
    const { id } = await service.create()
    const dry = await ask('PUT', `${toLinks(id)}?dry_run=1`, { links: [slides] })
    expect([dry.status, dry.fields()]).toEqual([200, { links: [slides] }])
    expect((await ask('GET', toLinks(id))).fields()).toEqual({ links: [] })
  })

  test.each([
    [{}, 'links'],
    [[], 'links'],
    [{ links: {} }, 'links'],
    [{ links: ['https://example.org/'] }, 'links'],
    [{ links: [{ label: 'x' }] }, 'links'],
    [{ links: [{ url: 'javascript:alert(1)' }] }, 'links'],
    [{ links: [{ url: 'https://ann:secret@example.org/' }] }, 'links'],
    [{ links: [{ url: 'https://example.org/', kind: 'film' }] }, 'links'],
    [{ links: [{ url: 'https://example.org/', lable: 'x' }] }, 'links'],
    [{ links: [{ url: 'https://example.org/', label: 'x'.repeat(256) }] }, 'links'],
    [{ links: [{ url: 'https://example.org/', label: '\u0000' }] }, 'links'],
    [{ links: Array.from({ length: 101 }, (_, i) => ({ url: `https://example.org/${i}` })) }, 'links'],
    [{ links: [], link: [] }, 'link'],
  ])('is refused if it is %j', async (body, name) => {
    const { id } = await service.create()
    const answer = await ask('PUT', toLinks(id), body)
    expect([answer.status, Object.keys(answer.fields().errors as object)]).toEqual([400, [name]])
    expect((await ask('GET', toLinks(id))).fields()).toEqual({ links: [] })
  })

  test('may have 100 links with labels of 255 characters', async () => {
    const { id } = await service.create()
    const links = Array.from({ length: 100 }, (_, i) => ({
      url: `https://example.org/${i}`,
      label: '\u{1F40D}'.repeat(255),
      kind: 'other',
    }))
    expect((await ask('PUT', toLinks(id), { links })).fields()).toEqual({ links })
  })
})

describe('Recordings', () => {
  test('begin with those of the record, which only the record changes', async () => {
    const { id } = await service.create({
      source_url: 'https://www.youtube.com/watch?v=abc',
      video_mp4_url: 'https://example.org/a.mp4',
    })
    const own = [
      { url: 'https://www.youtube.com/watch?v=abc', kind: 'page', own: true, state: 'unknown' },
      { url: 'https://example.org/a.mp4', kind: 'file', own: true, state: 'unknown' },
    ]
    const other = { url: 'https://archive.org/details/abc', kind: 'page', language: 'German', note: 'with questions' }
    const path = `${toPath(id)}/recordings`
    expect((await ask('GET', path)).fields()).toEqual({ recordings: own })
    const sent = [...own, { url: 'https://example.org/a.mp4' }, { ...other, kind: undefined, language: 'de' }]
    const put = await ask('PUT', path, { recordings: sent })
    expect([put.status, put.fields()]).toEqual([200, { recordings: [...own, { ...other, state: 'unknown' }] }])
    expect((await ask('GET', path, undefined, { 'If-None-Match': put.etag })).status).toBe(200)
    await service.patch(id, { source_url: other.url })
    expect((await ask('GET', path)).fields()).toMatchObject({
      recordings: [{ url: other.url, own: true }, { own: true }],
    })
    const many = Array.from({ length: 21 }, (_, i) => ({ url: `https://example.org/${i}` }))
    expect((await ask('PUT', path, { recordings: many })).status).toBe(400)
    expect((await ask('PUT', path, { recordings: [...own, ...many.slice(1)] })).status).toBe(200)
  })
})

describe('Many records', () => {
  const bulk = (body: object, query = '') => ask('POST', `/api/v2/batches${query}`, body)

  test('get or lose a link by one batch, which can be undone', async () => {
    const [one, two] = [await service.create(), await service.create()]
    await ask('PUT', toLinks(one.id), { links: [code] })
    const select = { ids: [one.id, two.id] }
    const patch = { related: { add: [{ url: slides.url, label: 'Slides' }], remove: [code.url] }, language: 'German' }
    const preview = (await bulk({ select, patch }, '?dry_run=1')).fields()
    expect(preview).toMatchObject({
      changed: 2,
      differences: [{ fields: { related: { before: { links: [code] }, after: { links: [slides] } } } }, {}],
    })
    const made = (await bulk({ select, patch })).fields() as { batch: { id: number } } & { id: number }
    expect((await ask('GET', toLinks(one.id))).fields()).toEqual({ links: [slides] })
    expect(await readHistory(two.id)).toEqual([
      [3, 'related'],
      [2, 'language'],
      [1, 'all'],
    ])
    await ask('PUT', toLinks(two.id), { links: [slides, code] })
    const undone = (await ask('POST', `/api/v2/batches/${made.id ?? made.batch.id}/undo`)).fields()
    expect(undone).toMatchObject({ changed: 2, left: [{ id: two.id, fields: ['related'], why: 'changed_since' }] })
    expect((await ask('GET', toLinks(one.id))).fields()).toEqual({ links: [code] })
    expect((await ask('GET', toLinks(two.id))).fields()).toEqual({ links: [slides, code] })
    expect(parseFields(await service.read(two.id))).toMatchObject({ language: '' })
  })

  test('are found by the traits of their companions', async () => {
    const category = 'Companions in lists'
    const ids: unknown[] = []
    for (const _ of [1, 2, 3]) ids.push((await service.create({ category, duration: 60 })).id)
    await ask('PUT', toLinks(ids[0]), { links: [slides, code] })
    await ask('PUT', toLinks(ids[1]), { links: [code] })
    await ask('PUT', `${toPath(ids[1])}/chapters`, { chapters: [{ start: 0, title: 'x' }] })
    const list = async (query: string) => {
      const { results } = (
        await ask('GET', `${listPath}?category=${encodeURIComponent(category)}&ordering=id&${query}`)
      ).fields()
      return (results as { id: number }[]).map(({ id }) => ids.indexOf(id))
    }
    expect(await list('has=slides')).toEqual([0])
    expect(await list('has=code')).toEqual([0, 1])
    expect(await list('has=code,chapters')).toEqual([1])
    expect(await list('missing=slides')).toEqual([1, 2])
    expect(await list('missing=slides,chapters,recorded')).toEqual([2])
    await ask('DELETE', toLinks(ids[0]))
    expect(await list('has=slides')).toEqual([])
    expect((await ask('GET', `${listPath}?has=film`)).status).toBe(400)
  })
})
