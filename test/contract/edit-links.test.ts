import { expect, test } from 'bun:test'
import { setLinkEvidence, setLinkState } from '../harness/links.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { type FieldList, listForms } from './curator.ts'
import { toText, useEditor } from './editor-form.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'] })
const { ann, eve, read } = useEditor(service)
const path = '/edit/links'
const api = '/api/v2/links'

const locationOf = (answer: RawAnswer) => headerOf(answer, 'Location') ?? fail(`${answer.status}: ${answer.body}`)
const toUrl = (name: string) => `https://old.example.org/${name}`

async function create(title: string, state: 'gone' | 'moved', target: string | null = null): Promise<number> {
  const { id } = await service.create({ title, category: 'Quays', source_url: toUrl(title) })
  await setLinkState(service.server().db, state, [toUrl(title)], target)
  // Tells every thread.
  await service.create({ title: 'Told' })
  return Number(id)
}

/** The hidden fields of the form with this button. */
function hiddenOf({ body }: RawAnswer, button: string): FieldList {
  const form = listForms(body).find(({ fields }) => fields.some(([name]) => name === button)) ?? fail(`no ${button}`)
  return form.fields.filter(([name]) => name !== 'csrf' && name !== 'do')
}

test('Moved addresses are shown by event and host, accepted after a preview, and an undo brings them back', async () => {
  const ids = [
    await create('one', 'moved', 'https://new.example.org/one'),
    await create('two', 'moved', 'https://new.example.org/two'),
  ]
  await create('plain', 'moved', 'http://new.example.org/plain')
  const report = await ann.get(path)
  expect(toText(report.body)).toMatch(/Quays old\.example\.org moved 3/)
  const list = `${path}?category=quays&state=moved`
  const preview = await ann.post(path, [
    ['category', 'quays'],
    ['state', 'moved'],
    ['do', 'preview'],
  ])
  expect(toText(preview.body)).toContain('2 addresses of 2 talks will change')
  expect(toText(preview.body)).toContain('Not changed: 1 address whose new address has no https')
  expect(toText((await ann.get(list)).body)).toContain('Accept 3 moved addresses')
  const done = await ann.post(path, [...hiddenOf(preview, 'hash'), ['do', 'apply']])
  expect(locationOf(done)).toMatch(/^\/edit\/batches\/\d+\?done=1$/)
  for (const [i, id] of ids.entries())
    expect(await read(id)).toMatchObject({ source_url: `https://new.example.org/${i === 0 ? 'one' : 'two'}` })
  const batch = locationOf(done).split('?')[0] ?? ''
  const number = batch.split('/').at(-1)
  await service.call({ method: 'POST', path: `/api/v2/batches/${number}/undo`, as: 'admin' })
  for (const [i, id] of ids.entries())
    expect(await read(id)).toMatchObject({ source_url: toUrl(i === 0 ? 'one' : 'two') })
})

test('A preview that no longer holds is shown again', async () => {
  await create('first', 'moved', 'https://new.example.org/first')
  const preview = await ann.post(path, [['do', 'preview']])
  const later = await create('later', 'moved', 'https://new.example.org/later')
  const again = await ann.post(path, [...hiddenOf(preview, 'hash'), ['do', 'apply']])
  expect([again.status, toText(again.body)]).toMatchObject([200, expect.stringContaining('will change')])
  expect(await read(later)).toMatchObject({ source_url: toUrl('later') })
})

test('An address is marked as fine for a year, which can be undone', async () => {
  await create('fine', 'gone')
  const list = `${path}?category=quays&state=gone`
  const page = await ann.get(list)
  expect(toText(page.body)).toContain('gone since 3 February 2026')
  expect(page.body).toMatch(/href="\/edit\/video\/\d+"[^>]*>fine<\/a>/)
  expect(page.body).toContain(`https://web.archive.org/web/${toUrl('fine')}`)
  const done = await ann.post(path, [
    ['category', 'quays'],
    ['state', 'gone'],
    ['url', toUrl('fine')],
    ['do', 'fine'],
  ])
  const shown = await ann.get(locationOf(done))
  expect(toText(shown.body)).toContain('is marked as fine for a year')
  expect(toText(shown.body)).toContain('No dead or moved addresses')
  await ann.post(path, [...hiddenOf(shown, 'url'), ['do', 'ask']])
  expect(toText((await ann.get(`${path}?category=quays&state=unknown`)).body)).toContain(toUrl('fine'))
})

test('Editors see the addresses, and change none', async () => {
  await create('seen', 'gone')
  expect((await eve.get(`${path}?state=gone`)).body).not.toContain('It is fine')
  expect((await eve.post(path, [['do', 'preview']])).status).toBe(403)
})

test('The overview counts the addresses that the list behind it shows', async () => {
  const { id } = await service.create({
    category: 'Piers',
    source_url: toUrl('pier'),
    thumbnail_url: toUrl('pier.jpg'),
  })
  await setLinkState(service.server().db, 'moved', [toUrl('pier.jpg')], 'https://new.example.org/pier.jpg')
  await create('twice', 'gone')
  const answer = await service.call({
    method: 'GET',
    path: `${api}?state=gone,moved,private,not_embeddable`,
    as: 'admin',
  })
  const { count } = JSON.parse(answer.body) as { count: number }
  expect(toText((await ann.get('/edit')).body)).toContain(`Dead and moved addresses, by event and host ${count}`)
  const editor = toText((await ann.get(`/edit/video/${id}`)).body)
  expect(editor).toContain('Last check: moved since 3 February 2026, now at https://new.example.org/pier.jpg')
})

test('What hosts answer is text on every page', async () => {
  const attack = '"><script>alert(1)</script>'
  const id = await create('attacked', 'moved', `https://new.example.org/${attack}`)
  const bad = await create('bad', 'moved', 'javascript:alert(1)')
  const { db } = service.server()
  await setLinkEvidence(db, toUrl('attacked'), attack)
  await service.create({ title: 'Told' })
  for (const page of [`${path}?category=quays`, `/edit/video/${id}`, `/edit/video/${bad}`, path, '/edit']) {
    const { body } = await ann.get(page)
    expect([page, body]).toEqual([page, expect.not.stringContaining(attack)])
    expect([page, body]).toEqual([page, expect.not.stringContaining('href="javascript:')])
  }
  const preview = await ann.post(path, [['do', 'preview']])
  expect(preview.body).not.toContain(attack)
  expect(preview.body).not.toContain('javascript:')
})
