import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runRostrum } from '../cli/store-command.ts'
import { createAsk, type More } from './asking.ts'
import { parseFields, toPath, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const ask = createAsk(service)

describe('Chapters', () => {
  const chapters = [
    { start: 0, title: 'Hello' },
    { start: 12.5, title: 'A & <b>', end: 60 },
    { start: 3723, title: 'Questions' },
  ]

  test('are JSON, WebVTT and lines', async () => {
    const { id } = await service.create({ duration: 4000 })
    const path = `${toPath(id)}/chapters`
    expect((await ask('PUT', path, { chapters })).fields()).toEqual({ chapters })
    const vtt = await ask('GET', path, undefined, { Accept: 'text/vtt' })
    expect(vtt.body).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:12.500\nHello\n\n00:00:12.500 --> 00:01:00.000\nA &amp; &lt;b&gt;\n\n' +
        '01:02:03.000 --> 01:06:40.000\nQuestions\n',
    )
    const lines = await ask('GET', path, undefined, { Accept: 'text/plain' })
    expect(lines.body).toBe('0:00 Hello\n0:12.5–1:00 A & <b>\n1:02:03 Questions\n')
    for (const [type, body] of [
      ['text/vtt', `\ufeff${vtt.body}`],
      ['text/plain', lines.body],
    ] as const) {
      await ask('DELETE', path)
      const answer = await service.call({
        method: 'PUT',
        path,
        as: 'publisher',
        body,
        headers: { 'Content-Type': type },
      })
      expect([type, answer.status, parseFields(answer)]).toEqual([type, 200, { chapters }])
    }
    const bad = await service.call({
      method: 'PUT',
      path,
      as: 'publisher',
      body: '0:00 Hello\nNo time',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect([bad.status, parseFields(bad)]).toMatchObject([
      400,
      { errors: { chapters: [expect.stringContaining('Line 2')] } },
    ])
  })

  test('do not name drafts to the public, and keep their ids for editors', async () => {
    const [draft, part, { id }] = [
      await service.create({ state: 2 }),
      await service.create(),
      await service.create({ duration: 100 }),
    ]
    const path = `${toPath(id)}/chapters`
    const [open, talk, questions] = [
      { start: 0, title: 'Hello' },
      { start: 1, title: 'Draft', end: 10 },
      { start: 20, title: 'Live', video: part.id },
    ]
    const stored = { chapters: [open, { ...talk, video: draft.id }, questions] }
    expect((await ask('PUT', path, stored, { as: 'publisher' })).fields()).toEqual(stored)
    const readAs = (as: NonNullable<More['as']>, more: More = {}) => ask('GET', path, undefined, { as, ...more })
    const hidden = await readAs('none')
    expect(hidden.fields()).toEqual({ chapters: [open, talk, questions] })
    expect(hidden.caching).toContain('public')
    expect((await readAs('none', { Accept: 'text/plain' })).body).not.toContain(`#${draft.id}`)
    expect((await readAs('none', { 'If-None-Match': hidden.etag })).status).toBe(304)

    const seen = await readAs('reader')
    expect([seen.fields(), seen.caching]).toEqual([stored, 'private, no-store'])
    expect((await readAs('reader', { 'If-None-Match': hidden.etag })).status).toBe(200)
    // What an editor has read is accepted; what the public has read would lose the id.
    expect((await ask('PUT', path, hidden.fields(), { 'If-Match': hidden.etag })).status).toBe(412)
    expect((await ask('PUT', path, seen.fields(), { 'If-Match': seen.etag })).fields()).toEqual(stored)

    // An export without drafts is for the public, too.
    const folder = mkdtempSync(join(tmpdir(), 'rostrum-chapters-'))
    const exportChapters = async (name: string, ...flags: readonly string[]) => {
      const out = ['--out', join(folder, name), '--db', service.server().db]
      expect((await runRostrum('export', '--format', 'pyvideo', ...flags, ...out)).exitCode).toBe(0)
      const files = [...new Bun.Glob('**/*.json').scanSync(join(folder, name))]
      const all = files.map((file) => JSON.parse(readFileSync(join(folder, name, file), 'utf8')).chapters)
      return all.find((chapters) => chapters?.[1]?.title === 'Draft')
    }
    expect(await exportChapters('live')).toEqual(hidden.fields().chapters)
    expect(await exportChapters('all', '--drafts')).toEqual(stored.chapters)
    rmSync(folder, { recursive: true })

    await service.patch(draft.id, { state: 1 })
    const published = await readAs('none', { 'If-None-Match': hidden.etag })
    expect([published.status, published.fields(), published.etag]).toEqual([200, stored, seen.etag])
  })

  test('may name only records that exist, or did when they were stored', async () => {
    const [part, { id }] = [await service.create(), await service.create()]
    const path = `${toPath(id)}/chapters`
    const toChapters = (video: unknown) => ({ chapters: [{ start: 0, title: 'x', video }] })
    for (const query of ['', '?dry_run=1']) {
      const refused = await ask('PUT', `${path}${query}`, toChapters(999_999))
      expect([refused.status, refused.fields().errors]).toEqual([
        400,
        { chapters: ['There is no record with the id 999999.'] },
      ])
    }
    const stored = toChapters(part.id)
    expect((await ask('PUT', path, stored)).status).toBe(200)
    const purge = ['purge', String(part.id), '--yes', '--db', service.server().db]
    expect(await runRostrum(...purge)).toMatchObject({ exitCode: 0 })
    const longer = { chapters: [...stored.chapters, { start: 1, title: 'y' }] }
    expect((await ask('PUT', path, longer)).fields()).toEqual(longer)
    await ask('DELETE', path)
    expect((await ask('POST', `${toPath(id)}/history/2/restore`)).fields()).toEqual(stored)
  })

  test.each([
    [
      [
        { start: 1, title: 'x' },
        { start: 1, title: 'y' },
      ],
    ],
    [[{ start: -1, title: 'x' }]],
    [[{ start: 1.2345, title: 'x' }]],
    [[{ start: 4005.001, title: 'x' }]],
    [[{ start: 4000, end: 4005.001, title: 'x' }]],
    [[{ start: 1, title: ' ' }]],
    [[{ start: 1, end: 1, title: 'x' }]],
    [[{ start: 1, title: 'x', video: 0 }]],
    [Array.from({ length: 501 }, (_, i) => ({ start: i, title: 'x' }))],
  ])('are refused if they are %j', async (wrong) => {
    const { id } = await service.create({ duration: 4000 })
    expect((await ask('PUT', `${toPath(id)}/chapters`, { chapters: wrong })).status).toBe(400)
  })

  test('may come five seconds after the end of a record, and anywhere if its length is unknown', async () => {
    const { id } = await service.create({ duration: 4000 })
    expect((await ask('PUT', `${toPath(id)}/chapters`, { chapters: [{ start: 4005, title: 'x' }] })).status).toBe(200)
    const unknown = await service.create()
    expect(
      (await ask('PUT', `${toPath(unknown.id)}/chapters`, { chapters: [{ start: 10_000_005, title: 'x' }] })).status,
    ).toBe(200)
    // Longer than any record.
    expect(
      (await ask('PUT', `${toPath(unknown.id)}/chapters`, { chapters: [{ start: 10_000_006, title: 'x' }] })).status,
    ).toBe(400)
  })
})
