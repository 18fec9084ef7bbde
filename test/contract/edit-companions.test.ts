import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { openBulkPages, requireBatch, toTicked } from './bulk-pages.ts'
import { type Curator, listForms } from './curator.ts'
import { follow, openForm, readForm, sendForm, toText, useEditor } from './editor-form.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const { ann, bob, eve, draft, read, listVersions } = useEditor(service)

const toPath = (id: unknown, page = '') => `/edit/video/${id}${page}`
const locationOf = (answer: RawAnswer) => headerOf(answer, 'Location') ?? fail(`no Location: ${answer.status}`)
const [slides, code] = ['https://example.org/slides.pdf Slides', 'https://github.com/x/y'] as const

async function save(curator: Curator, id: unknown, lines: string, page = '/related'): Promise<RawAnswer> {
  return sendForm(curator, await openForm(curator, toPath(id, page)), { 'field.lines': lines })
}

async function readLinks(id: unknown): Promise<readonly string[]> {
  const { body } = await service.call({ method: 'GET', path: `/api/v2/video/${id}/related`, as: 'admin' })
  return JSON.parse(body).links.map(({ url }: { url: string }) => url)
}

/** Presses a button of a form that leads to `action` and has a field of this name. */
async function press(
  curator: Curator,
  { body }: RawAnswer,
  action: string,
  button: readonly [string, string],
  field = 'csrf',
) {
  const form = listForms(body).find((each) => each.action === action && each.fields.some(([name]) => name === field))
  return curator.post(action, [...(form ?? fail(`no form ${action}`)).fields, button], { token: null })
}

/** A talk with the versions: title, links, another title, other links. */
async function createTalk() {
  const { id } = await draft({ title: 'Harbours' })
  await save(ann, id, slides)
  await service.patch(id, { title: 'Ports' })
  await save(ann, id, `${slides}\n${code}`)
  return id
}

describe('Versions of companions', () => {
  test('show their lines in the history, and which of them are current', async () => {
    const id = await createTalk()
    const { body } = await ann.get(toPath(id, '/history'))
    const items = body.split('<li id="version-').slice(1)
    expect(items.map((item) => /<span class="badge">(current[^<]*)<\/span>/.exec(item)?.[1] ?? null)).toEqual([
      ...['current related links', 'current', null, null],
    ])
    expect(toText(items[0] ?? '')).toMatch(/Related links .*Slides .*added: https:\/\/github\.com\/x\/y/)
    expect(toText(items[1] ?? '')).not.toContain('Related links')
    expect(items[2]).toContain('aria-label="Restore the related links of version 2"')
  })

  test('are compared as lines, together with the fields', async () => {
    const id = await createTalk()
    const all = toText((await ann.get(toPath(id, '/compare?from=1'))).body)
    expect(all).toContain('Version 1 and version 4')
    expect(all).toMatch(/Title .*Related links .*added: https:\/\/example\.org\/slides\.pdf Slides/)
    const step = toText((await ann.get(toPath(id, '/compare?from=2&to=3'))).body)
    expect(step).not.toContain('Related links')
  })

  test('are restored alone', async () => {
    const id = await createTalk()
    const path = toPath(id, '/history/2')
    const page = await eve.get(path)
    expect(toText(page.body)).toContain('Restores the related links alone')
    expect(toText(page.body)).toContain('removed: https://github.com/x/y')
    expect(locationOf(await press(eve, page, path, ['do', 'restore']))).toBe(toPath(id, '/history?restored=2'))
    expect([await readLinks(id), await read(id)]).toMatchObject([[slides.split(' ')[0]], { title: 'Ports' }])
    expect((await listVersions(id))[0]).toMatchObject({ version: 5, changed: ['related'] })
    expect(locationOf(await press(eve, page, path, ['do', 'restore']))).toBe(toPath(id, '/history?saved=unchanged'))
    expect(toText((await ann.get(path)).body)).toContain('the related links are the same as in this version')
    expect(toText((await ann.get(toPath(id, '/history/5'))).body)).toContain('This is the current version')
  })

  test('are not restored over links that the page has not shown', async () => {
    const id = await createTalk()
    const path = toPath(id, '/history/2')
    const page = await ann.get(path)
    await save(bob, id, 'https://example.org/theirs')
    const refused = await press(ann, page, path, ['do', 'restore'])
    expect(refused.status).toBe(412)
    expect(toText(refused.body)).toMatch(/The related links were changed .*added: https:\/\/example\.org\/theirs/)
    expect((await press(ann, refused, path, ['do', 'restore'])).status).toBe(303)
    expect(await readLinks(id)).toEqual(['https://example.org/slides.pdf'])
  })

  test('of a live talk are restored by publishers only', async () => {
    const { id } = await service.create()
    await save(ann, id, slides)
    await save(ann, id, '')
    const page = await eve.get(toPath(id, '/history/2'))
    expect(toText(page.body)).toContain('Only publishers may restore a version of it')
    expect(page.body).not.toContain('value="restore"')
  })

  test('are undone beside the notice of the save', async () => {
    const { id } = await draft()
    await save(ann, id, slides)
    const saved = await follow(ann, await save(ann, id, code))
    const undone = await press(ann, saved, toPath(id, '/related'), ['undo', '2'])
    expect(locationOf(undone)).toBe(toPath(id, '/related?done=restored'))
    expect(await readLinks(id)).toEqual(['https://example.org/slides.pdf'])
    expect(toText((await follow(ann, undone)).body)).toContain('Restored. Undo')
  })

  test('are listed back to the beginning, or with a link to the history', async () => {
    const { id } = await draft()
    const put = (n: number) => {
      const json = { links: [{ url: `https://example.org/${n}` }] }
      return service.call({ method: 'PUT', path: `/api/v2/video/${id}/related`, as: 'admin', json })
    }
    for (let n = 0; n < 20; n++) await put(n)
    const readEdits = async () => toText((await ann.get(toPath(id, '/related'))).body).split('Earlier changes')[1] ?? ''
    expect(await readEdits()).toMatch(/Before that 0 links Remove all/)
    await put(20)
    expect(await readEdits()).not.toContain('Before that')
    expect(await readEdits()).toContain('Earlier ones are in the history')
  })

  test('between two saves of a talk do not keep the second one from being undone', async () => {
    const { id } = await draft({ title: 'Harbours' })
    await save(ann, id, slides)
    const saved = await sendForm(ann, await openForm(ann, toPath(id)), { title: 'Ports' })
    const undone = await press(ann, await follow(ann, saved), toPath(id, '/history/3'), ['do', 'undo'])
    expect(undone.status).toBe(303)
    expect([await readLinks(id), await read(id)]).toMatchObject([
      ['https://example.org/slides.pdf'],
      { title: 'Harbours' },
    ])
  })

  test('are undone from the history, unless they were changed since', async () => {
    const { id } = await draft()
    await save(ann, id, slides)
    await save(ann, id, code)
    const history = await ann.get(toPath(id, '/history'))
    expect(history.body).toContain('aria-label="Undo what version 2 changed"')
    await ann.post(toPath(id, '/history/2'), [['do', 'undo']])
    expect(await readLinks(id)).toEqual([code])
    await ann.post(toPath(id, '/history/3'), [['do', 'undo']])
    expect(await readLinks(id)).toEqual(['https://example.org/slides.pdf'])
  })
})

describe('A save of links that others have changed since', () => {
  const [paper, notes] = ['https://example.org/paper.pdf Paper', 'https://example.org/notes Notes'] as const
  const urlOf = (line: string) => line.split(' ')[0] ?? ''
  const typedIn = ({ body }: RawAnswer) =>
    toText(/<textarea id="field-lines"[^>]*>([^<]*)</.exec(body)?.[1] ?? fail('no text')).trim()

  test('keeps what both have changed if these are different links', async () => {
    const { id } = await draft()
    await save(ann, id, `${slides}\n${code}`)
    const page = await openForm(ann, toPath(id, '/related'))
    await save(bob, id, `${slides}\n${code}\n${paper}`)
    const saved = await sendForm(ann, page, { 'field.lines': `${slides} of the talk\n${notes}` })
    expect(locationOf(saved)).toBe(toPath(id, '/related?done=merged'))
    expect(await readLinks(id)).toEqual([slides, notes, paper].map(urlOf))
    const shown = await follow(ann, saved)
    expect(toText(shown.body)).toContain('Saved, together with what others have changed since. Undo')
    await press(ann, shown, toPath(id, '/related'), ['undo', '3'])
    expect(await readLinks(id)).toEqual([slides, code, paper].map(urlOf))
  })

  test('shows only the links that both have changed, and the others merged', async () => {
    const { id } = await draft()
    await save(ann, id, `${slides}\n${code}`)
    const page = await openForm(ann, toPath(id, '/related'))
    await save(bob, id, `${slides} by Bob\n${code}\n${paper}`)
    const refused = await sendForm(ann, page, { 'field.lines': `${slides} by Ann\n${notes}` })
    expect(refused.status).toBe(409)
    const text = toText(refused.body)
    expect(text).toContain('has changed the same link since you opened it.')
    expect(text).toMatch(
      /Theirs \S+slides\.pdf Slides by Bob Yours \S+slides\.pdf Slides by Ann Before \S+slides\.pdf Slides /,
    )
    expect(typedIn(refused)).toBe(`${slides} by Ann ${notes} ${paper}`)
    const again = await sendForm(ann, readForm(refused))
    expect(locationOf(again)).toBe(toPath(id, '/related?done=saved'))
    expect(await readLinks(id)).toEqual([slides, notes, paper].map(urlOf))
  })

  test('does not overwrite them unseen after an invalid line', async () => {
    const { id } = await draft()
    const page = await openForm(ann, toPath(id, '/related'))
    await save(bob, id, paper)
    const wrong = await sendForm(ann, page, { 'field.lines': 'no address' })
    expect(wrong.status).toBe(422)
    await sendForm(ann, readForm(wrong), { 'field.lines': notes })
    expect((await readLinks(id)).toSorted()).toEqual([notes, paper].map(urlOf))
  })

  test('merges chapters by their starts', async () => {
    const { id } = await draft({ duration: 900 })
    await save(ann, id, '0:00 Hello\n5:00 Ports', '/chapters')
    const page = await openForm(ann, toPath(id, '/chapters'))
    await save(bob, id, '0:00 Hello\n5:00 Ports\n9:00 Questions', '/chapters')
    const saved = await sendForm(ann, page, { 'field.lines': '0:00 Hello\n2:00 Lights\n5:00 Ports' })
    expect(locationOf(saved)).toBe(toPath(id, '/chapters?done=merged'))
    expect(typedIn(await follow(ann, saved))).toBe('0:00 Hello 2:00 Lights 5:00 Ports 9:00 Questions')
  })
})

describe('A link of many talks', () => {
  test('is added and removed with a preview, and the batch shows it and undoes it', async () => {
    const ids = [(await draft()).id, (await draft()).id]
    await save(ann, ids[0], code)
    const pages = await openBulkPages(service, 'publisher')
    const preview = await pages.preview(toTicked(ids), [
      ['related.add', slides],
      ['related.remove', `${code} whatever it is called`],
    ])
    const shown = toText(preview.body)
    expect(shown).toContain('Related links : add “Slides”')
    expect(shown).toMatch(/removed: https:\/\/github\.com\/x\/y .*added: https:\/\/example\.org\/slides\.pdf Slides/)
    const batch = requireBatch(await pages.press(preview, 'apply'))
    expect(await readLinks(ids[0])).toEqual(['https://example.org/slides.pdf'])
    const page = await ann.get(`/edit/batches/${batch}`)
    expect(toText(page.body)).toContain('Link “Slides” added; link “https://github.com/x/y” removed in 2 talks')
    expect(toText(page.body)).toContain('added: https://example.org/slides.pdf Slides')
    const undone = await press(ann, page, `/edit/batches/${batch}`, ['do', 'undo'])
    expect(undone.status).toBe(303)
    expect([await readLinks(ids[0]), await readLinks(ids[1])]).toEqual([['https://github.com/x/y'], []])
  })

  test('without an address is reported, and kept in the form', async () => {
    const { id } = await draft()
    const pages = await openBulkPages(service, 'publisher')
    const refused = await pages.preview(toTicked([id]), [['related.add', 'Slides']])
    expect(refused.status).toBe(400)
    expect(toText(refused.body)).toContain('Related links: Line 1: It has no address')
    expect(refused.body).toMatch(/<textarea id="related\.add"[^>]*aria-invalid="true"[^>]*>\s*Slides</)
  })
})

test('Lines that nobody edits stay as they are, whatever is in them', async () => {
  const { id } = await draft({ duration: 900 })
  const path = `/api/v2/video/${id}`
  const put = (name: string, json: unknown) =>
    service.call({ method: 'PUT', path: `${path}/${name}`, as: 'admin', json })
  const chapters = [
    { start: 0, title: 'Lightning talks #2' },
    { start: 60, title: '– 4:00 in the morning', end: 90 },
    { start: 120, title: 'Ten lines [#7]' },
  ]
  const links = [
    { url: 'https://example.org/a', label: '- [code]', kind: 'other' },
    { url: 'https://example.org/b', label: 'Why: https://example.org/ –', kind: 'notes' },
  ]
  const recordings = [{ url: 'https://example.org/c', kind: 'page', note: 'dubbed (German)' }]
  for (const [name, json] of Object.entries({
    chapters: { chapters },
    related: { links },
    recordings: { recordings },
  })) {
    expect((await put(name, json)).status).toBe(200)
    const saved = await sendForm(ann, await openForm(ann, toPath(id, `/${name}`)))
    expect(locationOf(saved)).toBe(toPath(id, `/${name}?done=unchanged`))
  }
})

describe('Chapters', () => {
  const path = (id: unknown) => toPath(id, '/chapters')
  const lines = '0:00 Welcome\n2:10–7:30 Why tests lie – Grace Sample, Bo Muster\n7:35 Ten - fifteen lines - Lin Probe'

  async function readChapters(id: unknown): Promise<readonly { start: number; title: string; video?: number }[]> {
    const { body } = await service.call({ method: 'GET', path: `/api/v2/video/${id}/chapters`, as: 'admin' })
    return JSON.parse(body).chapters
  }

  test('that name a record that does not exist stay in the form', async () => {
    const { id } = await draft({ duration: 900 })
    const refused = await save(ann, id, `${lines}\n9:00 Mistyped [#999999]`, '/chapters')
    expect([refused.status, toText(refused.body)]).toEqual([422, expect.stringContaining('the id 999999')])
    expect(await readChapters(id)).toEqual([])
  })

  test('become drafts of the same event, in one batch that can be undone', async () => {
    const fields = { category: 'Lightning', language: 'German', recorded: '2026-05-28', duration: 900 }
    const [known, { id }] = [await draft(fields), await service.create(fields)]
    await save(ann, id, `${lines}\n9:00 Known already [#${known.id}]`, '/chapters')
    const page = await ann.get(path(id))
    expect(toText(page.body)).toContain('Why tests lie · Grace Sample · Bo Muster · 5:20')
    const made = await press(ann, page, path(id), ['do', 'drafts'], 'key')
    const shown = await follow(ann, made)
    expect(toText(shown.body)).toContain('3 drafts made of chapters')
    const [welcome, lies, ten, last] = await readChapters(id)
    expect(last?.video).toBe(Number(known.id))
    expect(await read(welcome?.video)).toMatchObject({
      title: 'Welcome',
      speakers: [],
      category: 'Lightning',
      state: 2,
    })
    expect(await read(lies?.video)).toMatchObject({
      ...{ title: 'Why tests lie', speakers: ['Grace Sample', 'Bo Muster'] },
      ...{ language: 'German', recorded: '2026-05-28', duration: 320 },
    })
    expect(await read(ten?.video)).toMatchObject({
      title: 'Ten - fifteen lines',
      speakers: ['Lin Probe'],
      duration: null,
    })
    expect(locationOf(await press(ann, page, path(id), ['do', 'drafts'], 'key'))).toBe(locationOf(made))
    const batch = locationOf(made).replace(/\?.*/, '')
    expect((await press(ann, shown, batch, ['do', 'undo'])).status).toBe(303)
    expect((await readChapters(id)).map(({ video }) => video)).toEqual([
      undefined,
      undefined,
      undefined,
      Number(known.id),
    ])
    expect(await read(welcome?.video)).toMatchObject({ state: 2, whiteboard: expect.stringContaining('[parked]') })
  })

  test('that somebody has changed since do not become drafts, nor do those of a live talk for an editor', async () => {
    const { id } = await draft()
    await save(ann, id, lines, '/chapters')
    const page = await ann.get(path(id))
    await save(bob, id, '0:00 Another', '/chapters')
    expect((await press(ann, page, path(id), ['do', 'drafts'], 'key')).status).toBe(409)
    expect(await readChapters(id)).toEqual([{ start: 0, title: 'Another' }])
    await service.patch(id, { state: 1 })
    const base = /name="base" value="([^"]+)"/.exec((await ann.get(path(id))).body)?.[1] ?? ''
    const sent = { base, key: crypto.randomUUID(), do: 'drafts' }
    expect((await eve.post(path(id), Object.entries(sent))).status).toBe(403)
    expect(await readChapters(id)).toEqual([{ start: 0, title: 'Another' }])
  })
})

test('The talk says how many entries its companions have, and lists find talks without them', async () => {
  const category = 'Counted companions'
  const [one, two] = [await draft({ category, language: 'German' }), await draft({ category })]
  await save(ann, one.id, `${slides}\n${code}`)
  expect(toText((await ann.get(toPath(one.id))).body)).toContain('Related links 2 (in a new tab) Other recordings (in')
  const list = await ann.get(`/edit/list?category=${encodeURIComponent(category)}&missing=slides,language`)
  expect(list.body).not.toContain(`href="/edit/video/${one.id}?`)
  expect(list.body).toContain(`href="/edit/video/${two.id}?`)
  expect(toText(list.body)).toContain('without: slides')
})
