import { describe, expect, test } from 'bun:test'
import { follow, openForm, readForm, sendForm, toEditor as toPath, toText, useEditor } from './editor-form.ts'
import { useService } from './service.ts'

const service = useService({ roles: ['editor', 'publisher'] })
const { ann, bob, draft, read, listVersions } = useEditor(service)

describe('Others', () => {
  test('who change other fields are merged with, and named', async () => {
    const { id } = await draft()
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { tags: 'sea\nmoon' })
    const { body } = await follow(ann, await sendForm(ann, mine, { title: 'Mine' }))
    expect(toText(body)).toMatch(/Others changed the talk meanwhile.*Tags \(by [^)]+\)/)
    expect(await read(id)).toMatchObject({ title: 'Mine', tags: ['sea', 'moon'] })
  })

  test('who make the same change are no conflict', async () => {
    const { id } = await draft()
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { title: 'Same' })
    expect((await sendForm(ann, mine, { title: 'Same', summary: 'More' })).status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Same', summary: 'More' })
  })

  test('who change the same field open the conflict page, which saves what is chosen', async () => {
    const { id } = await draft({ title: 'Was' })
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { title: 'Theirs', tags: 'sea' })
    const answer = await sendForm(ann, mine, { title: 'Mine', summary: 'My summary', reason: 'because' })
    expect(answer.status).toBe(409)
    for (const part of ['Was', 'Theirs', 'Mine', 'Summary']) expect(toText(answer.body)).toContain(part)
    const unchosen = await sendForm(ann, readForm(answer))
    expect([unchosen.status, toText(unchosen.body).includes('Choose one of these.')]).toEqual([422, true])
    await sendForm(ann, readForm(unchosen), { 'choice.title': 'edited', title: 'Both' })
    expect(await read(id)).toMatchObject({ title: 'Both', summary: 'My summary', tags: ['sea'] })
    expect((await listVersions(id))[0]).toMatchObject({ by: 'the publisher', reason: 'because' })
  })

  test('who change it again during the choice open another conflict', async () => {
    const { id } = await draft({ title: 'Was' })
    const mine = await openForm(ann, toPath(id))
    await service.patch(id, { title: 'Second' })
    const first = readForm(await sendForm(ann, mine, { title: 'Mine' }, 'publish'))
    await service.patch(id, { title: 'Third' })
    const second = await sendForm(ann, first, { 'choice.title': 'yours' })
    expect(second.status).toBe(409)
    expect(toText(second.body)).toContain('Third')
    await sendForm(ann, readForm(second), { 'choice.title': 'yours' })
    expect(await read(id)).toMatchObject({ title: 'Mine', state: 1 })
  })
})

describe('A form of an unknown version', () => {
  const etags = ['', '7', '1-00000000', '99-abcdef01', '"1-x"', '-1-x', '1'.repeat(40)]

  test.each(etags)('%p keeps what was typed, and shows how it differs from the talk as it is', async (etag) => {
    const { id } = await draft({ title: 'Now' })
    const form = await openForm(ann, toPath(id))
    const fields = form.toFields({ title: 'Typed' }).map(([name, value]) => [name, name === 'etag' ? etag : value])
    const answer = await ann.post(form.action, fields as [string, string][], { token: null })
    expect(answer.status).toBe(409)
    expect(toText(answer.body)).toContain('does not exist')
    expect(answer.body).toMatch(/<ins>.*Typed.*<\/ins>/s)
    expect((await listVersions(id)).length).toBe(1)
    expect((await sendForm(ann, readForm(answer))).status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Typed' })
  })

  test('is kept after a conflict, too', async () => {
    const { id } = await draft({ title: 'Was' })
    const mine = await openForm(ann, toPath(id))
    await service.patch(id, { title: 'Theirs' })
    const conflict = readForm(await sendForm(ann, mine, { title: 'Mine', summary: 'My summary' }))
    const fields = conflict.toFields().map(([name, value]) => [name, name === 'base' ? '9-00000000' : value])
    const answer = await ann.post(conflict.action, fields as [string, string][], { token: null })
    expect(answer.status).toBe(409)
    const again = readForm(answer).toFields()
    expect(again).toEqual(
      expect.arrayContaining([
        ['field.title', 'Mine'],
        ['field.summary', 'My summary'],
      ]),
    )
  })

  test('that is no form of ours is refused', async () => {
    const { id } = await draft()
    expect((await ann.post(toPath(id), [['x', 'y']])).status).toBe(400)
  })
})
