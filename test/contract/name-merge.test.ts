import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type NameKind, unsaidOf, useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, parseFields, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'] })
const { ask, get, findName, toNew, createTalk, readNames, undo, readBatch } = useNames(service)

const kinds: readonly NameKind[] = ['speaker', 'tag']

describe.each(kinds)('The merge of a %s', (kind) => {
  const toAddress = (id: unknown) => `${service.server().url}/api/v2/${kind}/${id}`
  const merge = (from: unknown, into: unknown) => ask('POST', `${kind}/${from}/merge`, { into })

  /** Names with a talk each, and their ids. */
  async function createNames(...words: readonly string[]) {
    const names: Fields[] = []
    for (const word of words) {
      const name = toNew(word)
      const talk = await createTalk(kind, ['Before', name, 'Behind'])
      names.push({ ...(await findName(kind, name)), talk })
    }
    return names
  }

  const readTalk = (name: Fields) => readNames(kind, Number(name.talk))

  test('answers 200 with the batch, and its records have the other name', async () => {
    const [a = {}, b = {}] = await createNames('Anna', 'Ann')
    const both = await createTalk(kind, [String(a.name), 'C', String(b.name)])
    const draft = await createTalk(kind, [String(b.name), String(a.name)], { state: 2 })
    const answer = await ask('POST', `${kind}/${a.id}/merge`, { into: b.id }, 'publisher', { 'Change-Reason': 'same' })
    const batch = await readBatch()
    expect(answer.status).toBe(200)
    expect(parseFields(answer)).toEqual(batch)
    expect(headerOf(answer, 'Content-Location')).toBe(`${service.server().url}/api/v2/batches/${batch.id}`)
    const counts = { total: 3, done: 3, changed: 3, unchanged: 0 }
    expect(batch).toMatchObject({
      kind: `merge ${kind}`,
      by: 'the publisher',
      reason: 'same',
      state: 'done',
      ...counts,
    })
    expect(await readTalk(a)).toEqual(['Before', b.name, 'Behind'])
    expect(await readNames(kind, both)).toEqual([b.name, 'C'])
    expect(await readNames(kind, draft)).toEqual([b.name])
    const { id, name, slug } = b
    expect(parseFields(await get(`${kind}/${b.id}`, 'reader'))).toEqual({
      id,
      name,
      slug,
      count: 4,
      ...unsaidOf[kind],
      aliases: [a.name],
    })
    expect(parseFields(await get(`${kind}/${b.id}`, 'none'))).toEqual({ id, name, slug, count: 3, ...unsaidOf[kind] })
  })

  test('is refused with 412 if the name is not the one that If-Match names', async () => {
    const [a = {}, b = {}] = await createNames('Stale', 'Fresh')
    const read = tagOf(await get(`${kind}/${a.id}`))
    await ask('PATCH', `${kind}/${a.id}`, { name: toNew('Renamed') })
    const mergeIf = (tag: string) =>
      ask('POST', `${kind}/${a.id}/merge`, { into: b.id }, 'publisher', { 'If-Match': tag })
    expect((await mergeIf(read)).status).toBe(412)
    expect((await get(`${kind}/${a.id}`)).status).toBe(200)
    expect((await mergeIf(tagOf(await get(`${kind}/${a.id}`)))).status).toBe(200)
  })

  test('makes the old address answer 301, with the query, also to HEAD', async () => {
    const [a = {}, b = {}] = await createNames('Old', 'New')
    await merge(a.id, b.id)
    for (const as of ['none', 'reader'] as const) {
      for (const method of ['GET', 'HEAD']) {
        const plain = await ask(method, `${kind}/${a.id}`, undefined, as)
        expect([plain.status, headerOf(plain, 'Location'), plain.body]).toEqual([301, toAddress(b.id), ''])
      }
      const asked = await ask('GET', `${kind}/${a.id}/?format=json`, undefined, as)
      expect([asked.status, headerOf(asked, 'Location')]).toEqual([301, `${toAddress(b.id)}?format=json`])
    }
    expect((await ask('PATCH', `${kind}/${a.id}`, { name: 'X' })).status).toBe(409)
    expect(parseFields(await ask('PATCH', `${kind}/${a.id}`, { name: 'X' })).id).toBe(Number(b.id))
  })

  test('takes the aliases of a name along', async () => {
    const [a = {}, b = {}, c = {}] = await createNames('A', 'B', 'C')
    await merge(a.id, b.id)
    await merge(b.id, c.id)
    for (const { id } of [a, b]) {
      expect(headerOf(await ask('GET', `${kind}/${id}`), 'Location')).toBe(toAddress(c.id))
    }
    expect(parseFields(await get(`${kind}/${c.id}`)).aliases).toEqual([a.name, b.name])
    expect(await readTalk(a)).toEqual(['Before', c.name, 'Behind'])
  })

  test('into itself, an alias of it, or an alias of another is 409 with the current id', async () => {
    const [a = {}, b = {}, c = {}] = await createNames('Self', 'Alias', 'Third')
    const refused = async (from: unknown, into: unknown) => {
      const answer = await merge(from, into)
      return [
        answer.status,
        parseFields(answer).id,
        String(parseFields(answer).detail).includes(String(parseFields(answer).id)),
      ]
    }
    expect(await refused(a.id, a.id)).toEqual([409, a.id, true])
    await merge(b.id, a.id)
    expect(await refused(a.id, b.id)).toEqual([409, a.id, true])
    expect(await refused(c.id, b.id)).toEqual([409, a.id, true])
    expect(await refused(b.id, c.id)).toEqual([409, a.id, true])
  })

  test.each([
    [{}],
    [{ into: 'x' }],
    [{ into: 0 }],
    [{ into: 1.5 }],
    [{ into: null }],
    [{ into: 999_999 }],
    [{ into: [1] }],
  ])('of %j is 400', async (json) => {
    const [a = {}] = await createNames('Whole')
    const answer = await ask('POST', `${kind}/${a.id}/merge`, json)
    expect([answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([400, ['into']])
    expect((await ask('POST', `${kind}/999999/merge`, json)).status).toBe(404)
  })

  test('is counted by a dry run, which stores nothing', async () => {
    const [a = {}, b = {}] = await createNames('Dry', 'Wet')
    const before = await readBatch()
    const answer = await ask('POST', `${kind}/${a.id}/merge?dry_run=1`, { into: b.id })
    const counts = { id: null, kind: `merge ${kind}`, total: 1, changed: 1, refused: [], left: [] }
    expect([answer.status, parseFields(answer)]).toMatchObject([200, counts])
    expect([await readBatch(), await readTalk(a)]).toEqual([before, ['Before', a.name, 'Behind']])
    expect((await get(`${kind}/${a.id}`)).status).toBe(200)
  })

  test('with the same Idempotency-Key is made once', async () => {
    const [a = {}, b = {}, c = {}] = await createNames('K1', 'K2', 'K3')
    const headers = { 'Idempotency-Key': `merge-${kind}` }
    const first = await ask('POST', `${kind}/${a.id}/merge`, { into: b.id }, 'publisher', headers)
    const second = await ask('POST', `${kind}/${a.id}/merge`, { into: b.id }, 'publisher', headers)
    expect([second.status, second.body]).toEqual([200, first.body])
    const other = await ask('POST', `${kind}/${a.id}/merge`, { into: c.id }, 'publisher', headers)
    expect([other.status, parseFields(other).type]).toEqual([400, 'urn:rostrum:problem:key_reused'])
  })

  test('is undone with everything, and so is the undo', async () => {
    const [a = {}, b = {}] = await createNames('Undo', 'Redo')
    const both = await createTalk(kind, [String(b.name), String(a.name)])
    const read = async () => [
      (await get(`${kind}/${a.id}`)).body,
      (await get(`${kind}/${b.id}`)).body,
      await readTalk(a),
      await readNames(kind, both),
    ]
    const before = await read()
    const { id } = parseFields(await merge(a.id, b.id))
    const after = await read()
    const undone = await undo(id)
    expect([undone.changed, await read()]).toEqual([2, before])
    expect(await undo(id)).toMatchObject({ id: null, changed: 0 })
    await undo(undone.id)
    expect(await read()).toEqual(after)
  })

  test('that is undone after the next one leaves the addresses', async () => {
    const [a = {}, b = {}, c = {}] = await createNames('U1', 'U2', 'U3')
    const { id } = parseFields(await merge(a.id, b.id))
    await merge(b.id, c.id)
    expect(await undo(id)).toMatchObject({ id: null, changed: 0 })
    expect(headerOf(await ask('GET', `${kind}/${a.id}`), 'Location')).toBe(toAddress(c.id))
  })

  test('leaves an alias that is written again as an entry of its own', async () => {
    const [a = {}, b = {}] = await createNames('Sent', 'Kept')
    await merge(a.id, b.id)
    const talk = await createTalk(kind, [String(a.name)])
    expect(await readNames(kind, talk)).toEqual([a.name])
    const { id, name, slug } = a
    expect(parseFields(await get(`${kind}/${id}`))).toEqual({
      id,
      name,
      slug,
      count: 1,
      ...unsaidOf[kind],
      aliases: [],
    })
    expect(await merge(b.id, a.id)).toMatchObject({ status: 200 })
    expect(headerOf(await ask('GET', `${kind}/${b.id}`), 'Location')).toBe(toAddress(a.id))
    expect(parseFields(await get(`${kind}/${id}`)).aliases).toEqual([b.name])
  })

  test('and its way back, whose records others have changed since, leave no undo behind that did nothing', async () => {
    const [a = {}, b = {}] = await createNames('Once', 'Twice')
    await merge(a.id, b.id)
    const again = await createTalk(kind, [String(a.name)])
    await merge(b.id, a.id)
    const { id } = await readBatch()
    const field = kind === 'speaker' ? 'speakers' : 'tags'
    for (const talk of [a.talk, b.talk, again])
      await ask('PATCH', `video/${talk}`, { [field]: [String(a.name), 'Else'] })
    const answer = parseFields(await ask('POST', `batches/${id}/undo`, {}))
    expect(answer).toMatchObject({ id: null, changed: 0 })
    expect((await readBatch()).id).toBe(id)
  })

  test('whose aliases later merges have changed leaves no undo behind that did nothing', async () => {
    const [a = {}, b = {}, c = {}, d = {}] = await createNames('First', 'Second', 'Third', 'Fourth')
    await merge(b.id, c.id)
    await createTalk(kind, [String(b.name)])
    await merge(a.id, b.id)
    const { id } = await readBatch()
    const field = kind === 'speaker' ? 'speakers' : 'tags'
    await ask('PATCH', `video/${a.talk}`, { [field]: ['Else'] })
    await createTalk(kind, [String(a.name)])
    // Now the first is no alias, and the second would lead back to itself.
    await merge(d.id, a.id)
    await merge(c.id, b.id)
    const last = await readBatch()
    expect(await undo(id)).toMatchObject({ id: null, changed: 0 })
    expect((await readBatch()).id).toBe(last.id)
  })

  test('redirects nobody to a name that only drafts have', async () => {
    const [a, b] = [toNew('Hidden'), toNew('Secret')]
    for (const name of [a, b]) await createTalk(kind, [name], { state: 2 })
    const [from, into] = [await findName(kind, a), await findName(kind, b)]
    await merge(from.id, into.id)
    expect([(await get(`${kind}/${from.id}`, 'none')).status, (await get(`${kind}/${from.id}`)).status]).toEqual([
      404, 301,
    ])
  })

  test('lets filters by the old id find what the new one has', async () => {
    const [a = {}, b = {}] = await createNames('F1', 'F2')
    await merge(a.id, b.id)
    for (const as of ['none', 'reader'] as const) {
      const lists = await Promise.all([a, b].map(({ id }) => get(`video?${kind}_id=${id}`, as)))
      const [found, wanted] = lists.map((list) => resultsOf(list).map(({ id }) => id))
      expect([found, found?.length]).toEqual([wanted, 2])
    }
    const bulk = { select: { query: `${kind}_id=${a.id}` }, patch: { whiteboard: 'seen' } }
    expect(parseFields(await ask('POST', 'batches?dry_run=1', bulk))).toMatchObject({ total: 2, changed: 2 })
  })
})
