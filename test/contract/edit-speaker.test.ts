import { beforeAll, expect, test } from 'bun:test'
import { parsePage } from '../site/page-tree.ts'
import { useNames } from './curated-names.ts'
import type { Curator } from './curator.ts'
import { hiddenOf, locationOf, signInAs, textOf, withFields } from './name-pages.ts'
import { parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'], args: ['--threads', '1'] })
const { ask, get, findName, toNew, createTalk } = useNames(service)

let publisher: Curator
beforeAll(async () => {
  publisher = await signInAs(service, 'publisher')
})

async function createSpeaker(word: string) {
  const name = toNew(word)
  await createTalk('speaker', [name])
  return Number((await findName('speaker', name)).id)
}

const own = (id: number) => `/edit/names/speaker/${id}`
const read = async (id: number) => parseFields(await get(`speaker/${id}`))

/** The form of the page, with what somebody types. */
async function fill(id: number, typed: Readonly<Record<string, string>>) {
  const page = await publisher.get(own(id))
  const fields = { 'field.note': '', 'field.links': '', ...typed, do: 'save' }
  return withFields(hiddenOf(page, 'etag'), fields)
}

test('the page of a speaker has a form for the note and the links, which says that it saved', async () => {
  const id = await createSpeaker('Ada')
  const form = await fill(id, { 'field.note': 'Of *lamps*', 'field.links': 'https://a.example/\nhttps://b.example/' })
  const location = locationOf(await publisher.post(own(id), form))
  expect(location).toBe(`${own(id)}?saved=yes`)
  expect(await read(id)).toMatchObject({ note: 'Of *lamps*', links: ['https://a.example/', 'https://b.example/'] })
  const page = await publisher.get(location)
  expect(textOf(page)).toContain('Saved.')
  expect(page.body).toContain('Of *lamps*</textarea>')
})

test('what is wrong is said at the field, and what was typed stays', async () => {
  const id = await createSpeaker('Ben')
  const answer = await publisher.post(own(id), await fill(id, { 'field.note': 'Kept', 'field.links': 'nowhere' }))
  expect([answer.status, parsePage(answer.body).all('.field-error').length]).toEqual([422, 1])
  expect(answer.body).toContain('>Kept</textarea>')
  expect(await read(id)).toMatchObject({ note: '', links: [] })
})

test('what others changed in the other field is kept, and a conflict shows both sides', async () => {
  const id = await createSpeaker('Cid')
  const [first, second] = [await fill(id, { 'field.note': 'Mine' }), await fill(id, { 'field.note': 'Late' })]
  await ask('PATCH', `speaker/${id}`, { links: ['https://a.example/'] })
  expect(locationOf(await publisher.post(own(id), first))).toContain('?saved=merged')
  expect(await read(id)).toMatchObject({ note: 'Mine', links: ['https://a.example/'] })
  const conflict = await publisher.post(own(id), second)
  expect(conflict.status).toBe(409)
  expect(textOf(conflict)).toContain('You have changed these fields elsewhere since you opened the speaker')
  for (const text of ['Mine', 'Late']) expect(textOf(conflict)).toContain(text)
  expect(await read(id)).toMatchObject({ note: 'Mine' })
})

test('what was typed is shown if the speaker was merged meanwhile', async () => {
  const [id, other] = [await createSpeaker('Dot'), await createSpeaker('Dott')]
  const form = await fill(id, { 'field.note': 'Typed in vain' })
  await ask('POST', `speaker/${id}/merge`, { into: other })
  const answer = await publisher.post(own(id), form)
  expect([answer.status, answer.body.includes('Typed in vain')]).toEqual([409, true])
})

test('readers have no form', async () => {
  const id = await createSpeaker('Eve')
  const reader = await signInAs(service, 'reader')
  expect((await reader.get(own(id))).body).not.toContain('field.note')
})
