import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type NameKind, unsaidOf, useNames } from './curated-names.ts'
import { resultsOf } from './every-answer.ts'
import { parseFields, type Role, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { ask, get, findName, toNew, createTalk, readNames, readBatch } = useNames(service)

const kinds: readonly NameKind[] = ['speaker', 'tag']

describe.each(kinds)('The rename of a %s', (kind) => {
  test('writes the name to all records as one batch, with a new slug and the same id', async () => {
    const [old, name] = [toNew('Jon Dow'), toNew('John Doe')]
    const ids = [await createTalk(kind, ['Other', old]), await createTalk(kind, [old], { state: 2 })]
    const { id, slug } = await findName(kind, old)
    const answer = await ask('PATCH', `${kind}/${id}`, { name }, 'publisher', { 'Change-Reason': 'misspelled' })
    const renamed = { id, name, slug: expect.stringMatching(/^john-doe-/), count: 2, ...unsaidOf[kind], aliases: [old] }
    expect([answer.status, parseFields(answer)]).toEqual([200, renamed])
    expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
    const read = await get(`${kind}/${id}`)
    expect([read.body, tagOf(read)]).toEqual([answer.body, tagOf(answer)])
    expect(parseFields(read).slug).not.toBe(slug)
    expect(await Promise.all(ids.map((each) => readNames(kind, each)))).toEqual([['Other', name], [name]])
    const batch = {
      kind: `rename ${kind}`,
      state: 'done',
      reason: 'misspelled',
      total: 2,
      changed: 2,
      by: 'the publisher',
    }
    expect(await readBatch()).toMatchObject(batch)
  })

  test('keeps the old name as an alias, which only token holders see', async () => {
    const [old, name] = [toNew('Deadname'), toNew('Livename')]
    await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    await ask('PATCH', `${kind}/${id}`, { name })
    expect(parseFields(await get(`${kind}/${id}`, 'reader')).aliases).toEqual([old])
    const shown = parseFields(await get(`${kind}/${id}`, 'none'))
    expect(Object.keys(shown)).toEqual(['id', 'name', 'slug', 'count', ...Object.keys(unsaidOf[kind])])
    for (const as of ['none', 'reader'] as const) {
      for (const path of [`${kind}?q=Deadname`, 'suggest?q=deadname', 'video?q=deadname', `video?facets=${kind}`]) {
        expect([path, (await get(path, as)).body]).toEqual([path, expect.not.stringContaining(old)])
      }
    }
  })

  test('of the same name, blanks around it ignored, is no batch', async () => {
    const name = toNew('Same')
    await createTalk(kind, [name])
    const { id } = await findName(kind, name)
    const before = await readBatch()
    const answer = await ask('PATCH', `${kind}/${id}`, { name: `  ${name} `, slug: 'mine', count: 7 })
    expect([answer.status, parseFields(answer).name]).toEqual([200, name])
    expect(await readBatch()).toEqual(before)
  })

  test('keeps the first position where a record has both names', async () => {
    const [old, name] = [toNew('Old'), toNew('New')]
    const first = await createTalk(kind, ['A', old, 'B'])
    const { id } = await findName(kind, old)
    await ask('PATCH', `${kind}/${id}`, { name })
    // Written again, the old name is an entry of its own, which cannot be renamed to a name that is taken.
    const both = await createTalk(kind, [old, 'C', name])
    const again = await findName(kind, old)
    expect(again.id).not.toBe(id)
    const taken = await ask('PATCH', `${kind}/${again.id}`, { name })
    expect([taken.status, parseFields(taken)]).toMatchObject([409, { id, type: 'urn:rostrum:problem:name_taken' }])
    expect((await ask('POST', `${kind}/${again.id}/merge`, { into: id })).status).toBe(200)
    expect(await readNames(kind, both)).toEqual([name, 'C'])
    expect(await readNames(kind, first)).toEqual(['A', name, 'B'])
  })

  test('onto a name that is an alias of another is 409 with the current id', async () => {
    const [one, other, third] = [toNew('One'), toNew('Other'), toNew('Third')]
    for (const name of [one, other, third]) await createTalk(kind, [name])
    const [{ id }, target, { id: thirdId }] = [
      await findName(kind, one),
      await findName(kind, other),
      await findName(kind, third),
    ]
    await ask('POST', `${kind}/${id}/merge`, { into: target.id })
    const refused = await ask('PATCH', `${kind}/${thirdId}`, { name: one })
    expect([refused.status, parseFields(refused).id]).toEqual([409, target.id])
    expect(parseFields(refused).detail).toContain(String(target.id))
  })

  test('onto an alias of its own, and back, keeps the id', async () => {
    const [old, name] = [toNew('Here'), toNew('There')]
    const talk = await createTalk(kind, [old])
    const { id, slug } = await findName(kind, old)
    const there = parseFields(await ask('PATCH', `${kind}/${id}`, { name }))
    const back = parseFields(await ask('PATCH', `${kind}/${id}`, { name: old }))
    expect(back).toEqual({ id, name: old, slug, count: 1, ...unsaidOf[kind], aliases: [name] })
    expect(parseFields(await ask('PATCH', `${kind}/${id}`, { name }))).toEqual(there)
    expect(await readNames(kind, talk)).toEqual([name])
  })

  test('is validated by a dry run, which stores nothing', async () => {
    const [old, name] = [toNew('Dry'), toNew('Wet')]
    const talk = await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    const [before, known] = [await readBatch(), (await get(`${kind}/${id}`)).body]
    const answer = await ask('PATCH', `${kind}/${id}?dry_run=1`, { name })
    const wanted = { id, name, slug: expect.stringMatching(/^wet-/), count: 1, ...unsaidOf[kind], aliases: [old] }
    expect([answer.status, parseFields(answer)]).toEqual([200, wanted])
    expect([await readBatch(), (await get(`${kind}/${id}`)).body]).toEqual([before, known])
    expect(await readNames(kind, talk)).toEqual([old])
  })

  test('with the same Idempotency-Key is made once', async () => {
    const [old, name] = [toNew('Key'), toNew('Lock')]
    await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    const key = { 'Idempotency-Key': `rename-${kind}` }
    const first = await ask('PATCH', `${kind}/${id}`, { name }, 'publisher', key)
    const batch = await readBatch()
    const second = await ask('PATCH', `${kind}/${id}`, { name }, 'publisher', key)
    expect([second.status, second.body]).toEqual([200, first.body])
    const other = await ask('PATCH', `${kind}/${id}`, { name: toNew('Door') }, 'publisher', key)
    expect(other.status).toBe(400)
    expect(await readBatch()).toEqual(batch)
  })

  const bad: readonly (readonly [unknown, readonly string[]])[] = [
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: ' ' }, ['name']],
    [{ name: 7 }, ['name']],
    [{ name: null }, ['name']],
    [{ name: 'a\u0000b' }, ['name']],
    [{ name: 'x'.repeat(kind === 'speaker' ? 256 : 101) }, ['name']],
    [{ name: 'Good', title: 'x' }, ['title']],
  ]
  test.each(bad)('is refused for %j', async (json, errors) => {
    const name = toNew('Bad')
    await createTalk(kind, [name])
    const { id } = await findName(kind, name)
    const answer = await ask('PATCH', `${kind}/${id}`, json)
    expect([answer.status, Object.keys(Object(parseFields(answer).errors))]).toEqual([400, [...errors]])
  })

  const roles: readonly (readonly [Role, number])[] = [
    ['none', 401],
    ['wrong', 401],
    ['reader', 403],
    ['editor', 403],
  ]
  test.each(roles)('by %s is %d', async (as, status) => {
    const name = toNew('Role')
    await createTalk(kind, [name], { state: 2 })
    const { id } = await findName(kind, name)
    expect((await ask('PATCH', `${kind}/${id}`, { name: 'Mine' }, as)).status).toBe(status)
    expect((await ask('POST', `${kind}/${id}/merge`, { into: 1 }, as)).status).toBe(status)
  })

  test('holds its preconditions', async () => {
    const [old, name, third] = [toNew('Tagged'), toNew('Retagged'), toNew('Untagged')]
    await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    const path = `${kind}/${id}`
    const tags = [tagOf(await get(path)), tagOf(await get(path, 'none'))]
    // Another record changes the count, not the name.
    await createTalk(kind, [old])
    const dry = (tag: string) => ask('PATCH', `${path}?dry_run=1`, { name }, 'publisher', { 'If-Match': tag })
    expect((await Promise.all([...tags, '*'].map(dry))).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await ask('PATCH', path, { name }, 'publisher', { 'If-None-Match': '*' })).status).toBe(412)
    expect((await ask('PATCH', path, { name }, 'publisher', { 'If-Match': tags[0] ?? '' })).status).toBe(200)
    expect((await ask('PATCH', path, { name: third }, 'publisher', { 'If-Match': tags[0] ?? '' })).status).toBe(412)
    expect(parseFields(await get(path)).name).toBe(name)
  })

  test('of two at once with the same If-Match, one is made', async () => {
    const old = toNew('Race')
    await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    const headers = { 'If-Match': tagOf(await get(`${kind}/${id}`)) }
    const names = [toNew('Left'), toNew('Right')]
    const answers = await Promise.all(
      names.map((name) => ask('PATCH', `${kind}/${id}`, { name }, 'publisher', headers)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('of nothing is 404, also where only the name is known', async () => {
    expect((await ask('PATCH', `${kind}/999999`, { name: 'X' })).status).toBe(404)
    expect((await ask('PATCH', `${kind}/0`, { name: 'X' })).status).toBe(404)
    const name = toNew('Gone')
    const talk = await createTalk(kind, [name])
    const { id } = await findName(kind, name)
    await service.patch(talk, { [`${kind}s`]: [] })
    expect((await ask('PATCH', `${kind}/${id}`, { name: 'X' })).status).toBe(404)
    expect((await get(`${kind}/${id}`)).status).toBe(404)
  })
})

test('A name that was renamed is listed, suggested and found by its new name at once', async () => {
  const [old, name] = [toNew('Quagga'), toNew('Zebroid')]
  await createTalk('speaker', [old])
  const { id } = await findName('speaker', old)
  await get('suggest?q=quagga')
  await ask('PATCH', `speaker/${id}`, { name })
  const texts = async (path: string) => resultsOf(await get(path)).map((each) => each.text ?? each.name ?? each.id)
  expect(await texts('suggest?q=zebroid')).toContain(name)
  expect(await texts('suggest?q=quagga')).toEqual([])
  expect(await texts('speaker?q=zebroid')).toEqual([name])
  expect(await texts(`video?speaker=${encodeURIComponent(name)}`)).toHaveLength(1)
  expect(await texts(`video?speaker=${encodeURIComponent(old)}`)).toEqual([])
})
