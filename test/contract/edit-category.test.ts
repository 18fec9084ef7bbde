import { beforeAll, describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { useNames } from './curated-names.ts'
import type { Curator, FieldList } from './curator.ts'
import { hiddenOf, locationOf, signInAs, textOf, valuesOf, withFields } from './name-pages.ts'
import { type Fields, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'], args: ['--threads', '1'] })
const { ask, get, toNew, readBatch, undo } = useNames(service)

let publisher: Curator
beforeAll(async () => {
  publisher = await signInAs(service, 'publisher')
})

const own = (slug: unknown) => `/edit/names/category/${slug}`

async function createEvent(
  word: string,
  fields: Fields = {},
): Promise<{ readonly title: string; readonly slug: string }> {
  const title = toNew(word)
  const made = parseFields(await ask('POST', 'category', { title, ...fields }))
  return { title, slug: String(made.slug) }
}

const readEvent = async (slug: string) => parseFields(await get(`category/${slug}`))

/** All fields of the form of an event, as a browser sends them untouched. */
function fieldsOf(page: RawAnswer): FieldList {
  const parts = [...parsePage(page.body).all('input'), ...parsePage(page.body).all('textarea')]
  const typed = parts.flatMap((part) => {
    const name = part.attribute('name') ?? ''
    const value = part.tag === 'textarea' ? part.text : (part.attribute('value') ?? '')
    return name.startsWith('field.') ? [[name, value] as const] : []
  })
  return [...hiddenOf(page, 'etag'), ...typed]
}

const problemOf = (page: RawAnswer) => parsePage(page.body).one('.edit-problem').text

describe('The form of an event', () => {
  test('saves what was changed, and nothing if nothing was', async () => {
    const { slug } = await createEvent('Saved', { description: 'Old', url: 'https://example.org/' })
    const form = fieldsOf(await publisher.get(own(slug)))
    expect(locationOf(await publisher.post(own(slug), [...form, ['do', 'save']]))).toBe(`${own(slug)}?saved=same`)
    const changed = withFields(form, { 'field.start_date': '2024-05-31', reason: 'found it', do: 'save' })
    expect(locationOf(await publisher.post(own(slug), changed))).toBe(`${own(slug)}?saved=yes`)
    expect(await readEvent(slug)).toMatchObject({
      start_date: '2024-05-31',
      description: 'Old',
      url: 'https://example.org/',
    })
    const page = textOf(await publisher.get(`${own(slug)}?saved=yes`))
    expect(page).toContain('Saved.')
    expect(page).toMatch(/Version 2 .*the publisher · found it.*First day/)
  })

  test('says what is wrong at the field, and keeps everything that was typed', async () => {
    const { slug } = await createEvent('Wrong')
    const form = fieldsOf(await publisher.get(own(slug)))
    const typed = { 'field.start_date': '31 May', 'field.url': 'nowhere', 'field.description': 'Typed', reason: 'why' }
    const answer = await publisher.post(own(slug), withFields(form, { ...typed, do: 'save' }))
    expect(parsePage(answer.body).all('.field-error')).toHaveLength(2)
    expect(valuesOf(answer, 'name', 'field.start_date')).toEqual(['31 May'])
    expect(valuesOf(answer, 'name', 'field.url')).toEqual(['nowhere'])
    expect(answer.body).toContain('>Typed</textarea>')
    expect(valuesOf(answer, 'id', 'reason')).toEqual(['why'])
  })

  test('has the last day, the place and the series, and says which day is wrong', async () => {
    const { slug } = await createEvent('Dated', { start_date: '2024-05-31' })
    const form = fieldsOf(await publisher.get(own(slug)))
    const typed = { 'field.end_date': '2024-05-30', 'field.place': 'Harbour', 'field.series': 'Dated' }
    const wrong = await publisher.post(own(slug), withFields(form, { ...typed, do: 'save' }))
    expect(parsePage(wrong.body).one('.field-error').text).toContain('May not be before')
    expect(valuesOf(wrong, 'name', 'field.place')).toEqual(['Harbour'])
    const right = withFields(fieldsOf(wrong), { 'field.end_date': '2024-06-02', do: 'save' })
    expect(locationOf(await publisher.post(own(slug), right))).toBe(`${own(slug)}?saved=yes`)
    expect(await readEvent(slug)).toMatchObject({ end_date: '2024-06-02', place: 'Harbour', series: 'Dated' })
  })

  test('asks before a new title is written to the talks', async () => {
    const { slug, title } = await createEvent('Titled')
    const { id } = await service.create({ category: title })
    const wanted = toNew('Retitled')
    const form = withFields(fieldsOf(await publisher.get(own(slug))), { 'field.title': wanted, do: 'save' })
    const asked = await publisher.post(own(slug), form)
    expect(problemOf(asked)).toContain('The new title will be written to 1 talk')
    expect(parseFields(await service.read(id)).category).toBe(title)
    const again = withFields(fieldsOf(asked), { do: 'save' })
    const location = locationOf(await publisher.post(own(slug), again))
    const batch = await readBatch()
    expect(location).toBe(`${own(slug)}?saved=yes&batch=${batch.id}`)
    expect(parseFields(await service.read(id)).category).toBe(wanted)
    expect((await publisher.get(location)).body).toContain(`href="/edit/batches/${batch.id}?done=1"`)
    await undo(batch.id)
    expect(parseFields(await service.read(id)).category).toBe(title)
  })

  test('asks once, also for a title with a line break', async () => {
    const { slug, title } = await createEvent('Two\nlines')
    const { id } = await service.create({ category: title })
    const wanted = toNew('Three\nlines')
    const changes = { 'field.title': wanted, do: 'save' }
    const asked = await publisher.post(own(slug), withFields(fieldsOf(await publisher.get(own(slug))), changes))
    expect(problemOf(asked)).toContain('The new title will be written to 1 talk')
    const again = await publisher.post(own(slug), withFields(fieldsOf(asked), changes))
    expect(locationOf(again)).toContain('saved=yes')
    expect(parseFields(await service.read(id)).category).toBe(wanted)
  })

  test('asks before a title that was chosen in a conflict, too', async () => {
    const { slug, title } = await createEvent('Title in conflict', { description: 'Base' })
    const { id } = await service.create({ category: title })
    const form = fieldsOf(await publisher.get(own(slug)))
    await ask('PATCH', `category/${slug}`, { description: 'Theirs' })
    const wanted = toNew('Title after conflict')
    const mine = { 'field.title': wanted, 'field.description': 'Mine', do: 'save' }
    const conflict = await publisher.post(own(slug), withFields(form, { ...mine, confirm: 'another title' }))
    expect(conflict.status).toBe(409)
    const choice = { 'field.description': 'Mine', 'choice.description': 'yours', reason: 'why', do: 'save' }
    const asked = await publisher.post(own(slug), withFields(hiddenOf(conflict, 'base'), choice))
    expect(problemOf(asked)).toContain('The new title will be written to 1 talk')
    expect(valuesOf(asked, 'id', 'reason')).toEqual(['why'])
    expect(parseFields(await service.read(id)).category).toBe(title)
    expect((await readEvent(slug)).description).toBe('Theirs')
    const saved = await publisher.post(own(slug), withFields(fieldsOf(asked), { do: 'save' }))
    expect(locationOf(saved)).toContain('saved=yes')
    expect(parseFields(await service.read(id)).category).toBe(wanted)
    expect(await readEvent(slug)).toMatchObject({ title: wanted, description: 'Mine' })
  })

  test('does not ask again after a conflict if the title was confirmed', async () => {
    const { slug, title } = await createEvent('Confirmed before', { description: 'Base' })
    await service.create({ category: title })
    const changes = { 'field.title': toNew('Confirmed'), 'field.description': 'Mine', do: 'save' }
    const asked = await publisher.post(own(slug), withFields(fieldsOf(await publisher.get(own(slug))), changes))
    await ask('PATCH', `category/${slug}`, { description: 'Theirs' })
    const conflict = await publisher.post(own(slug), withFields(fieldsOf(asked), { do: 'save' }))
    expect(conflict.status).toBe(409)
    const choice = { 'field.description': 'Mine', 'choice.description': 'yours', do: 'save' }
    const saved = await publisher.post(own(slug), withFields(hiddenOf(conflict, 'base'), choice))
    expect(locationOf(saved)).toContain('saved=yes')
  })

  test('says why it cannot have the title of an event that was merged into it, and offers no merge', async () => {
    const [a, b] = [await createEvent('Its own alias'), await createEvent('Its own end')]
    await ask('POST', `category/${a.slug}/merge`, { into: b.slug })
    const form = withFields(fieldsOf(await publisher.get(own(b.slug))), { 'field.title': a.title, do: 'save' })
    const answer = await publisher.post(own(b.slug), form)
    expect(answer.status).toBe(409)
    expect(problemOf(answer)).toContain('An event with this title was merged into this one. Undo that merge')
    expect(problemOf(answer)).not.toContain('Merge into')
    expect(valuesOf(answer, 'name', 'field.title')).toEqual([a.title])
  })

  test('restores a former title of the event', async () => {
    const { slug, title } = await createEvent('Former title')
    await ask('PATCH', `category/${slug}`, { title: toNew('Later title') })
    const form = withFields(fieldsOf(await publisher.get(own(slug))), { 'field.title': title, do: 'save' })
    expect(locationOf(await publisher.post(own(slug), form))).toContain('saved=yes')
    expect((await readEvent(slug)).title).toBe(title)
  })

  test('offers to merge if another event has the title', async () => {
    const [a, b] = [await createEvent('Double'), await createEvent('Taken')]
    const { id } = await service.create({ category: a.title })
    const form = withFields(fieldsOf(await publisher.get(own(a.slug))), { 'field.title': b.title, do: 'save' })
    const answer = await publisher.post(own(a.slug), form)
    expect(problemOf(answer)).toContain(`Merge into “${b.title}”`)
    const preview = await publisher.post(own(a.slug), [...hiddenOf(answer, 'into_key'), ['do', 'merge']])
    await publisher.post(own(a.slug), [...hiddenOf(preview, 'into_name'), ['do', 'merge now']])
    expect(parseFields(await service.read(id)).category).toBe(b.title)
    expect(locationOf(await publisher.get(own(a.slug)))).toBe(`${own(b.slug)}?from=${a.slug}`)
  })

  test('keeps what others changed in other fields meanwhile, and says so', async () => {
    const { slug } = await createEvent('Others')
    const form = fieldsOf(await publisher.get(own(slug)))
    await ask('PATCH', `category/${slug}`, { url: 'https://example.org/theirs' })
    const answer = await publisher.post(own(slug), withFields(form, { 'field.description': 'Mine', do: 'save' }))
    expect(locationOf(answer)).toBe(`${own(slug)}?saved=merged&since=1`)
    expect(await readEvent(slug)).toMatchObject({ url: 'https://example.org/theirs', description: 'Mine' })
    const saved = await publisher.get(locationOf(answer))
    expect(textOf(saved)).toContain(
      'Those changes are kept, and yours are added: Web page (by you in another window or session, ',
    )
    expect(saved.body).toContain(`data-saved="category-${slug} category-${slug}-conflict new-category"`)
  })

  test('of an unknown version is first compared with the current event, then saved', async () => {
    const { slug } = await createEvent('Unknown', { description: 'Theirs' })
    const form = withFields(fieldsOf(await publisher.get(own(slug))), { etag: '7-01234567', do: 'save' })
    const shown = await publisher.post(own(slug), withFields(form, { 'field.description': 'Mine', reason: 'why' }))
    expect(shown.status).toBe(409)
    expect(textOf(shown)).toContain('Check every difference before you save')
    expect(parsePage(shown.body).one('.record-diff').text).toContain('Description')
    expect(shown.body).toContain('>Mine</textarea>')
    expect(valuesOf(shown, 'id', 'reason')).toEqual(['why'])
    expect((await readEvent(slug)).description).toBe('Theirs')
    const again = await publisher.post(own(slug), withFields(fieldsOf(shown), { do: 'save' }))
    expect(locationOf(again)).toBe(`${own(slug)}?saved=yes`)
    expect((await readEvent(slug)).description).toBe('Mine')
  })

  test('keeps the unsaved text of a browser at a crafted URL that did not follow a save', async () => {
    const { title, slug } = await createEvent('Address')
    const other = await signInAs(service, 'reader')
    const page = await other.get(`${own(slug)}?saved=yes`)
    expect(textOf(page)).toContain(title)
    expect(page.body).not.toContain('data-saved')
  })

  test('opens a conflict for a field that both changed, and loses nothing', async () => {
    const { slug } = await createEvent('Contested', { description: 'Base' })
    const form = fieldsOf(await publisher.get(own(slug)))
    await ask('PATCH', `category/${slug}`, { description: 'Theirs' })
    const mine = { 'field.description': 'Mine', 'field.whiteboard': 'note', reason: 'why', do: 'save' }
    const conflict = await publisher.post(own(slug), withFields(form, mine))
    const text = textOf(conflict)
    expect(conflict.status).toBe(409)
    expect(text).toContain('The other change, by you in another window or session, ')
    expect(text).toContain('Your other changes will be saved too: Notes for curators.')
    expect(valuesOf(conflict, 'id', 'reason')).toEqual(['why'])
    const hidden = hiddenOf(conflict, 'base')
    const control = ['field.description', 'Mine'] as const
    const unanswered = await publisher.post(own(slug), [...hidden, control, ['do', 'save']])
    expect(unanswered.status).toBe(422)
    expect(textOf(unanswered)).toContain('Choose one of these.')
    const chosen = [...hidden, control, ['choice.description', 'yours'], ['do', 'save']] as const
    expect(locationOf(await publisher.post(own(slug), chosen))).toBe(`${own(slug)}?saved=yes`)
    expect(await readEvent(slug)).toMatchObject({ description: 'Mine', whiteboard: 'note' })
    // The conflict itself is older than another change now.
    await ask('PATCH', `category/${slug}`, { description: 'Theirs again' })
    const again = await publisher.post(own(slug), [
      ...hidden,
      ['field.description', 'Mine 2'],
      ['choice.description', 'edited'],
      ['do', 'save'],
    ])
    expect(textOf(again)).toContain('Theirs added: again')
    expect(textOf(again)).toContain('Mine 2')
    expect((await readEvent(slug)).description).toBe('Theirs again')
  })

  test('keeps what was chosen in a conflict that is refused', async () => {
    const [a, b] = [await createEvent('Chosen'), await createEvent('Owned')]
    const form = fieldsOf(await publisher.get(own(a.slug)))
    await ask('PATCH', `category/${a.slug}`, { title: toNew('Chosen by others') })
    const conflict = await publisher.post(own(a.slug), withFields(form, { 'field.title': b.title, do: 'save' }))
    const choice = { 'field.title': b.title, 'choice.title': 'yours', reason: 'mine', do: 'save' }
    const refused = await publisher.post(own(a.slug), withFields(hiddenOf(conflict, 'base'), choice))
    expect(problemOf(refused)).toContain(`Merge into “${b.title}”`)
    expect(valuesOf(refused, 'id', 'reason')).toEqual(['mine'])
    const chosen = parsePage(refused.body)
      .all('input')
      .filter((input) => input.attribute('checked') !== undefined)
    expect(chosen.map((input) => input.attribute('value'))).toEqual(['yours'])
    expect(hiddenOf(refused, 'base')).toContainEqual(['yours.title', b.title])
  })

  test('changes nothing of an event that was merged meanwhile', async () => {
    const [a, b] = [await createEvent('Merged away'), await createEvent('Merged into')]
    const form = fieldsOf(await publisher.get(own(a.slug)))
    await ask('POST', `category/${a.slug}/merge`, { into: b.slug })
    const answer = await publisher.post(own(a.slug), withFields(form, { 'field.description': 'Lost?', do: 'save' }))
    expect(answer.status).toBe(409)
    expect(textOf(answer)).toContain('has been merged into another')
    expect(answer.body).toContain(`href="${own(b.slug)}?from=${a.slug}"`)
    expect((await readEvent(b.slug)).description).toBe('')
  })

  test('shows what was typed for an event that was merged meanwhile, to be copied', async () => {
    const [a, b] = [await createEvent('Typed away'), await createEvent('Typed into')]
    const form = fieldsOf(await publisher.get(own(a.slug)))
    await ask('POST', `category/${a.slug}/merge`, { into: b.slug })
    const typed = { 'field.description': 'Long <b> work', reason: 'It was wrong', do: 'save' }
    const answer = await publisher.post(own(a.slug), withFields(form, typed))
    const values = parsePage(answer.body).one('.record-values')
    expect(values.text).toContain('Long <b> work')
    expect(values.text).toContain('It was wrong')
    expect(values.attribute('data-typed')).toBe(`category-${a.slug}`)
  })

  test('shows what was typed for an event that does not exist any more', async () => {
    const { slug } = await createEvent('Of another archive')
    const form = withFields(fieldsOf(await publisher.get(own(slug))), { 'field.description': 'Long work', do: 'save' })
    const answer = await publisher.post(own('of-a-restored-archive'), form)
    expect(answer.status).toBe(404)
    expect(textOf(answer)).toContain('This event no longer exists')
    expect(parsePage(answer.body).one('.record-values').text).toContain('Long work')
  })
})

describe('The merge of events', () => {
  test('shows both side by side, with the fields that are taken over', async () => {
    const a = await createEvent('Left', { description: 'From the left', url: 'https://example.org/left' })
    const b = await createEvent('Right', { description: 'Stays' })
    await service.create({ category: a.title, title: 'Talk of the left' })
    const form = hiddenOf(await publisher.get(own(a.slug)), 'tag')
    const preview = await publisher.post(own(a.slug), [...form, ['do', 'merge'], ['into', b.title]])
    expect(textOf(preview)).toContain('Talk of the left')
    expect(textOf(preview)).toContain('https://example.org/left copied')
    const done = locationOf(await publisher.post(own(a.slug), [...hiddenOf(preview, 'into_name'), ['do', 'merge now']]))
    const batch = await readBatch()
    expect(done).toBe(`/edit/batches/${batch.id}?done=1`)
    expect(await readEvent(b.slug)).toMatchObject({ url: 'https://example.org/left', description: 'Stays' })
    await undo(batch.id)
    expect(await readEvent(b.slug)).toMatchObject({ url: '' })
  })
})

describe('A new event', () => {
  const path = '/edit/new-category'

  test('is created once, however often the form is sent', async () => {
    const title = toNew('Brand new')
    const form = [...hiddenOf(await publisher.get(path), 'key'), ['field.title', title], ['field.url', '']] as const
    const first = locationOf(await publisher.post(path, [...form, ['do', 'create']]))
    expect(first).toMatch(/^\/edit\/names\/category\/[a-z0-9-]+\?saved=created$/)
    expect(locationOf(await publisher.post(path, [...form, ['do', 'create']]))).toBe(first)
    expect(textOf(await publisher.get(first))).toContain(title)
    const fresh = withFields(form, { key: 'another-key-for-this' })
    expect(problemOf(await publisher.post(path, [...fresh, ['do', 'create']]))).toContain('with this title already')
  })

  test('keeps what was typed if it is refused', async () => {
    const form = [...hiddenOf(await publisher.get(path), 'key'), ['field.title', ''], ['field.url', 'nowhere']] as const
    const answer = await publisher.post(path, [...form, ['reason', 'why'], ['do', 'create']])
    expect(parsePage(answer.body).all('.field-error')).toHaveLength(2)
    expect(valuesOf(answer, 'name', 'field.url')).toEqual(['nowhere'])
    expect(valuesOf(answer, 'id', 'reason')).toEqual(['why'])
    expect((await publisher.post(path, [['field.title', 'No key']])).status).toBe(400)
  })
})

test('the list of events has those without talks, and a way to make one for publishers', async () => {
  const { title, slug } = await createEvent('Empty')
  const list = await publisher.get(`/edit/names/category?q=${encodeURIComponent(title)}`)
  expect(list.body).toContain(`href="${own(slug)}"`)
  expect(list.body).toContain('href="/edit/new-category"')
  const reader = await signInAs(service, 'reader')
  expect((await reader.get('/edit/names/category')).body).not.toContain('new-category')
  expect((await reader.get('/edit/new-category')).status).toBe(403)
})
