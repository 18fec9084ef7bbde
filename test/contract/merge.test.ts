import { describe, expect, test } from 'bun:test'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Call, type Fields, isFields, parseFields, requiredFields, tagOf, toPath, useService } from './service.ts'
import { getNewest } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor'] })

const patchType = { 'Content-Type': 'application/json-patch+json' }

type Known = { readonly id: unknown; readonly base: string; readonly now: RawAnswer }

/** A record to which others have done this since we read it. */
async function createChanged(...later: readonly Fields[]): Promise<Known> {
  const { id } = await service.create({ title: 'Base', tags: ['base'] })
  const base = tagOf(await service.read(id))
  for (const changes of later) await service.patch(id, changes)
  return { id, base, now: await service.read(id) }
}

const prefer = (tag: string) => ({ Prefer: `merge; base="${tag.replaceAll('"', '')}"` })

async function write(wanted: Omit<Call, 'path'> & { readonly id: unknown }): Promise<RawAnswer> {
  const call = { path: toPath(wanted.id), as: 'admin' as const, ...wanted }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

/** A PATCH that prefers to be merged. */
function merge({ id, base }: Pick<Known, 'id' | 'base'>, json: unknown, headers: HeaderList = {}): Promise<RawAnswer> {
  return write({ id, method: 'PATCH', json, headers: { ...prefer(base), ...headers } })
}

async function expectMerged(answer: RawAnswer, id: unknown, wanted: Fields): Promise<void> {
  expect([answer.status, headerOf(answer, 'Preference-Applied')]).toEqual([200, 'merge'])
  expect(parseFields(answer)).toMatchObject(wanted)
  const read = await service.read(id)
  expect(parseFields(read)).toEqual(parseFields(answer))
  expect(headerOf(read, 'Preference-Applied')).toBeNull()
}

async function expectRefused(answer: RawAnswer, { id, now }: Known): Promise<void> {
  expect([answer.status, headerOf(answer, 'Preference-Applied')]).toEqual([412, null])
  expect(tagOf(await service.read(id))).toBe(tagOf(now))
}

describe('A change that prefers to be merged', () => {
  test('is made where others have touched other fields', async () => {
    const known = await createChanged({ title: 'Theirs' }, { duration: 5 })
    await expectMerged(await merge(known, { summary: 'Yours' }), known.id, {
      title: 'Theirs',
      duration: 5,
      summary: 'Yours',
    })
    expect(await getNewest(service, known.id)).toMatchObject({ version: 4, changed: ['summary'] })
  })

  test('is made where nobody has touched anything', async () => {
    const known = await createChanged()
    await expectMerged(await merge(known, { title: 'Yours' }), known.id, { title: 'Yours' })
  })

  test('is made as a JSON Patch too', async () => {
    const known = await createChanged({ title: 'Theirs' })
    const steps = [{ op: 'add', path: '/tags/-', value: 'yours' }]
    await expectMerged(await merge(known, steps, patchType), known.id, { title: 'Theirs', tags: ['base', 'yours'] })
  })

  test('that changes nothing makes no version', async () => {
    const known = await createChanged({ title: 'Theirs' })
    const answer = await merge(known, { tags: ['base'] })
    expect([answer.status, (await getNewest(service, known.id)).version]).toEqual([200, 2])
  })

  test('in a dry run is judged alike and stores nothing', async () => {
    const known = await createChanged({ title: 'Theirs' })
    const dryRun = (json: Fields) =>
      write({ id: `${known.id}?dry_run=1`, method: 'PATCH', json, headers: prefer(known.base) })
    const answer = await dryRun({ summary: 'Yours' })
    expect([answer.status, parseFields(answer)]).toMatchObject([200, { title: 'Theirs', summary: 'Yours' }])
    await expectRefused(await dryRun({ title: 'Yours' }), known)
  })
})

type Refused = { readonly name: string; readonly later: readonly Fields[]; readonly json: unknown }

const refusals: readonly (Refused & { readonly headers?: HeaderList; readonly conflicts: readonly string[] })[] = [
  {
    name: 'the same field was changed',
    later: [{ title: 'Theirs' }],
    json: { title: 'Yours', summary: 'x' },
    conflicts: ['title'],
  },
  {
    name: 'the same field was changed and changed back',
    later: [{ title: 'Theirs' }, { title: 'Base' }],
    json: { title: 'Yours' },
    conflicts: [],
  },
  { name: 'others did the same', later: [{ title: 'Yours' }], json: { title: 'Yours' }, conflicts: [] },
  {
    name: 'a JSON Patch is about the same field',
    later: [{ tags: ['theirs'] }],
    json: [{ op: 'add', path: '/tags/-', value: 'yours' }],
    headers: patchType,
    conflicts: ['tags'],
  },
  {
    name: 'a JSON Patch tests a field that was changed',
    later: [{ title: 'Theirs' }],
    json: [
      { op: 'test', path: '/title', value: 'Base' },
      { op: 'replace', path: '/summary', value: 'yours' },
    ],
    headers: patchType,
    conflicts: [],
  },
  {
    name: 'a JSON Patch copies a field that was changed',
    later: [{ title: 'Theirs' }],
    json: [{ op: 'copy', from: '/title', path: '/summary' }],
    headers: patchType,
    conflicts: [],
  },
]

describe('A change that cannot be merged is refused where', () => {
  for (const { name, later, json, headers = {}, conflicts } of refusals) {
    test(name, async () => {
      const known = await createChanged(...later)
      const answer = await merge(known, json, headers)
      await expectRefused(answer, known)
      const { current, fields, conflicts: told } = parseFields(answer)
      expect([current, told]).toMatchObject([{ version: later.length + 1 }, conflicts])
      for (const field of Object.values(isFields(fields) ? fields : {})) {
        expect(Object.keys(isFields(field) ? field : {})).toEqual(expect.arrayContaining(['base', 'theirs']))
      }
    })
  }

  for (const base of ['other', '1-00000000.json', '99-00000000.json', '', '1', 'x.json']) {
    test(`the base is unknown: ${JSON.stringify(base)}`, async () => {
      const known = await createChanged()
      const answer = await merge({ id: known.id, base }, { title: 'Yours' })
      await expectRefused(answer, known)
      expect(parseFields(answer).fields).toEqual({ title: { theirs: 'Base', yours: 'Yours' } })
    })
  }

  for (const value of ['merge', 'merge; base', 'MERGE; wait=5']) {
    test(`no base is named: ${value}`, async () => {
      const known = await createChanged({ title: 'Theirs' })
      const headers = { Prefer: value }
      await expectRefused(await write({ id: known.id, method: 'PATCH', json: { title: 'Yours' }, headers }), known)
    })
  }

  test('the base is another record’s', async () => {
    const [known, other] = [await createChanged({ title: 'Theirs' }), await createChanged()]
    await expectRefused(await merge({ id: known.id, base: other.base }, { summary: 'x' }), known)
  })

  test('another condition does not hold', async () => {
    const known = await createChanged({ title: 'Theirs' })
    await expectRefused(await merge(known, { summary: 'x' }, { 'If-None-Match': '*' }), known)
  })

  test('an editor may not write at all', async () => {
    const { id, base } = await createChanged({ title: 'Theirs' })
    const answer = await write({ id, method: 'PATCH', as: 'editor', json: { summary: 'x' }, headers: prefer(base) })
    expect(answer.status).toBe(403)
  })

  test('the body is wrong, but with 400', async () => {
    const known = await createChanged({ title: 'Theirs' })
    expect((await merge(known, { summary: 5 })).status).toBe(400)
  })
})

describe('The preference', () => {
  const forms: readonly { name: string; toHeader: (tag: string) => string | readonly string[] }[] = [
    { name: 'with the tag as it came', toHeader: (tag) => `merge; base=${tag}` },
    { name: 'with the tag’s own quotes escaped', toHeader: (tag) => `merge; base="${tag.replaceAll('"', '\\"')}"` },
    { name: 'with the tag bare', toHeader: (tag) => `merge; base=${tag.slice(1, -1)}` },
    { name: 'without spaces, in capitals', toHeader: (tag) => `MERGE;BASE=${tag}` },
    { name: 'with another parameter in front', toHeader: (tag) => `merge; wait=5; base=${tag}` },
    { name: 'behind another', toHeader: (tag) => `return=minimal, merge; base=${tag}` },
    { name: 'on a line of its own', toHeader: (tag) => ['return=minimal', `merge; base=${tag}`] },
    { name: 'with the other representation’s tag', toHeader: (tag) => `merge; base=${tag.replace('.json', '.html')}` },
  ]
  for (const { name, toHeader } of forms) {
    test(`is understood ${name}`, async () => {
      const known = await createChanged({ title: 'Theirs' })
      const headers = { Prefer: toHeader(known.base) }
      const answer = await write({ id: known.id, method: 'PATCH', json: { summary: 'Yours' }, headers })
      await expectMerged(answer, known.id, { title: 'Theirs', summary: 'Yours' })
    })
  }

  for (const value of ['return=representation', 'submerge; base="1-00000000.json"', 'respond-async, wait=5']) {
    test(`is not meant by ${value}`, async () => {
      const { id } = await createChanged({ title: 'Theirs' })
      const answer = await write({ id, method: 'PATCH', json: { title: 'Yours' }, headers: { Prefer: value } })
      expect([answer.status, headerOf(answer, 'Preference-Applied')]).toEqual([200, null])
    })
  }

  test('has no effect together with If-Match', async () => {
    const known = await createChanged({ title: 'Theirs' })
    await expectRefused(await merge(known, { summary: 'Yours' }, { 'If-Match': known.base }), known)
    const answer = await merge(known, { title: 'Yours' }, { 'If-Match': tagOf(known.now) })
    expect([answer.status, headerOf(answer, 'Preference-Applied')]).toEqual([200, null])
  })

  test('counts for nothing on PUT', async () => {
    const { id, base } = await createChanged({ title: 'Theirs' })
    const answer = await write({ id, method: 'PUT', json: requiredFields, headers: prefer(base) })
    expect([answer.status, headerOf(answer, 'Preference-Applied')]).toEqual([200, null])
  })
})
