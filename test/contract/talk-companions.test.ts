import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Fields, toPath, useService } from './service.ts'

const service = useService({ args: ['--threads', '1', '--query-threads', '1'] })

const get = (path: string) => service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })
const toPage = ({ id, slug }: Fields) => `/video/${id}/${slug}`

async function put(id: unknown, name: string, json: unknown): Promise<void> {
  const answer = await service.call({ method: 'PUT', path: `${toPath(id)}/${name}`, as: 'admin', json })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
}

const putChapters = (id: unknown, chapters: readonly unknown[]) => put(id, 'chapters', { chapters })

const file = 'https://media.example.org/a.mp4'

describe('Chapters for programs', () => {
  test('are WebVTT, JSON of podcasts and Markdown, cached like pages', async () => {
    const { url } = service.server()
    const part = await service.create({ title: 'A part' })
    const talk = await service.create({ title: 'Whole', duration: 900, video_mp4_url: file })
    await putChapters(talk.id, [
      { start: 0, title: 'Opening' },
      { start: 724.5, title: 'Questions', video: part.id },
    ])
    await put(talk.id, 'related', { links: [{ url: 'https://example.org/a.pdf', label: 'All', kind: 'slides' }] })
    await put(talk.id, 'recordings', { recordings: [{ url: 'https://archive.org/a', language: 'German', note: 'x' }] })
    const vtt = await get(`/video/${talk.id}/chapters.vtt`)
    expect([vtt.status, headerOf(vtt, 'Cache-Control')]).toEqual([200, 'public, max-age=0, must-revalidate'])
    expect(vtt.body).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:12:04.500\nOpening\n\n00:12:04.500 --> 00:15:00.000\nQuestions\n',
    )
    const json = await get(`/video/${talk.id}/chapters.json`)
    expect(headerOf(json, 'Content-Type')).toBe('application/json+chapters')
    expect(JSON.parse(json.body)).toEqual({
      version: '1.2.0',
      title: 'Whole',
      chapters: [
        { startTime: 0, endTime: 724.5, title: 'Opening' },
        { startTime: 724.5, endTime: 900, title: 'Questions', url: `${url}${toPage(part)}` },
      ],
    })
    const podcast = (await get(`/list.rss?ids=${talk.id}`)).body
    expect(podcast).toContain(
      `<podcast:chapters url="${url}/video/${talk.id}/chapters.json" type="application/json+chapters"/>`,
    )
    const { body } = await get(`/video/${talk.id}.md`)
    for (const line of [
      `- [12:04](<${url}${toPage(talk)}?t=724>) [Questions](<${url}${toPage(part)}>)`,
      '- <https://archive.org/a> · German · x',
      '- [All](<https://example.org/a.pdf>) (slides)',
    ]) {
      expect(body.split('\n')).toContain(line)
    }
  })

  test('of drafts are nowhere', async () => {
    const talk = await service.create({ title: 'Hidden later', video_mp4_url: file })
    await putChapters(talk.id, [{ start: 0, title: 'Zeugmatic' }])
    const paths = ['vtt', 'json'].map((format) => `/video/${talk.id}/chapters.${format}`)
    for (const path of paths) expect((await get(path)).body).toContain('Zeugmatic')
    await service.patch(talk.id, { state: 2 })
    const draft = await service.create({ title: 'Never shown', state: 2 })
    await putChapters(draft.id, [{ start: 0, title: 'Zeugmatic' }])
    for (const path of [...paths, toPage(talk), `/video/${talk.id}.md`, `/embed/${talk.id}`]) {
      const { status, body } = await get(path)
      expect([path, status, body.includes('Zeugmatic')]).toEqual([path, 410, false])
    }
    for (const path of [`/video/${draft.id}/chapters.vtt`, `/video/${draft.id}/chapters.json`, toPage(draft)])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect((await get('/feed.rss')).body).not.toContain(`/video/${talk.id}/chapters.json`)
  })
})
