import { expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { openBulkPages, requireBatch, toTicked } from './bulk-pages.ts'
import { type Curator, listForms } from './curator.ts'
import { follow, toText, useEditor } from './editor-form.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const { ann, bob, draft, listVersions } = useEditor(service)

const toPath = (id: unknown) => `/edit/video/${id}/transcripts`
const toFile = (...texts: readonly string[]) =>
  `WEBVTT\n\n${texts.map((text, i) => `00:00:0${i}.000 --> 00:00:0${i + 1}.000\n${text}\n`).join('\n')}`

const upload = (curator: Curator, id: unknown, file: string, more: { readonly [name: string]: string } = {}) =>
  curator.post(toPath(id), [
    ['file', new File([file], 'talk.en.vtt')],
    ...Object.entries({ language: 'English', origin: '', tool: '', do: 'read', ...more }),
  ])

/** Sends the form of a preview. */
async function save(curator: Curator, id: unknown, { body }: RawAnswer) {
  const form = listForms(body).find(({ fields }) => fields.some(([name]) => name === 'packed')) ?? fail(toText(body))
  return curator.post(toPath(id), [...form.fields, ['do', 'save']], { token: null })
}

const readText = async (id: unknown, language = 'en') =>
  (await service.call({ method: 'GET', path: `/api/v2/video/${id}/transcripts/${language}.txt`, as: 'admin' })).body

test('a file is read, shown with what was repaired, saved, replaced, compared and deleted', async () => {
  const { id } = await draft()
  const preview = await upload(ann, id, toFile('<b>Hello</b>', 'World'), { tool: 'hand', origin: 'reviewed' })
  expect(toText(preview.body)).toContain(
    'WebVTT: English (en) By a machine, corrected by a person, hand, 2 cues, until 0:02',
  )
  expect(toText(preview.body)).toContain('Cues with tags or entities, now plain text: 1 Hello World')
  expect((await listVersions(id)).length).toBe(1)
  const saved = await follow(ann, await save(ann, id, preview))
  expect(toText(saved.body)).toContain('The transcript is saved.')
  expect(await readText(id)).toBe('Hello World\n')
  const second = await upload(ann, id, toFile('Hello', 'Mars'))
  expect(toText(second.body)).toContain('This replaces: By a machine, corrected by a person, hand')
  await save(ann, id, second)
  const compared = await ann.get(`/edit/video/${id}/compare?from=2&to=3`)
  expect(toText(compared.body)).toMatch(/Transcript \(en\) .*added: 0:01 Mars .*removed: 0:01 World/)
  expect(toText((await ann.get(`/edit/video/${id}/history`)).body)).toContain('current transcript (en)')
  expect((await ann.get(`/edit/video/${id}/history/2`)).status).toBe(200)
  const [form] = listForms((await ann.get(toPath(id))).body).filter(({ fields }) =>
    fields.some(([name]) => name === 'base'),
  )
  const gone = await ann.post(toPath(id), [...(form?.fields ?? []), ['do', 'delete']], { token: null })
  expect(toText((await follow(ann, gone)).body)).toContain('The transcript is deleted.')
})

test('a file that cannot be read is refused with line and cue', async () => {
  const { id } = await draft()
  const bad = await upload(ann, id, 'WEBVTT\n\n00:01.000 -> 00:02.000\nx')
  expect([bad.status, toText(bad.body)]).toEqual([422, expect.stringContaining('Line 3, cue 1: Must have two times')])
  const filled = { language: 'German', origin: 'translated', tool: 'by hand' }
  const again = (await upload(ann, id, 'WEBVTT', filled)).body
  for (const kept of ['value="German"', '<option value="translated" selected', 'value="by hand"'])
    expect(again).toContain(kept)
  const unnamed = await upload(ann, id, toFile('x'), { language: 'Klingonish' })
  expect([unnamed.status, toText(unnamed.body)]).toEqual([422, expect.stringContaining('Enter the language')])
  expect((await listVersions(id)).length).toBe(1)
})

test('two curators who replace the same transcript see each other', async () => {
  const { id } = await draft()
  await save(ann, id, await upload(ann, id, toFile('First')))
  const mine = await upload(ann, id, toFile('Mine'))
  await save(bob, id, await upload(bob, id, toFile('Theirs')))
  const conflict = await save(ann, id, mine)
  expect([conflict.status, toText(conflict.body)]).toEqual([
    412,
    expect.stringMatching(/somebody else has changed this transcript.*added: 0:00 Theirs.*removed: 0:00 First/),
  ])
  expect(await readText(id)).toBe('Theirs\n')
  await save(ann, id, conflict)
  expect(await readText(id)).toBe('Mine\n')
})

test('hostile text stays text on the page', async () => {
  const { id } = await draft()
  const preview = await upload(ann, id, toFile('&lt;script&gt;alert(1)&lt;/script&gt;'), { tool: '<img src=x>' })
  expect(preview.body).not.toContain('<script>alert')
  expect(preview.body).not.toContain('<img src=x')
  await save(ann, id, preview)
  for (const path of [toPath(id), `/edit/video/${id}/history`, `/edit/video/${id}/compare?from=1&to=2`])
    expect((await ann.get(path)).body).not.toContain('<script>alert')
})

test('a word is replaced in many transcripts with a preview of each line, and undone', async () => {
  const ids = [(await draft()).id, (await draft()).id, (await draft()).id]
  const others = Array.from({ length: 5 }, (_, i) => `Other line ${i}`)
  for (const id of ids.slice(0, 2)) await save(ann, id, await upload(ann, id, toFile('We use Jango', ...others)))
  await save(ann, ids[1], await upload(ann, ids[1], toFile('Mit Jango'), { language: 'German' }))
  const pages = await openBulkPages(service, 'publisher')
  const preview = await pages.preview(toTicked(ids), [
    ['said.find', 'Jango'],
    ['said.replace', 'Django'],
    ['said.language', 'English'],
  ])
  const shown = toText(preview.body)
  expect(shown).toContain('Transcripts : replace “Jango” (en) with “Django”')
  expect(shown).toMatch(/Transcript \(en\) .*added: 0:00 We use Django .*removed: 0:00 We use Jango/)
  expect(shown).not.toContain('Other line')
  const batch = requireBatch(await pages.press(preview, 'apply'))
  expect(await readText(ids[0])).toStartWith('We use Django Other')
  expect(await readText(ids[1], 'de')).toBe('Mit Jango\n')
  const page = await ann.get(`/edit/batches/${batch}`)
  expect(toText(page.body)).toContain('Transcripts: “Jango” (en) replaced with “Django” in 2 talks')
  expect(toText(page.body)).toContain('added: 0:00 We use Django')
  expect(toText(page.body)).not.toContain('Other line')
  const [form] = listForms(page.body).filter(({ action }) => action === `/edit/batches/${batch}`)
  await ann.post(`/edit/batches/${batch}`, [...(form?.fields ?? []), ['do', 'undo']], { token: null })
  expect(await readText(ids[0])).toStartWith('We use Jango Other')
  for (const [filled, problem] of [
    [[['said.replace', 'Django']], 'Transcripts: enter the words to find.'],
    [
      [
        ['said.find', 'Jango'],
        ['said.language', 'Klingonish'],
      ],
      'Transcripts: enter a language, such as “en” or “German”.',
    ],
  ] as const) {
    const refused = await pages.preview(toTicked(ids), filled)
    expect([refused.status, toText(refused.body)]).toEqual([400, expect.stringContaining(problem)])
  }
})
