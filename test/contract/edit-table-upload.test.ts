import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../archive/command.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { createToken, type TokenRole } from '../harness/server.ts'
import { listHidden, openBulkPages, readCounts, requireBatch } from './bulk-pages.ts'
import { createCurator, type FieldList, listForms } from './curator.ts'
import { openTable, openTableAs, tablePath as path, readTableCounts, textOf } from './edit-table-pages.ts'
import { type Fields, listPath, parseFields, useService } from './service.ts'
import { undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const open = (role?: TokenRole) => openTable(service, role)

const read = async (id: number) => parseFields(await service.read(id))

const create = async (fields: Fields) => Number((await service.create(fields)).id)

async function download(list: string): Promise<string> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf('reader'))
  return (await curator.get(`/edit/list.csv?${list}`)).body
}

/** The rows that a page shows to be corrected. */
const readPasted = ({ body }: RawAnswer) =>
  (/<textarea[^>]*>\n?([^<]*)</.exec(body)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('\r', '')

describe('A table of new talks', () => {
  test('is pasted, previewed, applied as drafts of one event, and undone', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `Talk ${i}\tAda Quill; Bo Marsh\thttps://example.org/v${i}`)
    const { curator, paste, press } = await open('editor')
    const preview = await paste(['Title\tSpeaker\tLink', ...rows].join('\n'), [['field.category', 'PyCon X']])
    expect([preview.status, readTableCounts(preview)]).toEqual([200, [30, 0, 0, 0]])
    expect(textOf(preview)).toContain('This event does not exist yet and will be created: PyCon X')
    expect(textOf(preview)).toContain('Create 30 drafts in PyCon X')
    const batch = requireBatch(await press(preview, 'apply', [['reason', 'New event']]))
    const done = textOf(await curator.get(`/edit/batches/${batch}?done=1`))
    expect([done.includes('Done: 30 drafts created.'), done.includes('Publish these')]).toEqual([true, false])
    const list = parseFields(await service.call({ method: 'GET', path: `${listPath}?category=PyCon+X`, as: 'admin' }))
    const [first] = Object(list.results)
    expect([list.count, first]).toMatchObject([
      30,
      { state: 2, speakers: ['Ada Quill', 'Bo Marsh'], category: 'PyCon X' },
    ])
    const again = await paste('Title,Link\nAgain,https://example.org/v0', [['field.category', 'PyCon X']])
    expect(readTableCounts(again)).toEqual([0, 0, 0, 1])
    expect(textOf(again)).toContain('This video is already here: talk')
    expect(readTableCounts(await press(again, 'repeat'))).toEqual([1, 0, 0, 0])
    const undone = await curator.post(`/edit/batches/${batch}`, [
      ['key', 'k'],
      ['do', 'undo'],
    ])
    const after = textOf(await curator.get(headerOf(undone, 'Location') ?? ''))
    expect(after).toContain('Undone: 30 drafts created in PyCon X from a table')
    expect(after).toContain('Undone: 30 new drafts set aside.')
    expect(after).toContain('The event PyCon X has no other talks. It is no longer listed under Names.')
    expect((await curator.get('/edit/names/category')).body).not.toContain('PyCon X')
    expect((await curator.get('/edit/names/category/pycon-x')).status).toBe(200)
  })

  test('may be a list of addresses, with titles or without', async () => {
    const { paste } = await open()
    const text =
      'https://youtu.be/aaaaaaaaaaa First talk\nhttps://files.example.org/second-talk.mp4\nhttps://youtu.be/ccccccccccc\n'
    const preview = await paste(text, [['field.category', 'Addresses']])
    expect(readTableCounts(preview)).toEqual([3, 0, 0, 0])
    for (const part of [
      'First talk',
      'Second talk',
      'youtu.be/ccccccccccc',
      'https://files.example.org/second-talk.mp4',
    ])
      expect(textOf(preview)).toContain(part)
  })

  test('marks an entry that looks like several', async () => {
    const { paste } = await open()
    const text =
      'Title\tSpeaker(s)\tTags\nOne\tAnn Lee and Bo Ek\tweb\nTwo\tAnn Lee; Bo Ek\tweb, data\nThree\tAnn Lee\tweb; data'
    const preview = textOf(await paste(text, [['field.category', 'Several']]))
    expect(preview).toContain('In 2 new talks, one speaker or tag looks like several. Separate them with a semicolon.')
    for (const entry of ['Ann Lee and Bo Ek', 'web, data']) expect(preview).toContain(`Looks like several: ${entry}`)
    expect(preview.split('Looks like several:').length - 1).toBe(2)
  })

  test('can be published at once by a publisher, after a preview', async () => {
    const here = 'field.category'
    const existing = await create({ category: 'Published', state: 2 })
    const { paste, press, curator } = await open()
    const batch = requireBatch(
      await press(await paste(`id,title\n${existing},Old\n,New 1\n,New 2`, [[here, 'Published']]), 'apply'),
    )
    const done = await curator.get(`/edit/batches/${batch}?done=1`)
    for (const part of ['Done: 2 drafts created, 1 talk changed.', 'Publish these 2 drafts …'])
      expect(textOf(done)).toContain(part)
    const bulk = await openBulkPages(service, 'publisher')
    const preview = await bulk.post([...listHidden(done).filter(([name]) => name === 'id'), ['do', 'publish']])
    expect(readCounts(preview)).toEqual({ willChange: 2, alreadySo: 0, refused: 0 })
    expect(textOf(preview)).toContain('Publish 2 talks')
    const published = requireBatch(await bulk.press(preview, 'apply'))
    const live = () => service.call({ method: 'GET', path: `${listPath}?category=Published` })
    const page = async () => textOf(await curator.get(`/edit/batches/${batch}`))
    expect(parseFields(await live()).count).toBe(2)
    expect(await read(existing)).toMatchObject({ state: 2 })
    expect(await page()).not.toContain('Publish these')
    await undo(service, published)
    expect(parseFields(await live()).count).toBe(0)
    expect(await page()).toContain('Publish these 2 drafts …')
    await undo(service, batch)
    expect(await page()).not.toContain('Publish these')
  })

  test('leaves refused rows out, says why, and returns them to be corrected', async () => {
    const { paste, press, curator } = await open()
    const event: FieldList = [['field.category', 'Left out']]
    const preview = await paste('Title\tLength\nFine\t10:00\nTabs, "x"\tan hour\n\t20:00\n', event)
    expect(readTableCounts(preview)).toEqual([1, 0, 0, 2])
    expect(textOf(preview)).toContain('2 rows are refused. Correct their cells below, or the rows on the next page.')
    const done = await press(preview, 'apply-others')
    for (const part of [
      '1 draft created in Left out from a table',
      'Done: 1 draft created, 2 rows refused.',
      '2 rows were refused',
      'Row 3 Tabs, "x" Length: Must be a length such as 39:07',
      'Refused: 2 rows',
      'Publish this draft …',
    ])
      expect(textOf(done)).toContain(part)
    expect(textOf(done)).not.toContain('Unchanged')
    expect(readPasted(done)).toBe('title\tduration\nTabs, "x"\tan hour\n\t20:00')
    const again = await press(done, 'read', [['text', 'title\tduration\nTabs, "x"\t1:00:00\nNamed\t20:00']])
    expect(readTableCounts(again)).toEqual([2, 0, 0, 0])
    const { body } = await curator.get(`/edit/batches/${requireBatch(await press(again, 'apply'))}`)
    expect(body).toContain('2 drafts created in <bdi>Left out</bdi> from a table')
  })

  test('shows refused rows to be corrected at once if there are no others', async () => {
    const { paste } = await open()
    const preview = await paste('"title"\n"a, b\nc"\n', [])
    expect([readTableCounts(preview), readPasted(preview)]).toEqual([[0, 0, 0, 1], 'title\n"a, b\nc"'])
    const again = await paste(readPasted(preview), [['field.category', 'Corrected']])
    expect(readTableCounts(again)).toEqual([1, 0, 0, 0])
  })

  test('asks what unknown columns mean, and keeps the answers', async () => {
    const { paste, press } = await open()
    const columns = await paste('What,Who,Room\nIntro,Ann,1\nOutro,Bob,2', [['field.category', 'Mapped']])
    expect(textOf(columns)).toContain('3 columns are not recognised.')
    expect(textOf(columns)).toContain('Intro · Outro')
    const chosen: FieldList = [
      ...[['heading', 'yes'] as const, ['field.category', 'Mapped'] as const],
      ...[['column.0', 'title'] as const, ['column.1', 'speakers'] as const, ['column.2', 'ignored'] as const],
    ]
    const preview = await press(columns, 'preview', chosen)
    expect(readTableCounts(preview)).toEqual([2, 0, 0, 0])
    const back = await press(preview, 'columns')
    expect(back.body).toMatch(/<select name="column.1"[^>]*>.*?<option value="speakers" selected/)
    const wrong = await press(columns, 'preview', [
      ...chosen.filter(([name]) => name !== 'column.2'),
      ['column.2', 'title'],
    ])
    expect([wrong.status, textOf(wrong)]).toEqual([
      400,
      expect.stringContaining('“Room” has the same meaning as “What”.'),
    ])
    const noHeading = await press(columns, 'preview', [
      ['heading', 'no'],
      ...chosen.filter(([name]) => name !== 'heading'),
    ])
    expect(readTableCounts(noHeading)).toEqual([3, 0, 0, 0])
  })
})

describe('A downloaded table', () => {
  test('changes nothing as it is, and two cells if two were changed', async () => {
    const hostile = { tags: ['a; b', '"q",'], summary: '=1+1', description: "'@x\r\nline\r\n", video_mp4_url: '' }
    const id = await create({ category: 'Round', ...hostile })
    await create({ category: 'Round' })
    const csv = await download('category=round')
    const { upload, press } = await open()
    expect(readTableCounts(await upload(csv))).toEqual([0, 0, 2, 0])
    const changed = csv
      .replace('"=1+1"', '"unused"')
      .replace(`"'=1+1"`, '"Better"')
      .replace('"a\\; b; ', '"c; a\\; b; ')
    const preview = await upload(changed)
    expect(readTableCounts(preview)).toEqual([0, 1, 1, 0])
    const batch = requireBatch(await press(preview, 'apply'))
    expect(await read(id)).toMatchObject({ ...hostile, summary: 'Better', tags: ['c', ...hostile.tags] })
    await undo(service, batch)
    expect(await read(id)).toMatchObject(hostile)
  })

  test('refuses what others have changed since, and shows all sides', async () => {
    const id = await create({ category: 'Stale', title: 'Base title' })
    const csv = (await download('category=stale')).replace('"Base title"', '"My title"')
    await service.patch(id, { title: 'Their title' })
    const { upload } = await open()
    const preview = await upload(csv)
    expect(readTableCounts(preview)).toEqual([0, 0, 0, 1])
    for (const side of ['Your table: My title', 'Now: Their title', 'When you downloaded it: Base title'])
      expect(textOf(preview)).toContain(side)
    expect(preview.body).not.toContain('value="apply"')
  })

  test('never overwrites what changes between preview and upload', async () => {
    const id = await create({ category: 'Between', title: 'Old' })
    const { paste, press } = await open()
    const preview = await paste(`id,title\n${id},Mine`)
    expect(textOf(preview)).toContain('1 row without “updated” replaces what the talks have now.')
    await service.patch(id, { title: 'Newer' })
    const again = await press(preview, 'apply')
    expect([again.status, textOf(again)]).toEqual([409, expect.stringContaining('have been changed since the preview')])
    expect(await read(id)).toMatchObject({ title: 'Newer' })
    requireBatch(await press(again, 'apply'))
  })

  test('shows every row by pages, refused ones first', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `,Row of ${i},${i === 119 ? 'x' : ''}`)
    const { paste, press } = await open()
    const first = await paste(['id,title,duration', ...rows].join('\n'), [['field.category', 'Paged']])
    expect(textOf(first)).toContain('1 to 50 of 120')
    expect(textOf(first)).toContain('Length: Must be a length such as 39:07')
    expect(textOf(first)).toContain('Row of 119')
    const last = await press(await press(first, 'page-50'), 'page-100')
    expect(textOf(last)).toContain('101 to 120 of 120')
    expect(textOf(last)).toContain('Row of 118')
  })
})

test('More than 200 talks need their number', async () => {
  const text = ['title,event', ...Array.from({ length: 201 }, (_, i) => `Many ${i},Many`)].join('\n')
  const { paste, press } = await open()
  const preview = await paste(text)
  const unconfirmed = await press(preview, 'apply')
  expect([unconfirmed.status, textOf(unconfirmed)]).toEqual([200, expect.stringContaining('Type 201 to confirm.')])
  requireBatch(await press(unconfirmed, 'apply', [['talk_count', '201']]))
})

describe('A table that is', () => {
  /** What it is, the file, and what the page says. */
  const wrong: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['empty', ' ', 'has no rows'],
    ['a heading alone', 'title,event\n', 'has no rows'],
    ['broken', 'title\n"x', 'Row 2, column 1: The closing quotation mark is missing.'],
    ['binary', 'title\n\0', 'NUL'],
    ['a workbook', 'PK\x03\x04', 'save it as CSV'],
    ['one line of 10 MiB', ','.repeat(10 * 1024 * 1024), 'has more than 100 columns'],
    [
      'one cell of 10 MiB',
      `title\n${'x'.repeat(10 * 1024 * 1024 - 6)}`,
      'column 1: The cell is longer than any field.',
    ],
    ['in UTF-16 without its mark', Buffer.from('title\nx', 'utf16le'), 'NUL'],
    ['larger than 10 MiB', 'x'.repeat(10 * 1024 * 1024 + 1), 'larger than 10 MiB'],
    ['longer than 10,000 rows', `title\n${'x\n'.repeat(10_001)}`, 'more than 10,000 rows'],
  ]
  test.each(wrong)('%s is refused', async (_, file, text) => {
    const { upload } = await open()
    const page = await upload(file)
    expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining(text)])
  })

  test('far too large is refused before it is read', async () => {
    const { upload } = await open()
    expect((await upload('x'.repeat(17 * 1024 * 1024))).status).toBe(413)
  }, 180_000)

  /** What it is, the file, and the title of its talk. */
  const odd: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['of a spreadsheet with semicolons', '\ufefftitle;event\r\n"Grüße; ""x""";Odd\r\n', 'Grüße; "x"'],
    ['with a line for Excel', 'sep=;\r\ntitle;event\r\nOne, two;Odd\r\n', 'One, two'],
    ['in UTF-16', Buffer.from('\ufefftitle\tevent\r\nÅ ｡\tOdd\r\n', 'utf16le'), 'Å ｡'],
    [
      'of formulas',
      'title,event\n"=HYPERLINK(""https://example.org"",""x"")",Odd\n',
      '=HYPERLINK("https://example.org","x")',
    ],
    ['of markup', 'title,event\n<script>alert(1)</script>,Odd\n', '<script>alert(1)</script>'],
  ]
  test.each(odd)('%s is taken as text', async (_, file, title) => {
    const { upload, press } = await open()
    const page = await upload(file)
    expect(textOf(page)).toContain(title)
    const batch = requireBatch(await press(page, 'apply'))
    const path = `${listPath}?category=Odd&ordering=-id`
    const { results } = parseFields(await service.call({ method: 'GET', path, as: 'admin' }))
    expect(Object(results)[0]).toMatchObject({ title })
    await undo(service, batch)
  })

  test('in Windows-1252 is read, and the page says so', async () => {
    const { upload } = await open()
    const page = await upload(Buffer.from('title;event\nGr\xfc\xdfe;Accents', 'latin1'))
    expect(textOf(page)).toContain('Grüße')
    expect(textOf(page)).toContain('It was read as Western European (Windows-1252)')
  })

  test('in another old encoding is read again in the one that a person chooses', async () => {
    const { upload, press } = await open()
    const bytes = [...Buffer.from('title;event\n'), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, ...Buffer.from(';Letters')]
    const page = await upload(Uint8Array.from(bytes))
    expect(textOf(page)).toContain('Ïðèâåò')
    const again = await press(page, 'encoding', [['encoding', 'windows-1251']])
    expect(textOf(again)).toContain('Привет')
    const { curator } = await open()
    const batch = requireBatch(await press(again, 'apply', [['encoding', 'shift_jis']]))
    expect(textOf(await curator.get(`/edit/batches/${batch}`))).toContain('Привет')
  })

  test('tampered with on its way is refused', async () => {
    const { curator } = await open()
    for (const table of ['', 'x', Bun.gzipSync(Buffer.alloc(40_000_000, 44)).toBase64()]) {
      const page = await curator.post(path, [
        ['table', table],
        ['do', 'apply'],
      ])
      expect([page.status, textOf(page)]).toEqual([
        400,
        expect.stringContaining(table.length > 9 ? '' : 'did not arrive completely'),
      ])
    }
  })

  test('not previewed changes nothing', async () => {
    const { paste, press } = await open()
    const page = await paste('title,event\nNot seen,Unseen')
    const hidden = listForms(page.body).find(({ action }) => action.endsWith(path))?.fields ?? []
    const { curator } = await open()
    const bare = hidden.filter(([name]) => !['as_of', 'key', 'csrf'].includes(name))
    const answer = await curator.post(path, [...bare, ['do', 'apply']])
    expect([answer.status, readTableCounts(answer)]).toEqual([409, [1, 0, 0, 0]])
    requireBatch(await press(page, 'apply'))
  })
})

/** Where the changes of the archive end. */
async function findNewest(): Promise<unknown> {
  const answer = await service.call({ method: 'GET', path: '/api/v2/changes?since=0&limit=1000', as: 'admin' })
  return parseFields(answer).next
}

async function expectNothing(send: () => Promise<RawAnswer>): Promise<void> {
  const before = await findNewest()
  const answer = await send()
  expect([answer.status, textOf(answer)]).toEqual([403, expect.stringContaining('Nothing was changed.')])
  expect(await findNewest()).toEqual(before)
}

describe('What a caller may not change is refused, and nothing is changed:', () => {
  test('by an editor, a live talk; by anybody, one that does not exist or was erased', async () => {
    const [live, draft, erased] = [await create({ state: 1 }), await create({ state: 2 }), await create({ state: 2 })]
    await runRostrum('purge', String(erased), '--yes', '--db', service.server().db)
    const { paste, force } = await open('editor')
    const page = await paste(`id,title\n${live},X\n${draft},Y\n99999999,Z\n${erased},A`)
    expect(readTableCounts(page)).toEqual([0, 1, 0, 3])
    const texts = ['Only publishers may change a live talk', 'This talk does not exist.', 'permanently erased']
    for (const text of texts) expect(textOf(page)).toContain(text)
    await expectNothing(() => force(page, 'apply'))
    expect(await read(draft)).not.toMatchObject({ title: 'Y' })
  })

  test('by a reader, anything', async () => {
    const reader = createCurator(service)
    await reader.signIn(service.keyOf('reader'))
    const answer = await reader.post(path, [
      ['text', 'title\nx'],
      ['do', 'read'],
    ])
    expect([(await reader.get(path)).status, answer.status]).toEqual([403, 403])
  })

  test('by a token that is limited to events, talks of others, moves to others, and new talks there', async () => {
    const [own, moved] = [await create({ category: 'Own Days' }), await create({ category: 'Own Days' })]
    const other = await create({ category: 'Other Days' })
    const key = await createToken(service.server(), 'tina', 'publisher', '--events', 'own-days')
    const { paste, press, force } = await openTableAs(service, key)
    const rows = [`${own},Mine,Own Days`, `${moved},Moved,Other Days`, `${other},Theirs,Other Days`]
    const created = [',New,Own Days', ',New,Other Days', ',New,No Such Days']
    const page = await paste(['id,title,event', ...rows, ...created].join('\n'))
    expect(readTableCounts(page)).toEqual([1, 1, 0, 4])
    expect(textOf(page).split('Your token is limited to other events.').length - 1).toBe(4)
    await expectNothing(() => force(page, 'apply'))
    expect((await press(page, 'apply-others')).status).toBe(200)
    expect(await read(own)).toMatchObject({ title: 'Mine' })
    expect(await read(moved)).not.toMatchObject({ title: 'Moved' })
    expect(await read(other)).not.toMatchObject({ title: 'Theirs' })
  })
})

test('Two addresses pasted as a new talk lead to the form for several', async () => {
  const { curator } = await open()
  const both = 'https://youtu.be/aaaaaaaaaaa https://youtu.be/bbbbbbbbbbb'
  const answer = await curator.get(`/edit/new?category=PyCon+X&address=${encodeURIComponent(both)}`)
  expect(answer.status).toBe(303)
  const page = await curator.get(headerOf(answer, 'Location') ?? '')
  expect(page.body).toContain('>https://youtu.be/aaaaaaaaaaa\nhttps://youtu.be/bbbbbbbbbbb</textarea>')
})
