import { describe, expect, test } from 'bun:test'
import {
  type EditorForm,
  follow,
  openForm,
  readForm,
  sendForm,
  toEditor as toPath,
  toText,
  useEditor,
} from './editor-form.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

// The longest texts take a while on a busy machine.
const service = useService({ roles: ['editor', 'publisher'], args: ['--list-ms', '8000'] })
const { ann, bob, draft, read, listVersions } = useEditor(service)

describe('Others', () => {
  test('who change other fields are merged with, and named', async () => {
    const { id } = await draft()
    const [mine, theirs] = [await openForm(ann, toPath(id)), await openForm(bob, toPath(id))]
    await sendForm(bob, theirs, { tags: 'sea\nmoon' })
    const { body } = await follow(ann, await sendForm(ann, mine, { title: 'Mine' }))
    expect(toText(body)).toMatch(/was changed after you opened it.*Tags \(by [^),]+, [^)]+ UTC\)/)
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

  test('who change the longest texts open it, too', async () => {
    const names = ['summary', 'description', 'quality_notes', 'copyright_text']
    const toTexts = (word: string) =>
      Object.fromEntries(
        names.map((name) => [name, `${word} ${name} ${`${word} and `.repeat(20_000)}`.slice(0, 99_999)]),
      )
    const { id } = await draft(toTexts('was'))
    const mine = await openForm(ann, toPath(id))
    await service.patch(id, toTexts('theirs'))
    for (const button of ['review', 'save']) {
      const answer = await sendForm(ann, mine, toTexts('mine'), button)
      expect(answer.status).toBe(409)
      const text = toText(answer.body)
      for (const name of names) for (const word of ['was', 'theirs', 'mine']) expect(text).toContain(`${word} ${name} `)
    }
    const again = await openForm(ann, toPath(id))
    const reviewed = await sendForm(ann, again, toTexts('mine'), 'review')
    expect([reviewed.status, reviewed.body.split('<del>').length]).toEqual([200, names.length + 1])
  })

  test('who change it again during the choice open another conflict', async () => {
    const { id } = await draft({ title: 'Was' })
    const mine = await openForm(ann, toPath(id))
    await service.patch(id, { title: 'Second' })
    const first = readForm(await sendForm(ann, mine, { title: 'Mine' }, 'publish'))
    await service.patch(id, { title: 'Third' })
    const second = await sendForm(ann, first, { 'choice.title': 'yours' }, 'publish')
    expect(second.status).toBe(409)
    expect(toText(second.body)).toContain('Third')
    await sendForm(ann, readForm(second), { 'choice.title': 'yours' }, 'publish')
    expect(await read(id)).toMatchObject({ title: 'Mine', state: 1 })
  })
})

/** The labels of a form's buttons, in order; the one that stands out has a star. */
const listButtons = ({ html }: EditorForm) =>
  [...html.matchAll(/<button type="submit"[^>]*class="button([^"]*)"[^>]*>([^<]*)/g)].map(
    ([, quiet, label = '']) => label + (quiet === '' ? '*' : ''),
  )

describe('A conflict during', () => {
  async function conflict(state: number, button: string, query = '') {
    const { id } = await service.create({ title: 'Was', state })
    const mine = await openForm(ann, toPath(id) + query)
    await service.patch(id, { title: 'Theirs' })
    return { id, answer: await sendForm(ann, mine, { title: 'Mine' }, button) }
  }

  test('“Publish” says that the talk becomes live, and offers to save it as a draft', async () => {
    const { id, answer } = await conflict(2, 'publish')
    expect(toText(answer.body)).toContain('With “Publish”, the talk becomes live. “Save as draft” leaves it a draft.')
    expect(toText(answer.body)).not.toContain('Your other changes will be saved too')
    const form = readForm(answer)
    expect(listButtons(form)).toEqual(['Save as draft', 'Publish*'])
    await sendForm(ann, form, { 'choice.title': 'yours' }, 'save')
    expect(await read(id)).toMatchObject({ title: 'Mine', state: 2 })
    expect((await listVersions(id))[0]?.changed).toEqual(['title'])
  })

  test('“Publish and next” goes on to publish, also after a choice was forgotten', async () => {
    const { id, answer } = await conflict(2, 'publish-next', '?list=state%3D2')
    expect(listButtons(readForm(answer))).toEqual(['Save as draft', 'Publish and next*', 'Publish'])
    const again = await sendForm(ann, readForm(answer), {}, 'save')
    expect(again.status).toBe(422)
    expect(listButtons(readForm(again))).toEqual(['Save as draft*', 'Publish and next', 'Publish'])
    await sendForm(ann, readForm(again), { 'choice.title': 'theirs' }, 'publish-next')
    expect(await read(id)).toMatchObject({ title: 'Theirs', state: 1 })
  })

  test('“Withdraw” says that the talk leaves the site, and offers to keep it live', async () => {
    const { id, answer } = await conflict(1, 'withdraw')
    expect(toText(answer.body)).toContain('With “Withdraw”, viewers no longer see the talk.')
    expect(listButtons(readForm(answer))).toEqual(['Save and keep live', 'Withdraw*'])
    await sendForm(ann, readForm(answer), { 'choice.title': 'yours' }, 'withdraw')
    expect(await read(id)).toMatchObject({ title: 'Mine', state: 2 })
  })

  test('“Save and next” has the buttons of a save', async () => {
    const { answer } = await conflict(2, 'next', '?list=state%3D2')
    expect(listButtons(readForm(answer))).toEqual(['Save', 'Save and next*'])
  })

  test('“Publish”, of a talk that somebody else has published, has the buttons of a save', async () => {
    const { id } = await draft({ title: 'Was' })
    const mine = await openForm(ann, toPath(id))
    await service.patch(id, { title: 'Theirs', state: 1 })
    const answer = await sendForm(ann, mine, { title: 'Mine' }, 'publish')
    expect(listButtons(readForm(answer))).toEqual(['Save*'])
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
