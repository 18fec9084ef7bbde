import { describe, expect, test } from 'bun:test'
import { parsePage } from '../site/page-tree.ts'
import { follow, openForm, sendForm, toEditor, useEditor } from './editor-form.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'], args: ['--threads', '1'] })
const { ann, draft } = useEditor(service)

const toLines = (body: string, part: string) =>
  parsePage(body)
    .all(part)
    .flatMap((each) => each.all('.new-names'))
    .flatMap((list) => list.all('li'))
    .map(({ text }) => text)

async function save(id: unknown, typed: { readonly [name: string]: string }) {
  const answer = await sendForm(ann, await openForm(ann, toEditor(id)), typed)
  return (await follow(ann, answer)).body
}

async function review(id: unknown, typed: { readonly [name: string]: string }) {
  return (await sendForm(ann, await openForm(ann, toEditor(id)), typed, 'review')).body
}

describe('Names that the archive does not have', () => {
  const typed = { category: 'Tide Con 2062', speakers: 'Ada Quill\nNed New', tags: 'sea\nmoon & <b>' }
  const lines = ['New event: Tide Con 2062', 'New speaker: Ned New', 'New tag: moon & <b>']

  test('are shown before and after a save, with a link to the event', async () => {
    await draft({ category: 'Tide Con 2026', speakers: ['Ada Quill'] })
    const { id } = await draft({ category: 'Tide Con 2026', tags: ['sea'] })
    expect(toLines(await review(id, typed), '.review')).toEqual(lines)
    const saved = await save(id, typed)
    expect(toLines(saved, '.notice')).toEqual(lines)
    expect(saved).toContain('href="/edit/names/category/tide-con-2062"')
  })

  test('include a new spelling, and a name that was removed and added again', async () => {
    const { id } = await draft({ category: 'Pond Days', speakers: ['Bea Pond'] })
    const other = { category: 'pond days', speakers: 'bea pond' }
    expect(toLines(await save(id, other), '.notice')).toEqual(['New event: pond days', 'New speaker: bea pond'])
    expect(toLines(await review(id, { speakers: 'Bea Pond' }), '.review')).toEqual(['New speaker: Bea Pond'])
  })

  test('are not those of other talks, nor an event without talks', async () => {
    await draft({ category: 'Reef Days', speakers: ['Cy Reef'], tags: ['coral'] })
    const json = { title: 'Reef Days 2' }
    expect((await service.call({ method: 'POST', path: '/api/v2/category', as: 'admin', json })).status).toBe(201)
    const { id } = await draft({ category: 'Reef Days' })
    const known = { category: 'Reef Days 2', speakers: 'Cy Reef', tags: 'coral' }
    expect(toLines(await review(id, known), '.review')).toEqual([])
    expect(toLines(await save(id, known), '.notice')).toEqual([])
    expect(toLines(await save(id, { title: 'Only a title' }), '.notice')).toEqual([])
  })

  test('are limited in number, with the event first', async () => {
    const { id } = await draft()
    const tags = Array.from({ length: 60 }, (_, i) => `many ${i}`).join('\n')
    const told = toLines(await save(id, { tags, category: 'Many Days' }), '.notice')
    expect([told.length, told[0]]).toEqual([20, 'New event: Many Days'])
  })
})
