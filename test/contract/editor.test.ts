import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { listForms } from './curator.ts'
import { follow, openForm, readForm, sendForm, toEditor as toPath, toText, useEditor } from './editor-form.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ann, draft, read, listVersions } = useEditor(service)

const listAutofocused = (html: string) =>
  [...html.matchAll(/<[a-z]+ [^>]*\bautofocus\b[^>]*>/g)].map(([tag]) => /\bid="([^"]*)"/.exec(tag)?.[1])

/** Presses Undo in the notice after a save. */
function undo(html: string) {
  const form = listForms(html).find(({ action }) => action.includes('/history/')) ?? fail(`No undo in ${html}`)
  return ann.post(form.action, [...form.fields, ['do', 'undo']], { token: null })
}

describe('The editor', () => {
  test('shows the talk, its state, its version, its pages and what needs work', async () => {
    const { id } = await draft({ title: 'Tides & moons' })
    const { body } = await ann.get(toPath(id))
    const text = toText(body)
    for (const part of ['Tides & moons', 'Draft', 'Version 1', 'by ROSTRUM_ADMIN_TOKEN', 'There is no tag'])
      expect(text).toContain(part)
    expect(body).toContain('href="#field-tags"')
    expect(body).toContain(`href="/edit/video/${id}/history"`)
    expect(body).toContain(`href="/edit/video/${id}/preview"`)
    expect(body).not.toContain(`href="/video/${id}`)
  })

  test('says beside every whiteboard who can read it', async () => {
    const { id, slug, category } = await service.create({ whiteboard: 'was', category: 'Noted' })
    const [mine, note] = [await openForm(ann, toPath(id)), 'Anyone can read this through the API.']
    const forms = [
      toPath(id),
      '/edit/new?blank=1',
      `/edit/bulk?id=${id}`,
      '/edit/names/category/noted',
      '/edit/new-category',
    ]
    for (const path of forms) expect([path, (await ann.get(path)).body.split(note).length]).toEqual([path, 2])
    await service.patch(id, { whiteboard: 'theirs' })
    const conflict = await sendForm(ann, mine, { whiteboard: 'mine' })
    expect([conflict.status, conflict.body.includes(note)]).toEqual([409, true])
    const page = await ann.get(`/video/${id}/${slug}`)
    expect([page.status, page.body.includes('theirs'), String(category)]).toEqual([200, false, 'Noted'])
  })

  test('says that the address of a draft keeps the words of its first title', async () => {
    const { id, slug } = await draft({ title: 'Layoffs at Acme' })
    const { id: second } = await draft({ title: 'Layoffs at Acme' })
    const hint = `keeps words from its original title: “${slug}”`
    for (const same of [id, second]) expect((await ann.get(toPath(same))).body).not.toContain('first title')
    await service.patch(id, { title: 'News of Acme' })
    expect(toText((await ann.get(toPath(id))).body)).toContain(hint)
    await service.patch(id, { state: 1 })
    expect((await ann.get(toPath(id))).body).not.toContain('first title')
  })

  test('shows characters of titles and names that nobody can see, in the form and among the changes', async () => {
    const { id } = await draft({ title: 'Ti\u200bdes', speakers: ['Ann \u202eeeL'], summary: 'a\u200bb' })
    const text = toText((await ann.get(toPath(id))).body)
    expect(text).toContain('Contains a character that nobody can see (U+200B): Ti⟨U+200B⟩des')
    expect(text).toContain('Ann ⟨U+202E⟩eeL')
    expect(text).not.toContain('a⟨U+200B⟩b')
    await service.patch(id, { speakers: ['Ann Lee'] })
    expect(toText((await ann.get(`${toPath(id)}/history`)).body)).toContain('Ann ⟨U+202E⟩eeL')
    expect(await read(id)).toMatchObject({ title: 'Ti\u200bdes' })
    const { id: joined } = await draft({ title: 'می\u200cخواهم 👩\u200d💻' })
    expect(toText((await ann.get(toPath(joined))).body)).not.toContain('nobody can see')
  })

  test('asks for a missing length as its field takes it', async () => {
    const { id } = await draft()
    expect(toText((await ann.get(toPath(id))).body)).toContain('Type it as minutes and seconds, such as 39:07.')
  })

  test('links to the public page and the JSON of a live talk', async () => {
    const { id, slug } = await service.create()
    const { body } = await ann.get(toPath(id))
    expect(body).toContain(`href="/video/${id}/${slug}"`)
    expect(body).toContain(`href="/api/v2/video/${id}?format=json"`)
  })

  test('makes no version if nobody changes anything', async () => {
    const { id } = await draft({ summary: 'one\r\ntwo\r', title: 'Kept' })
    const answer = await sendForm(ann, await openForm(ann, toPath(id)))
    expect(headerOf(answer, 'Location')).toBe(`/edit/video/${id}?unchanged=${id}`)
    expect(toText((await follow(ann, answer)).body)).toContain('There were no changes to save.')
    expect((await listVersions(id)).length).toBe(1)
  })

  test('saves what was typed, with the reason, and says so', async () => {
    const { id } = await draft()
    const answer = await sendForm(ann, await openForm(ann, toPath(id)), { title: 'Better', reason: 'typo' })
    const { body } = await follow(ann, answer)
    expect(toText(body)).toContain('Saved as version 2.')
    expect(body).toContain(`data-saved="video-${id} video-${id}-conflict"`)
    expect(await listVersions(id)).toMatchObject([
      { version: 2, by: 'the publisher', reason: 'typo', changed: ['title'] },
      { version: 1 },
    ])
  })

  test('publishes and saves in one version, and withdraws', async () => {
    const { id } = await draft()
    const published = await sendForm(ann, await openForm(ann, toPath(id)), { title: 'Public now' }, 'publish')
    expect(toText((await follow(ann, published)).body)).toContain('Published as version 2.')
    expect(await read(id)).toMatchObject({ title: 'Public now', state: 1 })
    const withdrawn = await sendForm(ann, await openForm(ann, toPath(id)), {}, 'withdraw')
    expect(toText((await follow(ann, withdrawn)).body)).toContain('Withdrawn as version 3.')
    expect(await read(id)).toMatchObject({ state: 2 })
    expect((await listVersions(id)).map(({ changed }) => [...changed].sort())).toMatchObject([
      ['state'],
      ['state', 'title'],
      expect.any(Array),
    ])
  })

  test('undoes any save right there, but not the first version', async () => {
    const { id } = await draft({ title: 'Back' })
    const press = async (button: string, typed = {}) =>
      (await follow(ann, await sendForm(ann, await openForm(ann, toPath(id)), typed, button))).body
    const published = await press('publish', { title: 'Out' })
    expect(toText(published)).toContain('Published as version 2. Undo')
    const undone = await undo(published)
    expect(await read(id)).toMatchObject({ title: 'Back', state: 2 })
    expect(headerOf(undone, 'Location')).toStartWith(`${toPath(id)}?`)
    expect(toText((await follow(ann, undone)).body)).toContain('Undone as version 3. Undo')
    expect(headerOf(await undo(published), 'Location')).toBe(`${toPath(id)}?unchanged=${id}&undone=2`)
    const saved = await press('save', { title: 'Saved too soon' })
    expect(toText(saved)).toContain('Saved as version 4. Undo')
    await undo(saved)
    expect(await read(id)).toMatchObject({ title: 'Back', state: 2 })
    await press('save', { title: 'Saved only' })
    await press('publish')
    const withdrawn = await press('withdraw')
    expect(toText(withdrawn)).toMatch(/Withdrawn as version 8\. Undo/)
    await undo(withdrawn)
    expect(await read(id)).toMatchObject({ title: 'Saved only', state: 1 })
    const first = await service.create({ title: 'Live from the start' })
    expect((await ann.get(`${toPath(first.id)}?saved=${first.id}-0-1`)).body).not.toContain('data-key="u"')
  })

  test('undoes what nobody has changed since a save, and names the rest', async () => {
    const { id } = await draft({ title: 'Tides', summary: 'Slow.' })
    const form = await openForm(ann, toPath(id))
    const saved = await follow(ann, await sendForm(ann, form, { title: 'Tide', summary: 'Quick.', tags: 'sea' }))
    await service.patch(id, { title: 'The tide', language: 'Dutch' })
    const undone = await follow(ann, await undo(saved.body))
    expect(toText(undone.body)).toContain('Undone as version 4.')
    expect(toText(undone.body)).toMatch(/Not undone, because it was changed since: Title \(by ROSTRUM_ADMIN_TOKEN, /)
    expect(await read(id)).toMatchObject({ title: 'The tide', summary: 'Slow.', tags: [], language: 'Dutch' })
  })

  test('undoes nothing of a save that others have replaced, and says so', async () => {
    const { id } = await draft({ title: 'Tides' })
    const saved = await follow(ann, await sendForm(ann, await openForm(ann, toPath(id)), { title: 'Tide' }))
    await service.patch(id, { title: 'The tide' })
    const { body } = await follow(ann, await undo(saved.body))
    expect(toText(body)).toMatch(/Nothing was undone\. Not undone, because it was changed since: Title/)
    expect((await listVersions(id)).length).toBe(3)
  })

  test('says nothing of a save that somebody else made, and of an old address', async () => {
    const { id } = await draft()
    await service.patch(id, { title: 'By the admin' })
    for (const flag of [`${id}-1-2`, `${id}-1-9`, 'x', `${id}-1`, `${id}-1-2-3`])
      expect((await ann.get(`${toPath(id)}?saved=${flag}`)).body).not.toContain('data-saved')
  })
})

describe('What is wrong', () => {
  test('is said at the field, and everything typed is still there', async () => {
    const { id } = await draft()
    const typed = { title: ' ', duration: 'an hour', summary: 'typed\nlines', reason: 'why <b>' }
    const answer = await sendForm(ann, await openForm(ann, toPath(id)), typed)
    expect(answer.status).toBe(422)
    expect(toText(answer.body)).toContain('Nothing is saved yet: 2 fields have errors.')
    const again = readForm(answer)
    expect(again.toFields()).toEqual(
      expect.arrayContaining([
        ['field.title', ' '],
        ['field.duration', 'an hour'],
        ['field.summary', 'typed\r\nlines'],
        ['reason', 'why <b>'],
      ]),
    )
    expect((await sendForm(ann, again, { title: 'Right', duration: '1:00' })).status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Right', duration: 60, summary: 'typed\nlines' })
  })

  test('is said of a reason, too', async () => {
    const { id } = await draft()
    const form = await openForm(ann, toPath(id))
    const answer = await sendForm(ann, form, { title: 'Typed', reason: 'x'.repeat(501) })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('href="#reason"')
    expect(answer.body).toContain('value="Typed"')
  })
})

describe('What will change', () => {
  test('is shown before it is saved', async () => {
    const { id } = await draft({ title: 'Old words' })
    const answer = await sendForm(ann, await openForm(ann, toPath(id)), { title: 'New words' }, 'review')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/<del>.*Old.*<\/del>/s)
    expect(answer.body).toMatch(/<ins>.*New.*<\/ins>/s)
    expect((await listVersions(id)).length).toBe(1)
    await sendForm(ann, readForm(answer))
    expect(await read(id)).toMatchObject({ title: 'New words' })
  })

  test('is compared with the talk as others have made it', async () => {
    const { id } = await draft({ title: 'Old' })
    const form = await openForm(ann, toPath(id))
    await service.patch(id, { title: 'Theirs' })
    const { body } = await sendForm(ann, form, { summary: 'Mine' }, 'review')
    const [, review = ''] = /<div id="review"[^>]*>(.*?)<\/dl>/s.exec(body) ?? []
    expect(toText(review)).toContain('Mine')
    expect(toText(review)).not.toContain('Theirs')
  })

  test('is not said of a form whose changes are all saved: it leads to the talk', async () => {
    const { id } = await draft({ title: 'Before' })
    const form = await openForm(ann, toPath(id))
    await sendForm(ann, form, { title: 'After' })
    // A browser sends the form again when somebody goes back to what it answered.
    const again = await sendForm(ann, form, { title: 'After' }, 'review')
    expect(headerOf(again, 'Location')).toBe(`/edit/video/${id}?unchanged=${id}`)
    const { body } = await follow(ann, again)
    expect(toText(body)).toContain('There were no changes to save')
    expect(body).toContain(`data-saved="video-${id} video-${id}-conflict"`)
    expect(body).not.toContain('data-unsaved')
  })

  test('is told to the script that asks while somebody types, also if it is nothing', async () => {
    const { id } = await draft()
    const form = await openForm(ann, toPath(id))
    const fields = form.toFields().filter(([name]) => name !== 'do')
    const { status, body } = await ann.post(`${toPath(id)}?do=review`, fields, { token: null })
    expect([status, body.includes('id="review"')]).toEqual([200, true])
  })
})

describe('A work list', () => {
  test('leads from talk to talk, and says how many it has', async () => {
    const category = 'Walked through'
    const [a, b] = [await draft({ category, title: 'A' }), await draft({ category, title: 'B' })]
    const list = 'category=walked-through&state=2&ordering=title'
    const path = `${toPath(a.id)}?list=${encodeURIComponent(list)}`
    expect(toText((await ann.get(path)).body)).toContain('1 of 2 talks')
    const answer = await sendForm(ann, await openForm(ann, path), { title: 'Z last' }, 'publish-next')
    const next = await follow(ann, answer)
    expect(headerOf(answer, 'Location')).toStartWith(`/edit/video/${b.id}?list=`)
    expect(toText(next.body)).toMatch(/1 of 1 talk .*Published: Z last Undo/)
    expect(next.body).toContain(`data-saved="video-${a.id} `)
    // The first field that needs work: there is no language.
    expect(listAutofocused(next.body)).toEqual(['field-language'])
    expect(listAutofocused((await ann.get(path)).body)).toEqual(['field-language'])
    expect(listAutofocused((await ann.get(toPath(a.id))).body)).toEqual([])
    const end = await follow(ann, await sendForm(ann, readForm(next), {}, 'next'))
    expect(listAutofocused(end.body)).toEqual([])
    expect(toText(end.body)).toContain('End of list. 1 talk is still in it.')
    expect(toText(end.body)).not.toMatch(/\d of \d talk/)
    const done = await follow(ann, await sendForm(ann, readForm(end), {}, 'publish-next'))
    expect(toText(done.body)).toContain('End of list. It is empty now.')
  })
})

test.each([
  ['an error', { title: '' }, 'save', 422],
  ['“What will change?”', { title: 'Better' }, 'review', 200],
])('What needs work, and the talks before and after, are still there after %s', async (_, typed, button, status) => {
  const category = `Around ${button}`
  const ids = []
  for (const title of ['A', 'B', 'C']) ids.push((await draft({ category, title })).id)
  const list = encodeURIComponent(`category=around-${button}&ordering=title`)
  const form = await openForm(ann, `${toPath(ids[1])}?list=${list}&from=${ids[0]}`)
  const answer = await sendForm(ann, form, typed, button)
  expect(answer.status).toBe(status)
  expect(toText(answer.body)).toMatch(/2 of 3 talks Previous Next .*What needs work Language/)
})

test('An id that never was is 404, and one that is no number', async () => {
  for (const id of ['999999', 'x', '0']) expect((await ann.get(toPath(id))).status).toBe(404)
})
