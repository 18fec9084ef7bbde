import { describe, expect, test } from 'bun:test'
import { submitForm } from '../edit/submit-form.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { type Curator, createCurator, type FieldList } from './curator.ts'
import { type Fields, listPath, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

async function signedIn(role: Exclude<Role, 'none' | 'wrong'> = 'editor'): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

let videos = 0
/** A video that no talk has yet. */
const toFreshId = () => `fresh${String(++videos).padStart(6, '0')}`

const paste = async (address: string, more = '', role: 'reader' | 'editor' | 'publisher' = 'editor') =>
  (await signedIn(role)).get(`/edit/new?address=${encodeURIComponent(address)}${more}`)

/** What a browser sends of the form of a new talk. */
function fill(page: RawAnswer, typed: Fields, button = 'create'): FieldList {
  const html = page.body.slice(page.body.indexOf('<form method="post" action="/edit/new"'))
  const edits = new Map(Object.entries(typed).map(([name, value]) => [`field.${name}`, String(value)]))
  const form = submitForm(html.slice(0, html.indexOf('</form>')), edits)
  const entries: [string, string][] = []
  form.forEach((value, name) => {
    if (name !== 'csrf') entries.push([name, String(value)])
  })
  return [...entries, ['do', button]]
}

const entryOf = (fields: FieldList, name: string) => fields.find(([each]) => each === name)?.[1]
const shownIn = ({ body }: RawAnswer, name: string) =>
  new RegExp(`id="field-${name}"[^>]*? value="([^"]*)"`).exec(body)?.[1] ?? ''

/** The id that a redirect to the editor names. */
function idOf(answer: RawAnswer): number {
  expect(answer.status).toBe(303)
  const [, id = '0'] = /^\/edit\/video\/(\d+)\?saved=\1-0-1&unsaved=new/.exec(headerOf(answer, 'Location') ?? '') ?? []
  return Number(id)
}

async function read(id: number): Promise<Fields> {
  return JSON.parse((await service.read(id)).body)
}

async function countBy(q: string): Promise<number> {
  const { body } = await service.call({ method: 'GET', path: `${listPath}?q=${q}`, as: 'admin' })
  return JSON.parse(body).count
}

describe('An address that we have', () => {
  const id = 'knownknown1'
  const forms = [
    `https://youtu.be/${id}`,
    `http://www.youtube.com/watch?v=${id}&feature=share`,
    `  https://m.youtube.com/watch?v=${id}\n`,
    `https://www.youtube-nocookie.com/embed/${id}`,
    `https://youtu.be/${id}?t=1m30s`,
  ]

  test('leads to the talk, drafts too, in any form of the address', async () => {
    await service.create({
      title: 'A known & draft talk',
      state: 2,
      source_url: `https://www.youtube.com/watch?v=${id}`,
    })
    for (const address of forms) {
      const { status, body } = await paste(address)
      expect(status).toBe(200)
      expect(body).toContain('This video is already here')
      expect(body).toMatch(/<a href="\/edit\/video\/\d+"[^>]*>A known &amp; draft talk<\/a>/)
      expect(body.includes('id="record-form"')).toBe(false)
    }
  })

  test('can be used for a new talk anyway', async () => {
    const { body } = await paste(forms[0] ?? '')
    const [, link = ''] = /class="button quiet" href="([^"]+)"/.exec(body) ?? []
    const page = await (await signedIn()).get(link.replaceAll('&amp;', '&'))
    expect(shownIn(page, 'source_url')).toBe(`https://www.youtube.com/watch?v=${id}`)
    const form = fill(page, { title: 'The second half', category: 'Pond' })
    expect(await read(idOf(await (await signedIn()).post('/edit/new', form)))).toMatchObject({
      title: 'The second half',
    })
  })

  test('is found among files, and with the other scheme', async () => {
    const file = 'http://media.example.org/known-talk.webm'
    const page = 'https://other.example.org/talks/7'
    await service.create({ title: 'Kept in files', video_webm_url: file, source_url: page })
    for (const address of [file, file.replace('http:', 'https:'), page, page.replace('https:', 'http:')]) {
      expect((await paste(address)).body).toContain('>Kept in files</a>')
    }
  })

  test('is shown to readers, without a form', async () => {
    const known = await paste(forms[0] ?? '', '', 'reader')
    expect(known.body).toContain('This video is already here')
    expect(known.body.includes('anyway=1')).toBe(false)
    const unknown = await paste(`https://youtu.be/${toFreshId()}`, '', 'reader')
    expect([unknown.status, unknown.body.includes('id="record-form"')]).toEqual([200, false])
    expect(unknown.body).toContain('This video is not here yet.')
  })

  test('that somebody else has added meanwhile is reported once', async () => {
    const source = `https://www.youtube.com/watch?v=${toFreshId()}`
    const curator = await signedIn()
    const page = await paste(source)
    await service.create({ title: 'Faster', source_url: source })
    const first = await curator.post('/edit/new', fill(page, { title: 'Slower racer', category: 'Pond' }))
    expect(first.status).toBe(409)
    expect(first.body).toContain('>Faster</a>')
    expect(shownIn(first, 'title')).toBe('Slower racer')
    expect(await countBy('Slower')).toBe(0)
    expect(await read(idOf(await curator.post('/edit/new', fill(first, {}))))).toMatchObject({ title: 'Slower racer' })
  })
})

describe('An address that we do not have', () => {
  test('fills in the form, with the event that the address of the page names', async () => {
    await service.create({ category: 'Harbour Days 2024' })
    const video = toFreshId()
    for (const category of ['harbour-days-2024', 'Harbour+Days+2024']) {
      const page = await paste(`https://youtu.be/${video}?t=1m`, `&category=${category}`)
      expect(page.status).toBe(200)
      expect(shownIn(page, 'source_url')).toBe(`https://www.youtube.com/watch?v=${video}&amp;t=60`)
      expect(shownIn(page, 'category')).toBe('Harbour Days 2024')
    }
    const other = await paste(`https://youtu.be/${video}`, '&category=no-such-event')
    expect(shownIn(other, 'category')).toBe('')
    expect(shownIn(other, 'thumbnail_url')).toBe(`https://i.ytimg.com/vi/${video}/hqdefault.jpg`)
  })

  test('is reported as a playlist at once, and can be used anyway', async () => {
    const playlist = 'https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa'
    const page = await paste(playlist)
    expect([page.status, page.body.includes('leads to a playlist or channel')]).toEqual([400, true])
    expect(page.body).toContain('Use this address anyway')
    expect(shownIn(await paste(playlist, '&anyway=1'), 'source_url')).toBe(playlist)
  })

  test('becomes a draft, and for publishers a live talk', async () => {
    const source = () => paste(`https://youtu.be/${toFreshId()}`, '', 'publisher')
    const typed = { title: 'Newly made', category: 'Pond', speakers: 'Ada\nBen', duration: '1:00' }
    const editor = await signedIn()
    const created = await editor.post('/edit/new', fill(await source(), typed))
    const draft = idOf(created)
    expect((await editor.get(headerOf(created, 'Location') ?? '')).body).toContain('Saved as version 1.')
    expect(await read(draft)).toMatchObject({ state: 2, speakers: ['Ada', 'Ben'], duration: 60 })
    const publisher = await signedIn('publisher')
    const live = idOf(await publisher.post('/edit/new', fill(await source(), typed, 'publish')))
    expect(await read(live)).toMatchObject({ state: 1 })
    const refused = await editor.post('/edit/new', fill(await source(), typed, 'publish'))
    expect([refused.status, shownIn(refused, 'title')]).toEqual([403, 'Newly made'])
    expect(refused.body).toContain('Your role does not let you publish.')
  })

  test('of a file fills in the file and a title', async () => {
    const page = await paste('https://media.example.org/2024/tides-of_the%20sea.mp4')
    expect([shownIn(page, 'title'), shownIn(page, 'source_url')]).toEqual(['Tides of the sea', ''])
    expect(shownIn(page, 'video_mp4_url')).toBe('https://media.example.org/2024/tides-of_the%20sea.mp4')
  })

  test('keeps the reason in the history', async () => {
    const form = fill(await paste(`https://youtu.be/${toFreshId()}`), { title: 'Why', category: 'Pond' })
    const reasoned = form.map(([name, value]) => [name, name === 'reason' ? 'because' : value] as const)
    const id = idOf(await (await signedIn()).post('/edit/new', reasoned))
    const { body } = await service.call({ method: 'GET', path: `${listPath}/${id}/history`, as: 'admin' })
    expect(body).toContain('"reason":"because"')
  })
})

describe('Create and next', () => {
  const typed = {
    title: 'First of many',
    category: 'Harbour Nights',
    recorded: '2024-05-31',
    language: 'German',
    tags: 'sea\ntides',
  }

  test('keeps event, day, language and tags, and asks for the next address', async () => {
    const curator = await signedIn()
    const answer = await curator.post('/edit/new', fill(await paste(`https://youtu.be/${toFreshId()}`), typed, 'next'))
    const location = headerOf(answer, 'Location') ?? ''
    expect([answer.status, location.startsWith('/edit/new?')]).toEqual([303, true])
    const step = await curator.get(location)
    expect(step.body).toMatch(/Saved: <a href="\/edit\/video\/\d+"><bdi>First of many/)
    const hidden = [...step.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const kept = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
    const form = await paste(`https://youtu.be/${toFreshId()}`, `&${kept}`)
    const shown = ['title', 'category', 'recorded', 'language'].map((name) => shownIn(form, name))
    expect(shown).toEqual(['', 'Harbour Nights', '2024-05-31', 'German'])
    expect(form.body).toContain('>sea\ntides</textarea>')
    expect(form.body).toMatch(/<input[^>]*id="field-title"[^>]* autofocus/)
  })

  test('continues with an empty form if there was no address, and keeps no more than a URL can hold', async () => {
    const curator = await signedIn()
    const many = Array.from({ length: 100 }, (_, i) => `a rather long tag number ${i}`).join('\n')
    const blank = await curator.get('/edit/new?blank=1')
    const answer = await curator.post('/edit/new', fill(blank, { ...typed, tags: many }, 'next'))
    const next = await curator.get(headerOf(answer, 'Location') ?? '')
    expect([next.status, shownIn(next, 'category'), shownIn(next, 'title')]).toEqual([200, 'Harbour Nights', ''])
    expect(next.body).not.toContain('a rather long tag number 7</textarea>')
  })

  test('is one link away at the event and after a talk was created', async () => {
    const curator = await signedIn()
    const answer = await curator.post('/edit/new', fill(await curator.get('/edit/new?blank=1'), typed))
    const editor = await curator.get(headerOf(answer, 'Location') ?? '')
    expect(editor.body).toContain(
      '<a href="/edit/new?category=Harbour+Nights">New talk in <bdi>Harbour Nights</bdi></a>',
    )
    const event = await curator.get('/edit/names/category/harbour-nights')
    expect(event.body).toContain('<a href="/edit/new?category=harbour-nights">New talk</a>')
  })

  test('takes hostile values as text', async () => {
    const hostile = '"><script>x</script>'
    const page = await paste(
      `https://youtu.be/${toFreshId()}`,
      `&tags=${encodeURIComponent(hostile)}&recorded=${encodeURIComponent(hostile)}&language=x`,
    )
    expect([page.status, page.body.includes(hostile)]).toEqual([200, false])
  })
})

describe('A form', () => {
  test('that is sent twice makes one talk', async () => {
    const curator = await signedIn()
    const form = fill(await paste(`https://youtu.be/${toFreshId()}`), { title: 'Doubleclicked', category: 'Pond' })
    const answers = await Promise.all([1, 2, 3].map(() => curator.post('/edit/new', form)))
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(idOf(await curator.post('/edit/new', form))).toBe(idOf(answers[0] as RawAnswer))
    expect(await countBy('Doubleclicked')).toBe(1)
  })

  test('that was changed after it created a talk asks first, then creates another one', async () => {
    const curator = await signedIn()
    const form = fill(await paste(`https://youtu.be/${toFreshId()}`), { title: 'Tabbed one', category: 'Pond' })
    idOf(await curator.post('/edit/new', form))
    const other = form.map(([name, value]) => [name, name === 'field.title' ? 'Tabbed two' : value] as const)
    const again = await curator.post('/edit/new', other)
    expect(again.body).toContain('has already created a talk')
    expect(shownIn(again, 'title')).toBe('Tabbed two')
    const next = fill(again, {})
    expect(entryOf(next, 'key')).not.toBe(entryOf(form, 'key'))
    idOf(await curator.post('/edit/new', next))
    expect(await countBy('Tabbed')).toBe(2)
  })

  test('with mistakes is shown again, with everything in it and each mistake at its field', async () => {
    const page = await paste(`https://youtu.be/${toFreshId()}`)
    const typed = { title: ' ', summary: 'Still\nhere', duration: 'long', language: 'Klingonish', whiteboard: 'note' }
    const answer = await (await signedIn()).post('/edit/new', fill(page, typed))
    expect(answer.status).toBe(400)
    for (const id of ['title', 'category', 'duration', 'language'])
      expect(answer.body).toContain(`id="field-${id}-error"`)
    for (const text of ['>Still\nhere</textarea>', 'value="long"', 'value="Klingonish"', '>note</textarea>'])
      expect(answer.body).toContain(text)
    expect(answer.body).toContain('data-unsaved')
    expect(entryOf(fill(answer, {}), 'key')).toBe(entryOf(fill(page, {}), 'key'))
  })

  test('says that the first title determines the URL, and shows it', async () => {
    const page = await (await signedIn()).get('/edit/new?blank=1')
    expect(page.body).toContain('The web address of the talk is built from this first title and never changes')
    const again = await (await signedIn()).post('/edit/new', fill(page, { title: 'Frühe Größen', duration: 'long' }))
    expect(again.body).toContain('/fruhe-grossen')
  })

  test('can begin empty', async () => {
    const page = await (await signedIn()).get('/edit/new?blank=1')
    idOf(await (await signedIn()).post('/edit/new', fill(page, { title: 'From nothing', category: 'Pond' })))
    expect((await (await signedIn()).post('/edit/new', fill(page, {}))).status).toBe(400)
  })

  test('is not for readers', async () => {
    const form = fill(await paste(`https://youtu.be/${toFreshId()}`), { title: 'By a reader', category: 'Pond' })
    expect((await (await signedIn('reader')).post('/edit/new', form)).status).toBe(403)
    expect(await countBy('reader')).toBe(0)
  })
})

describe('A bad address', () => {
  const bad: readonly (readonly [string, string])[] = [
    ['', 'Paste the address of a video.'],
    ['   ', 'Paste the address of a video.'],
    ['javascript:alert(1)', 'An address begins with https:// or http://.'],
    ['data:text/html,<script>alert(1)</script>', 'An address begins with https:// or http://.'],
    ['youtube.com/watch?v=abc', 'Did you mean this: https://youtube.com/watch?v=abc'],
    ['Tides of the sea', 'An address has no spaces'],
    ['https://example.org/a b', 'An address has no spaces'],
    ['https://', 'A browser cannot open this address.'],
    ['https://exa mple.org/', 'An address has no spaces'],
    ['https://y\u043eutube.com/watch?v=abc', 'write it as https://xn--yutube-wqf.com/'],
    ['https://ann:secret@example.org/', 'contains a user name or password'],
    [`https://example.org/${'x'.repeat(3_000)}`, 'characters'],
    ['"><script>alert(1)</script>', 'An address begins with'],
  ]

  test.each(bad)('%j gets a clear message, and stays in the field', async (address, message) => {
    const { status, body } = await paste(address)
    expect(status).toBe(400)
    expect(body).toContain(message)
    expect(body).toContain('id="address-error"')
    expect(body.includes('<script>alert')).toBe(false)
  })

  test('of 10 kB is refused as a page', async () => {
    const answer = await paste(`https://example.org/${'x'.repeat(10_240)}`)
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([414, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('at most 8192 bytes')
  })
})
