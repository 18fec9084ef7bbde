import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { createBulk } from './bulk-change.ts'
import { useNames } from './curated-names.ts'
import { createCurator, type FieldList, listForms } from './curator.ts'
import { fail, parseFields, type Role, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })
const { change, createMany, readAll } = createBulk(service)
const { ask, findName, toNew, createTalk, readNames, readBatch } = useNames(service)

async function signIn(role: Exclude<Role, 'none' | 'wrong'>) {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

/** The fields of the undo form on a page. */
function undoFields(html: string): FieldList {
  const form = listForms(html).find(({ fields }) => fields.some(([name]) => name === 'key')) ?? fail('no undo here')
  return [...form.fields.filter(([name]) => name !== 'csrf'), ['do', 'undo']]
}

const toText = (html: string) => parsePage(html).one('main').text
const locationOf = (answer: Parameters<typeof headerOf>[0]) => headerOf(answer, 'Location') ?? fail('no Location')

describe('The page of a batch', () => {
  test('says what was requested, by whom and why, and what changed in each talk', async () => {
    const ids = await createMany(3, { title: 'Tides', language: '' })
    const { id } = await change({ select: { ids }, patch: { language: 'Italian' }, reason: 'heard it' })
    const page = toText((await (await signIn('publisher')).get(`/edit/batches/${id}`)).body)
    expect(page).toContain(`Bulk change ${id}`)
    expect(page).toContain('Language set to Italian in 3 talks')
    expect(page).toContain('by the publisher')
    expect(page).toContain('heard it')
    expect(page).toContain('Changed: 3 talks')
    expect(page.match(/Language removed: empty .{0,30}added: Italian/g)).toHaveLength(3)
  })

  test('shows twenty talks, then the next', async () => {
    const ids = await createMany(23)
    const { id } = await change({ select: { ids }, patch: { tags: { add: ['paged'] } } })
    const curator = await signIn('publisher')
    const first = (await curator.get(`/edit/batches/${id}`)).body
    const next = /href="([^"]*after=\d+)"/.exec(first)?.[1] ?? fail('no next page')
    const second = (await curator.get(next)).body
    const linked = (html: string) => ids.filter((each) => html.includes(`href="/edit/video/${each}"`))
    expect([linked(first), linked(second)]).toEqual([ids.slice(0, 20), ids.slice(20)])
    expect((await curator.get(`/edit/batches/${id}?after=x`)).status).toBe(404)
  })

  test('offers the undo right after the change, and says what it did', async () => {
    const ids = await createMany(2, { language: 'German' })
    const { id } = await change({ select: { ids }, patch: { language: 'French' } })
    const curator = await signIn('publisher')
    const done = (await curator.get(`/edit/batches/${id}?done=1`)).body
    expect(toText(done)).toContain('Done: 2 talks changed.')
    const answer = await curator.post(`/edit/batches/${id}`, undoFields(done))
    expect(answer.status).toBe(303)
    expect((await readAll(ids)).map(({ language }) => language)).toEqual(['German', 'German'])
    const undone = (await curator.get(locationOf(answer))).body
    expect(toText(undone)).toContain('Undone: 2 talks restored.')
    expect(toText(undone)).toContain('Undone: Language set to French in 2 talks')
    expect(toText((await curator.get(`/edit/batches/${id}`)).body)).toContain('Undone by bulk change')
    // A double click sends the same key.
    expect(locationOf(await curator.post(`/edit/batches/${id}`, undoFields(done)))).toBe(locationOf(answer))
  })

  test('names what an undo could not change, and why', async () => {
    const ids = await createMany(2, { title: 'Buoys', language: '' })
    const { id } = await change({ select: { ids }, patch: { language: 'Dutch' } })
    await service.patch(ids[0], { language: 'Danish' })
    const curator = await signIn('publisher')
    const undo = async () =>
      curator.post(`/edit/batches/${id}`, undoFields((await curator.get(`/edit/batches/${id}`)).body))
    const page = toText((await curator.get(locationOf(await undo()))).body)
    expect(page).toContain('Undone: 1 talk restored.')
    expect(page).toMatch(/Not undone.*Buoys.*Language: changed again since/)
    const again = await undo()
    expect(again.status).toBe(200)
    expect(toText(again.body)).toMatch(
      /Nothing was undone\. Changed again since: Language\..*Not undone.*Language: changed again since.*already has its earlier value/,
    )
  })

  test('of a merge has the names, before and after its undo', async () => {
    const [from, into] = [toNew('Ada L.'), toNew('Ada Lovelace')]
    const talk = await createTalk('speaker', [from])
    await createTalk('speaker', [into])
    const ids = [(await findName('speaker', from)).id, (await findName('speaker', into)).id]
    const { id } = parseFields(await ask('POST', `speaker/${ids[0]}/merge`, { into: ids[1] }))
    const curator = await signIn('publisher')
    const merged = (await curator.get(`/edit/batches/${id}`)).body
    expect(toText(merged)).toContain(`Speaker ${from} merged into ${into} in 1 talk`)
    await curator.post(`/edit/batches/${id}`, undoFields(merged))
    expect(await readNames('speaker', talk)).toEqual([from])
    expect(toText((await curator.get(`/edit/batches/${id}`)).body)).toContain(
      `Speaker ${from} merged into ${into} in 1 talk`,
    )
  })

  test('of a rename says the old and the new name, before and after its undo', async () => {
    const [from, to] = [toNew('Tides'), toNew('Currents')]
    await createTalk('tag', [from])
    const { id: tag } = await findName('tag', from)
    expect((await ask('PATCH', `tag/${tag}`, { name: to })).status).toBe(200)
    const curator = await signIn('publisher')
    const listed = toText((await curator.get('/edit/batches')).body)
    expect(listed).toContain(`Tag ${from} renamed to ${to} in 1 talk`)
    const { id } = await readBatch()
    await curator.post(`/edit/batches/${id}`, undoFields((await curator.get(`/edit/batches/${id}`)).body))
    expect(toText((await curator.get(`/edit/batches/${id}`)).body)).toContain(`Tag ${from} renamed to ${to} in 1 talk`)
  })
})

describe('Who may', () => {
  test('see a batch: publishers, and its author', async () => {
    const ids = await createMany(1, { state: 2 })
    const { id } = await change({ select: { ids }, patch: { language: 'Welsh' } }, { as: 'editor' })
    const { id: other } = await change({ select: { ids }, patch: { language: 'Irish' } })
    const seen = async (role: 'reader' | 'editor' | 'publisher') => {
      const curator = await signIn(role)
      const list = (await curator.get('/edit/batches')).body
      const statuses = await Promise.all(
        [id, other].map(async (each) => (await curator.get(`/edit/batches/${each}`)).status),
      )
      return { statuses, listed: [id, other].map((each) => list.includes(`href="/edit/batches/${each}"`)) }
    }
    expect(await seen('reader')).toEqual({ statuses: [403, 403], listed: [false, false] })
    expect(await seen('editor')).toEqual({ statuses: [200, 403], listed: [true, false] })
    expect(await seen('publisher')).toEqual({ statuses: [200, 200], listed: [true, true] })
  })

  test('undo it: its author and admins; others have no button, and are refused with the page', async () => {
    const ids = await createMany(1, { state: 2 })
    const { id } = await change({ select: { ids }, patch: { language: 'Welsh' } }, { as: 'editor' })
    const publisher = await signIn('publisher')
    const { body } = await publisher.get(`/edit/batches/${id}`)
    expect(body).not.toContain('value="undo"')
    expect(toText(body)).toContain('Only its author or an admin can undo it.')
    const refused = await publisher.post(`/edit/batches/${id}`, [
      ['do', 'undo'],
      ['key', 'mine'],
    ])
    expect(refused.status).toBe(403)
    expect(toText(refused.body)).toContain('Only the author of a batch or an admin may stop or undo it.')
    const admin = await signIn('admin')
    const undone = await admin.post(`/edit/batches/${id}`, undoFields((await admin.get(`/edit/batches/${id}`)).body))
    expect(undone.status).toBe(303)
  })

  test('an empty form, an invalid key or an unknown batch undoes nothing', async () => {
    const admin = await signIn('admin')
    const post = async (fields: FieldList, id = 1) => (await admin.post(`/edit/batches/${id}`, fields)).status
    expect(await post([])).toBe(400)
    expect(await post([['do', 'undo']])).toBe(400)
    expect(
      await post([
        ['do', 'undo'],
        ['key', 'a b'],
      ]),
    ).toBe(400)
    expect(
      await post(
        [
          ['do', 'undo'],
          ['key', 'fine'],
        ],
        999_999,
      ),
    ).toBe(404)
  })
})

test('the list is narrowed to an author, and pages', async () => {
  const ids = await createMany(1, { state: 2 })
  for (let i = 0; i < 32; i++) {
    await change({ select: { ids }, patch: { whiteboard: `step ${i}` }, reason: `step ${i}.` }, { as: 'editor' })
  }
  const curator = await signIn('publisher')
  const page = async (query: string) => toText((await curator.get(`/edit/batches${query}`)).body)
  const first = await page('?by=the+editor')
  expect([first.includes('step 31.'), first.includes('step 0.'), first.includes('the publisher')]).toEqual([
    true,
    false,
    false,
  ])
  expect(await page('?by=the+editor&page=2')).toContain('step 0.')
  expect(await page('?by=nobody')).toContain('There are no bulk changes by nobody.')
  expect((await curator.get('/edit/batches?page=99')).status).toBe(404)
})
