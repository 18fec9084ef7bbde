import { expect, test } from 'bun:test'
import type { LinkState } from '../../src/record/link/link.ts'
import { setLinkState } from '../harness/links.ts'
import { type Fields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })

const toVideo = (name: string) => `https://www.youtube.com/watch?v=${name.padEnd(11, '_')}`

/** A talk with a file and a video, of which some are in a state. */
async function create(title: string, state: LinkState, urls: readonly string[], others: readonly Fields[] = []) {
  const { id, slug } = await service.create({
    ...{ title, category: title, source_url: toVideo(title), video_mp4_url: `https://example.org/${title}.mp4` },
  })
  await service.call({ method: 'PUT', path: `${toPath(id)}/recordings`, as: 'admin', json: { recordings: others } })
  await setLinkState(service.server().db, state, urls)
  // Tells every thread.
  await service.create({ title: 'Told' })
  return { id, page: `/video/${id}/${slug}` }
}

const read = async (path: string) =>
  (await service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })).body

test('A talk whose own recordings are dead plays the first one elsewhere that is not', async () => {
  const urls = [toVideo('second'), 'https://example.org/second.mp4', 'https://example.org/lost']
  const { id, page } = await create('second', 'gone', urls, [
    { url: 'https://example.org/lost' },
    { url: toVideo('living') },
  ])
  for (const path of [page, `/embed/${id}`]) {
    const text = await read(path)
    expect(text).toMatch(/data-frame="[^"]*living/)
    expect(text).not.toContain('<video')
  }
  const text = await read(page)
  expect(text).toContain('no longer available since 3 February 2026')
  expect(text).not.toContain('id="download"')
  expect(text).not.toContain('contentUrl')
})

test('A talk without a living recording says since when, and where a copy may be', async () => {
  const { id, page } = await create('gone', 'private', [toVideo('gone'), 'https://example.org/gone.mp4'])
  for (const path of [page, `/embed/${id}`]) {
    const text = await read(path)
    expect(text).toContain('This video is no longer available at youtube.com')
    expect(text).toContain('<time datetime="2026-02-03">')
    expect(text).toContain(`href="https://web.archive.org/web/${toVideo('gone')}"`)
  }
  expect(await read(page)).toContain('"@type":"VideoObject"')
  expect(await read(page)).not.toContain('"embedUrl"')
  const markdown = await read(`/video/${id}.md`)
  expect(markdown).toContain('- **Video:** no longer available since 2026-02-03, was at youtube.com\n')
  expect(markdown).not.toContain(toVideo('gone'))
  expect(await read('/category/gone')).toContain('Video no longer available')
})

test('A talk is marked in lists only if all of its recordings are dead', async () => {
  const others = [{ url: 'https://example.org/part' }]
  const { id } = await create('part', 'gone', [toVideo('part'), 'https://example.org/part.mp4'], others)
  expect(await read('/category/part')).not.toContain('Video no longer available')
  expect(await read(`/video/${id}.md`)).toContain('- **Video:** <https://example.org/part>\n')
  await setLinkState(service.server().db, 'private', ['https://example.org/part'])
  await service.create({ title: 'Told' })
  expect(await read('/category/part')).toContain('Video no longer available')
  expect(await read(`/video/${id}.md`)).toContain('<https://example.org/part> · no longer available since 2026-02-03')
})

test('No output has a thumbnail that is gone', async () => {
  const thumbnail = 'https://i.ytimg.com/vi/thumb/hqdefault.jpg'
  const { id, page } = await create('thumb', 'ok', [toVideo('thumb')])
  await service.patch(id, { thumbnail_url: thumbnail, recorded: '2026-01-01' })
  const paths = [
    ...[page, `/embed/${id}`, '/category/thumb', '/category/thumb/feed.atom', `/list?ids=${id}`],
    ...['/category', `/oembed?url=${encodeURIComponent(`${service.server().url}${page}`)}`],
  ]
  for (const path of paths) expect([path, await read(path)]).toEqual([path, expect.stringContaining(thumbnail)])
  await setLinkState(service.server().db, 'gone', [thumbnail])
  await service.create({ title: 'Told' })
  for (const path of paths) expect([path, await read(path)]).toEqual([path, expect.not.stringContaining(thumbnail)])
})

test('A video that plays only at its host is a link', async () => {
  const { page } = await create('host', 'not_embeddable', [toVideo('host')])
  await service.patch(Number(page.split('/')[2]), { video_mp4_url: null })
  const text = await read(page)
  expect(text).toContain(`href="${toVideo('host')}"`)
  expect(text).not.toContain('data-frame')
})

test('Podcasts and feeds leave out dead files', async () => {
  const file = 'https://example.org/feed.mp4'
  const { page } = await create('feed', 'gone', ['https://example.org/other.mp4'])
  for (const ending of ['feed.rss', 'feed.atom']) expect(await read(`/category/feed/${ending}`)).toContain(file)
  await setLinkState(service.server().db, 'gone', [file])
  await service.create({ title: 'Told' })
  for (const ending of ['feed.rss', 'feed.atom']) expect(await read(`/category/feed/${ending}`)).not.toContain(file)
  expect(await read('/category/feed/feed.atom')).toContain(page)
})

test('Statistics count what can be watched, by year', async () => {
  const { id } = await create('counted', 'gone', [toVideo('counted'), 'https://example.org/counted.mp4'])
  await service.patch(id, { recorded: '1999-05-01' })
  const { id: other } = await create('watched', 'gone', [toVideo('watched')])
  await service.patch(other, { recorded: '1999-05-01' })
  const [, row = ''] = /class="heat"[\s\S]*?year=1999"[\s\S]*?<\/th>([\s\S]*?)<\/tr>/.exec(await read('/stats')) ?? []
  expect(
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .trim()
      .split(/\s+/)
      .at(-1),
  ).toBe('50')
})
