import { describe, expect, test } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { type FieldList, listForms } from './curator.ts'
import { toText, useEditor } from './editor-form.ts'
import { type Fields, fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'] })
const { ann, eve, read } = useEditor(service)
const path = '/edit/duplicates'

let made = 0

/** Talks with one video. */
async function createGroup(...talks: readonly Fields[]): Promise<number[]> {
  const source_url = `https://example.org/same-${++made}`
  const ids: number[] = []
  for (const talk of talks) ids.push(Number((await service.create({ title: 'Twin', source_url, ...talk })).id))
  return ids
}

/** The hidden fields of the form that has this one. */
function hiddenOf({ body }: RawAnswer, field: string): FieldList {
  const form = listForms(body).find(({ fields }) => fields.some(([name]) => name === field)) ?? fail(`no ${field}`)
  return form.fields.filter(([name]) => name !== 'csrf')
}

const locationOf = (answer: RawAnswer) => headerOf(answer, 'Location') ?? fail(`${answer.status}: ${answer.body}`)

/** Sends the form of a pair. */
const send = (page: RawAnswer, at: string, more: FieldList) => ann.post(at, [...hiddenOf(page, 'ids'), ...more])

describe('A pair of possible duplicates', () => {
  test('names what is the same in both, but nothing that is empty in both, and lets a long text scroll', async () => {
    const [first = 0, second = 0] = await createGroup(
      { description: 'word '.repeat(400), duration: 60 },
      { duration: 60 },
    )
    const { body } = await ann.get(`${path}?compare=${first},${second}`)
    expect(toText(body)).toMatch(/The same in both Title, Event, Address of the video, Length(?!,)/)
    expect(body).toContain('<div class="side-text is-long" dir="auto" tabindex="0">word')
    await send(await ann.get(path), path, [['do', 'distinct']])
  })

  test('is finished by keeping one, with chosen fields of the other, and leads to the next pair', async () => {
    const [kept = 0, other = 0] = await createGroup({ summary: 'Short' }, { summary: 'Long', language: 'Dutch' })
    const [third = 0] = await createGroup({ title: 'Later' }, { title: 'Later' })
    const page = await ann.get(path)
    expect(toText(page.body)).toContain('Pair 1 of 2')
    expect(toText((await ann.get('/edit')).body)).toContain('Pairs with the same video 2')
    expect(toText(page.body)).toMatch(/Summary Short .*Long .*The same in both/)
    const answer = await send(page, path, [
      ['take.summary', String(other)],
      ['take.title', String(kept)],
      ['do', `keep-${kept}`],
    ])
    expect(locationOf(answer)).toMatch(/^\/edit\/duplicates\?merged=\d+$/)
    expect(await read(kept)).toMatchObject({ summary: 'Long', language: '', state: 1 })
    expect(await read(other)).toMatchObject({ state: 2 })
    const next = await ann.get(locationOf(answer))
    expect(toText(next.body)).toContain('Merged into “Twin”.')
    expect(toText(next.body)).toContain('Pair 1 of 1')
    expect(next.body).toContain(`/edit/video/${third}"`)
    const undone = await ann.post(path, [...hiddenOf(next, 'batch'), ['do', 'undo']])
    expect(toText((await ann.get(locationOf(undone))).body)).toMatch(/Undone\..*Pair 1 of 2/)
    expect(await read(kept)).toMatchObject({ summary: 'Short' })
    expect(await read(other)).toMatchObject({ state: 1 })
    await send(await ann.get(path), path, [['do', `keep-${kept}`]])
    await send(await ann.get(path), path, [['do', 'distinct']])
    expect(toText((await ann.get(path)).body)).toContain('No two talks have the same video')
  })

  test('is hidden once it is marked as different, which can be undone', async () => {
    const ids = await createGroup({ title: 'A' }, { title: 'B' }, { title: 'C' })
    const page = await ann.get(path)
    expect(toText(page.body)).toMatch(/Pair 1 of 2 .*None of these 3 are the same .*1 more talk looks like these/)
    const answer = await send(page, path, [['do', 'all-distinct']])
    expect(locationOf(answer)).toBe(`/edit/duplicates?distinct=${ids.join()}`)
    const next = await ann.get(locationOf(answer))
    expect(toText(next.body)).toContain('Marked as different talks.')
    expect(locationOf(await ann.post(path, [...hiddenOf(next, 'ids'), ['do', 'show']]))).toBe(`${path}?shown=1`)
    const again = await ann.get(`${path}?n=2`)
    expect(toText(again.body)).toContain('Pair 2 of 2')
    await send(again, path, [['do', 'all-distinct']])
  })

  test('keeps the first decision if the page is sent again with another one', async () => {
    const [kept = 0, other = 0] = await createGroup({ title: 'A' }, { title: 'B' })
    const page = await ann.get(path)
    await send(page, path, [['do', `keep-${kept}`]])
    const answer = await send(page, path, [['do', 'distinct']])
    expect([answer.status, toText(answer.body)]).toEqual([
      200,
      expect.stringContaining('You have decided about that pair'),
    ])
    expect([await read(kept), await read(other)]).toMatchObject([{ state: 1 }, { state: 2 }])
  })

  test('keeps what others have changed since the page was opened', async () => {
    const [kept = 0, other = 0] = await createGroup({ summary: 'Short' }, { summary: 'Long' })
    const page = await ann.get(path)
    const form: FieldList = [
      ['take.summary', String(other)],
      ['do', `keep-${kept}`],
    ]
    await service.patch(kept, { summary: 'Written meanwhile' })
    const refused = await send(page, path, form)
    expect([refused.status, toText(refused.body).includes('Nothing was merged.')]).toEqual([200, true])
    expect(toText(refused.body)).toContain('Written meanwhile')
    expect([await read(kept), await read(other)]).toMatchObject([{ summary: 'Written meanwhile' }, { state: 1 }])
    // Without a field to take, a change of the kept talk does not matter.
    expect(locationOf(await send(page, path, [['do', `keep-${kept}`]]))).toContain('merged=')
  })

  test('offers only the live talk to be kept, and nothing to those who may not merge', async () => {
    const [live = 0, draft = 0] = await createGroup({}, { state: 2 })
    const page = await ann.get(path)
    expect([page.body.includes(`keep-${live}`), page.body.includes(`keep-${draft}`)]).toEqual([true, false])
    expect(toText(page.body)).toContain('A draft cannot be kept.')
    const seen = (await eve.get(path)).body
    expect([seen.includes(`keep-${live}`), toText(seen).includes('Publishers can merge them')]).toEqual([false, true])
    expect((await eve.post(path, [['do', `keep-${live}`]])).status).toBe(403)
    await send(page, path, [['do', 'distinct']])
  })
})

test('Any two talks can be compared and merged, and the page says so', async () => {
  const [one, two] = [
    Number((await service.create({ title: 'Kept', category: 'Twins' })).id),
    Number((await service.create({ title: 'Superfluous', category: 'Twins' })).id),
  ]
  const compare = `${path}?compare=${one},${two}`
  const page = await ann.get(compare)
  expect(toText(page.body)).toContain(`Talks ${one} and ${two} compared`)
  const answer = await send(page, compare, [['do', `keep-${one}`]])
  expect(toText((await ann.get(locationOf(answer))).body)).toContain('Merged into “Kept”.')
  expect(await read(two)).toMatchObject({ title: 'Superfluous', state: 2 })
})
