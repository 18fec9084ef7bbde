import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { follow, openForm, readForm, sendForm, toText, useEditor } from './editor-form.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ann, bob, eve, draft, listVersions } = useEditor(service)

const toPath = (id: unknown) => `/edit/video/${id}/related`

async function readLinks(id: unknown): Promise<unknown> {
  const answer = await service.call({ method: 'GET', path: `/api/v2/video/${id}/related`, as: 'admin' })
  return JSON.parse(answer.body)
}

const slides = { url: 'https://example.org/slides.pdf', label: 'Slides', kind: 'slides' }
const line = 'https://example.org/slides.pdf Slides'

describe('Related links', () => {
  test('of a talk that was not imported are saved, shown to viewers and in the history', async () => {
    const { id, slug } = await service.create()
    const typed = { 'field.lines': `${line}\n\n  https://example.org/code  ` }
    const answer = await sendForm(ann, await openForm(ann, toPath(id)), { ...typed, reason: 'from the speaker' })
    expect(headerOf(answer, 'Location')).toBe(`${toPath(id)}?done=saved`)
    expect(toText((await follow(ann, answer)).body)).toContain('Saved.')
    expect(await readLinks(id)).toEqual({ links: [slides, { url: 'https://example.org/code', kind: 'other' }] })
    const page = await service.call({ method: 'GET', path: `/video/${id}/${slug}`, headers: { Accept: 'text/html' } })
    expect(page.body).toContain('href="https://example.org/slides.pdf"')
    expect((await listVersions(id))[0]).toMatchObject({
      ...{ version: 2, by: 'the publisher', changed: ['related'], reason: 'from the speaker' },
    })
  })

  test('that nobody changed make no version', async () => {
    const { id } = await draft()
    const answer = await sendForm(ann, await openForm(ann, toPath(id)))
    expect(headerOf(answer, 'Location')).toBe(`${toPath(id)}?done=unchanged`)
    expect((await listVersions(id)).length).toBe(1)
  })

  test('that are wrong are said to be, and are still there', async () => {
    const { id } = await draft()
    for (const links of [
      'javascript:alert(1) x',
      'Slides',
      `https://example.org/ ${'x'.repeat(256)}`,
      Array.from({ length: 101 }, (_, i) => `https://example.org/${i}`).join('\n'),
    ]) {
      const answer = await sendForm(ann, await openForm(ann, toPath(id)), { 'field.lines': links })
      expect([links, answer.status]).toEqual([links, 422])
      expect(readForm(answer).toFields()).toContainEqual(['field.lines', links.replaceAll('\n', '\r\n')])
    }
    expect(await readLinks(id)).toEqual({ links: [] })
  })

  test('that somebody else has added stay beside what was typed', async () => {
    const { id } = await draft()
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { 'field.lines': 'https://example.org/theirs Theirs' })
    expect((await sendForm(ann, mine, { 'field.lines': line })).status).toBe(303)
    const other = { url: 'https://example.org/theirs', label: 'Theirs', kind: 'other' }
    expect(await readLinks(id)).toEqual({ links: expect.arrayContaining([slides, other]) })
  })

  test('that somebody else has changed are not overwritten unseen', async () => {
    const { id } = await draft()
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { 'field.lines': 'https://example.org/slides.pdf Theirs' })
    const answer = await sendForm(ann, mine, { 'field.lines': line })
    expect(answer.status).toBe(409)
    expect(toText(answer.body)).toContain('https://example.org/slides.pdf Theirs')
    expect((await sendForm(ann, readForm(answer))).status).toBe(303)
    expect(await readLinks(id)).toEqual({ links: [slides] })
  })

  test('go back to what they were', async () => {
    const { id } = await draft()
    await sendForm(ann, await openForm(ann, toPath(id)), { 'field.lines': line })
    await sendForm(ann, await openForm(ann, toPath(id)), { 'field.lines': '' })
    expect(await readLinks(id)).toEqual({ links: [] })
    const { body } = await ann.get(toPath(id))
    const [, base = ''] = /name="base" value="([^"]+)"/.exec(body) ?? []
    const answer = await ann.post(toPath(id), [
      ['base', base],
      ['undo', '2'],
    ])
    expect(answer.status).toBe(303)
    expect(await readLinks(id)).toEqual({ links: [slides] })
    expect((await listVersions(id)).length).toBe(4)
    expect(
      (
        await ann.post(toPath(id), [
          ['base', base],
          ['undo', '2'],
        ])
      ).status,
    ).toBe(409)
    expect(
      (
        await ann.post(toPath(id), [
          ['base', base],
          ['undo', 'x'],
        ])
      ).status,
    ).toBe(400)
  })

  test('of a live talk are for publishers', async () => {
    const { id } = await service.create()
    expect((await eve.get(toPath(id))).body).not.toContain('data-kept-as')
    const answer = await eve.post(toPath(id), [
      ['base', 'x'],
      ['field.lines', line],
    ])
    expect(answer.status).toBe(403)
    expect(readForm(answer).toFields()).toContainEqual(['field.lines', line])
  })

  test('of a talk that is not there are 404', async () => {
    expect((await ann.get(toPath(999_999))).status).toBe(404)
  })
})
