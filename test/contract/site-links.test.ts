import { expect, test } from 'bun:test'
import type { LinkState } from '../../src/record/link/link.ts'
import { setLinkState } from '../harness/links.ts'
import { type Fields, toPath, useService } from './service.ts'

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
