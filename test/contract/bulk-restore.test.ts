import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { createToken } from '../harness/server.ts'
import { createBulk } from './bulk-change.ts'
import { useNames } from './curated-names.ts'
import { createCurator } from './curator.ts'
import { openForm, sendForm, toText } from './editor-form.ts'
import { resultsOf } from './every-answer.ts'
import { type Fields, fail, parseFields, useService } from './service.ts'
import { getNewest, undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'] })
const { change, dryRun, createMany, readAll } = createBulk(service)
const names = useNames(service)

let authors = 0

/** A new author, and what they do. */
async function createAuthor() {
  const name = `author ${++authors}`
  const key = await createToken(service.server(), name, 'publisher')
  const call = async (method: string, path: string, json: Fields) => {
    const headers = { Authorization: `Token ${key}` }
    const answer = await service.call({ method, path: `/api/v2/video${path}`, json, headers })
    expect(answer.status).toBeOneOf([200, 201])
    return parseFields(answer)
  }
  return {
    name,
    patch: (id: unknown, json: Fields) => call('PATCH', `/${id}`, json),
    create: (json: Fields) => call('POST', '', { category: 'Restored', title: 'Theirs', ...json }),
  }
}

const since = '2020-01-01'

describe('A restore', () => {
  test('gives each field the value before the author’s first change, and is undone like any batch', async () => {
    const ids = await createMany(2, { summary: 'Old', tags: ['a'], language: 'German' })
    const author = await createAuthor()
    for (const id of ids) await author.patch(id, { summary: 'Bad', tags: [] })
    await author.patch(ids[0], { summary: 'Worse', state: 2 })
    const body = { select: { by: author.name, since }, restore: true, reason: 'Spam' }
    const told = await dryRun(body)
    expect(told).toMatchObject({ kind: 'restore', total: 2, changed: 2 })
    const batch = await change({ ...body, expect: 2 })
    expect(batch).toMatchObject({ kind: 'restore', by: 'the publisher', reason: 'Spam', changed: 2, left: [] })
    for (const record of await readAll(ids)) expect(record).toMatchObject({ summary: 'Old', tags: ['a'], state: 1 })
    expect(await getNewest(service, ids[1])).toMatchObject({ batch: batch.id, changed: ['tags', 'summary'] })
    const undone = parseFields(await undo(service, batch.id, { as: 'publisher' }))
    expect(undone).toMatchObject({ changed: 2, left: [] })
    expect(await readAll(ids)).toMatchObject([
      { summary: 'Worse', tags: [], state: 2 },
      { summary: 'Bad', tags: [], state: 1 },
    ])
  })

  test('keeps what somebody else has changed since, or what has its earlier value, and names it', async () => {
    const [one = 0, two = 0] = await createMany(2, { summary: 'Old' })
    const author = await createAuthor()
    await author.patch(one, { summary: 'Bad', title: 'Bad', language: 'fr' })
    await service.patch(one, { summary: 'Mended', language: '' })
    await author.patch(two, { summary: 'Bad' })
    await service.patch(two, { summary: 'Old' })
    const batch = await change({ select: { by: author.name, since }, restore: true, expect: 2 })
    expect(batch).toMatchObject({ total: 2, changed: 1, unchanged: 1, left_count: 3 })
    expect(batch.left).toEqual([
      { id: one, fields: ['language'], why: 'already_restored' },
      { id: one, fields: ['summary'], why: 'changed_since' },
      { id: two, fields: ['summary'], why: 'already_restored' },
    ])
    expect(await readAll([one, two])).toMatchObject([
      { summary: 'Mended', title: 'A talk', language: '' },
      { summary: 'Old' },
    ])
  })

  test('restores the state before the first change in that time, not an earlier one', async () => {
    const [id = 0] = await createMany(1, { summary: 'Old' })
    const author = await createAuthor()
    await author.patch(id, { summary: 'Good' })
    await Bun.sleep(5)
    const { updated } = await author.patch(id, { summary: 'Bad' })
    await author.patch(id, { summary: 'Worse' })
    const select = { by: author.name, since: updated, until: updated }
    expect(await change({ select, restore: true, expect: 1 })).toMatchObject({ changed: 1 })
    expect(await readAll([id])).toMatchObject([{ summary: 'Good' }])
  })

  test('makes a draft of a record that the author created, and keeps its fields', async () => {
    const author = await createAuthor()
    const { id: live } = await author.create({ state: 1, summary: 'Made' })
    const { id: draft } = await author.create({ state: 2 })
    const body = { select: { by: author.name, since }, restore: true, expect: 2 }
    const batch = await change(body)
    expect(batch).toMatchObject({ changed: 1, left: [{ id: draft, fields: ['state'], why: 'already_draft' }] })
    expect(await readAll([Number(live)])).toMatchObject([{ state: 2, summary: 'Made', title: 'Theirs' }])
  })

  test('keeps a player that somebody else has set since', async () => {
    const url = (id: string) => `https://www.youtube.com/watch?v=${id.repeat(11)}`
    const [id = 0] = await createMany(1, { source_url: url('a') })
    const author = await createAuthor()
    await author.patch(id, { source_url: url('b') })
    const embed = '<iframe src="https://example.org/player"></iframe>'
    await service.patch(id, { embed })
    const batch = await change({ select: { by: author.name, since }, restore: true, expect: 1 })
    expect(batch.left).toEqual([{ id, fields: ['embed'], why: 'changed_since' }])
    expect(await readAll([id])).toMatchObject([{ source_url: url('a'), embed }])
  })
})

/** Somebody with a key who may do everything but undo the batches of others. */
async function createVandal() {
  const name = `vandal ${++authors}`
  const key = await createToken(service.server(), name, 'publisher')
  const curator = createCurator(service)
  await curator.signIn(key)
  return {
    name,
    async send(method: string, path: string, json: Fields): Promise<Fields> {
      const answer = await service.call({
        ...{ method, path: `/api/v2/${path}`, json },
        headers: { Authorization: `Token ${key}` },
      })
      if (answer.status > 201) fail(`${path}: ${answer.status} ${answer.body}`)
      return parseFields(answer)
    },
    get: (path: string) => curator.get(path),
    async setLinks(id: unknown, links: string): Promise<void> {
      const answer = await sendForm(curator, await openForm(curator, `/edit/video/${id}/related`), {
        'field.lines': links,
      })
      expect(answer.status).toBe(303)
    },
  }
}

type Author = Awaited<ReturnType<typeof createVandal>>

let worlds = 0

/** Talks, events and names that no other test has, and what everybody sees of them. */
async function createWorld() {
  const n = ++worlds
  const [good, other, lost] = [`Good event ${n}`, `Other event ${n}`, `Lost event ${n}`]
  const fields = { category: good, tags: [`topic ${n}`, `misc ${n}`], speakers: [`Ada ${n}`, `Bob ${n}`] }
  const one = await service.create({ ...fields, title: 'One' })
  const two = await service.create({ ...fields, title: 'Two', category: other, speakers: [`Cleo ${n}`] })
  const three = await service.create({ ...fields, title: 'Three', category: lost, tags: [`spare ${n}`] })
  const slugs = [`good-event-${n}`, `other-event-${n}`, `lost-event-${n}`, `renamed-event-${n}`, `spam-event-${n}`]
  await names.ask('PATCH', `category/${slugs[0]}`, { description: 'As it was', url: 'https://good.example/' })
  const ids = [one.id, two.id, three.id]
  const tag = await names.findName('tag', `topic ${n}`)
  const spare = await names.findName('tag', `spare ${n}`)
  const ada = await names.findName('speaker', `Ada ${n}`)
  const bob = await names.findName('speaker', `Bob ${n}`)
  const cleo = await names.findName('speaker', `Cleo ${n}`)
  await names.ask('PATCH', `speaker/${ada.id}`, { note: 'Keeps lamps', links: ['https://ada.example/'] })
  const paths = [
    ...ids.flatMap((id) => [`video/${id}?format=json`, `video/${id}/related`]),
    ...slugs.map((slug) => `category/${slug}`),
    ...[tag, spare].map(({ id }) => `tag/${id}`),
    ...[ada, bob, cleo].map(({ id }) => `speaker/${id}`),
    `category?page_size=100&q=${n}`,
    `tag?page_size=100&q=${n}`,
  ]
  /** What there is, without times. */
  async function look(): Promise<unknown> {
    const seen: unknown[] = []
    for (const path of paths) {
      const roles = path.startsWith('category') ? (['none'] as const) : (['none', 'publisher'] as const)
      for (const as of roles) {
        const { status, body } = await names.get(path, as)
        seen.push([path, as, status, status === 200 ? body.replace(/"updated":"[^"]+"/g, '') : ''])
      }
    }
    return seen
  }
  return { n, one, two, three, slugs, tag, spare, ada, bob, cleo, look }
}

type World = Awaited<ReturnType<typeof createWorld>>

/** Everything that a publisher can do to an archive. */
async function vandalize({ n, one, two, slugs, tag, spare, ada, bob, cleo }: World, vandal: Author) {
  await vandal.setLinks(one.id, 'https://spam.example/ Spam')
  await vandal.send('PATCH', `category/${slugs[0]}`, { description: 'SPAM', url: 'https://spam.example/' })
  await vandal.send('PATCH', `category/${slugs[0]}`, { description: 'MORE SPAM' })
  await vandal.send('POST', 'category', { title: `SPAM event ${n}`, description: 'Buy' })
  await vandal.send('PATCH', `tag/${tag.id}`, { name: `spam ${n}` })
  await vandal.send('PATCH', `tag/${tag.id}`, { name: `worse ${n}` })
  await vandal.send('POST', `tag/${spare.id}/merge`, { into: tag.id })
  await vandal.send('PATCH', `speaker/${ada.id}`, { note: 'SPAM' })
  await vandal.send('PATCH', `speaker/${ada.id}`, { name: `Spammer ${n}`, note: 'MORE SPAM' })
  await vandal.send('POST', `speaker/${ada.id}/merge`, { into: bob.id })
  await vandal.send('POST', `speaker/${cleo.id}/merge`, { into: bob.id })
  await vandal.send('PATCH', `speaker/${bob.id}`, { note: 'SPAM' })
  await vandal.send('PATCH', `category/${slugs[1]}`, { title: `Renamed event ${n}`, whiteboard: 'x' })
  await vandal.send('POST', `category/${slugs[2]}/merge`, { into: slugs[0] })
  await vandal.send('PATCH', `video/${one.id}`, { title: 'SPAM', tags: [`worse ${n}`] })
  await vandal.send('PATCH', `video/${two.id}`, { category: `SPAM event ${n}` })
  await vandal.send('POST', 'video', { category: `SPAM event ${n}`, title: 'Buy this', state: 1 })
}

describe('A restore of all that an author did', () => {
  const toBody = ({ name }: Author) => ({ select: { by: name, since }, restore: true })

  test('reverts links, events and names too, as one batch that can be undone, as can that undo', async () => {
    const world = await createWorld()
    const vandal = await createVandal()
    const ann = await createVandal()
    await ann.setLinks(world.one.id, 'https://example.org/slides Slides')
    const before = await world.look()
    await vandalize(world, vandal)
    const after = await world.look()
    expect(after).not.toEqual(before)
    const told = await dryRun(toBody(vandal))
    expect(await world.look()).toEqual(after)
    const batch = await change({ ...toBody(vandal), expect: told.total })
    expect(await world.look()).toEqual(before)
    const { id: _, at: __, ...report } = batch
    expect(told).toMatchObject(report)
    expect(batch.left).toEqual([])
    const done = (kind: string, id: unknown, fields: readonly string[]) => ({ kind, id, fields, left: null, by: null })
    expect(new Set(batch.others as Fields[])).toEqual(
      new Set([
        done('category', world.slugs[0], ['description', 'url']),
        done('category', world.slugs[1], ['title', 'whiteboard']),
        done('category', world.slugs[2], ['merged_into']),
        done('category', world.slugs[4], ['listed']),
        done('tag', world.tag.id, ['name']),
        done('tag', world.spare.id, ['merged_into']),
        done('speaker', world.ada.id, ['name']),
        done('speaker', world.ada.id, ['merged_into']),
        done('speaker', world.ada.id, ['note']),
        done('speaker', world.bob.id, ['note', 'links']),
        done('speaker', world.cleo.id, ['merged_into']),
      ]),
    )
    expect(told.differences).toContainEqual({
      id: world.one.id,
      fields: expect.objectContaining({
        title: { before: 'SPAM', after: 'One' },
        related: {
          before: { links: [{ url: 'https://spam.example/', label: 'Spam', kind: 'other' }] },
          after: { links: [{ url: 'https://example.org/slides', label: 'Slides', kind: 'slides' }] },
        },
      }),
    })
    const undone = parseFields(await undo(service, batch.id, { as: 'publisher' }))
    expect(undone).toMatchObject({ left: [] })
    expect(await world.look()).toEqual(after)
    const again = parseFields(await undo(service, undone.id, { as: 'publisher' }))
    expect(again).toMatchObject({ left: [] })
    expect(await world.look()).toEqual(before)
  })

  test('keeps what others have changed since, and names each part', async () => {
    const world = await createWorld()
    const { n, one, slugs, tag, ada, bob } = world
    const [vandal, ann] = [await createVandal(), await createVandal()]
    await vandalize(world, vandal)
    await ann.setLinks(one.id, 'https://example.org/ann Ann')
    await ann.send('PATCH', `category/${slugs[0]}`, { description: 'Ann’s words' })
    await ann.send('PATCH', `tag/${tag.id}`, { name: `ann’s ${n}` })
    await ann.send('PATCH', `speaker/${bob.id}`, { note: 'Ann’s note' })
    await ann.send('POST', 'video', { category: `SPAM event ${n}`, title: 'A real talk', state: 1 })
    const told = await dryRun(toBody(vandal))
    const batch = await change({ ...toBody(vandal), expect: told.total })
    expect(told.others).toEqual(batch.others)
    const left = (batch.others as readonly Fields[]).filter((each) => each.left !== null)
    expect(left).toEqual(
      expect.arrayContaining([
        { kind: 'category', id: slugs[0], fields: ['description'], left: 'changed_since', by: ann.name },
        { kind: 'category', id: slugs[4], fields: ['listed'], left: 'in_use', by: null },
        { kind: 'tag', id: tag.id, fields: ['name'], left: 'changed_since', by: ann.name },
        { kind: 'speaker', id: bob.id, fields: ['note'], left: 'changed_since', by: ann.name },
      ]),
    )
    expect(batch.left).toContainEqual({ id: one.id, fields: ['tags', 'related'], why: 'changed_since' })
    expect(parseFields(await names.get(`category/${slugs[0]}`, 'none'))).toMatchObject({
      ...{ description: 'Ann’s words', url: 'https://good.example/' },
    })
    expect(parseFields(await names.get(`tag/${tag.id}`, 'none'))).toMatchObject({ name: `ann’s ${n}` })
    expect(parseFields(await names.get(`speaker/${ada.id}`, 'none'))).toMatchObject({
      ...{ name: `Ada ${n}`, note: 'Keeps lamps', links: ['https://ada.example/'] },
    })
    expect(parseFields(await names.get(`speaker/${bob.id}`, 'none'))).toMatchObject({ note: 'Ann’s note', links: [] })
    expect((await names.get(`category/${slugs[4]}`, 'none')).status).toBe(200)
    const page = toText((await ann.get(`/edit/batches/${batch.id}`)).body)
    for (const text of [
      `Event ${slugs[0]} : Description: changed since by ${ann.name}`,
      `Event ${slugs[4]} : Shown to viewers: talks still use it`,
      `Tag ${tag.id} : Name: changed since by ${ann.name}`,
      `Speaker ${bob.id} : Note: changed since by ${ann.name}`,
      'Related links: changed again since',
      `Event ${slugs[0]} : Web page`,
    ])
      expect(page).toContain(text)
  })

  test('prints on the command line what it reverted, and what it kept', async () => {
    const world = await createWorld()
    const [vandal, ann] = [await createVandal(), await createVandal()]
    await vandalize(world, vandal)
    await ann.send('PATCH', `category/${world.slugs[0]}`, { description: 'Ann’s words' })
    const run = (...more: readonly string[]) =>
      runRostrum('bulk', '--by', vandal.name, '--since', since, '--restore', '--db', service.server().db, ...more)
    const told = 'of 4 records, 0 unchanged; 3 categories restored, 1 category hidden, 5 names restored'
    const left = `left category ${world.slugs[0]}: description (changed since by ${ann.name})`
    const dry = await run('--dry-run')
    expect([dry.exitCode, dry.stdout]).toEqual([
      0,
      expect.stringContaining(`would change 4 ${told}. Nothing was stored.`),
    ])
    expect(dry.stdout).toContain(left)
    const { exitCode, stdout } = await run('--expect', '4')
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`Changed 4 ${told}: batch `)])
    expect(stdout).toContain(left)
  })

  test('of only an event makes a batch, too', async () => {
    const vandal = await createVandal()
    const title = `Nothing but spam ${++worlds}`
    const { slug } = await vandal.send('POST', 'category', { title })
    expect((await names.get(`category/${slug}`, 'none')).status).toBe(200)
    const batch = await change({ ...toBody(vandal), expect: 0 })
    expect(batch).toMatchObject({ total: 0, changed: 0, others: [{ kind: 'category', id: slug, fields: ['listed'] }] })
    expect((await names.get(`category/${slug}`, 'none')).status).toBe(404)
    expect(resultsOf(await names.get(`category?q=${encodeURIComponent(title)}`, 'none'))).toEqual([])
    await undo(service, batch.id, { as: 'publisher' })
    expect((await names.get(`category/${slug}`, 'none')).status).toBe(200)
  })

  test('of only the profile of a speaker makes a batch, too', async () => {
    const name = names.toNew('Said')
    await names.createTalk('speaker', [name])
    const { id } = await names.findName('speaker', name)
    const vandal = await createVandal()
    await vandal.send('PATCH', `speaker/${id}`, { note: 'SPAM' })
    const told = await dryRun(toBody(vandal), { as: 'editor' })
    const left = { kind: 'speaker', id, fields: ['note'], left: 'publisher_required', by: null }
    expect(told.others).toEqual([left])
    const batch = await change({ ...toBody(vandal), expect: 0 })
    expect(batch).toMatchObject({ changed: 0, others: [{ kind: 'speaker', id, fields: ['note'], left: null }] })
    expect(parseFields(await names.get(`speaker/${id}`))).toMatchObject({ note: '' })
    await undo(service, batch.id, { as: 'publisher' })
    expect(parseFields(await names.get(`speaker/${id}`))).toMatchObject({ note: 'SPAM' })
  })

  test('keeps the old id of a renamed name with its records', async () => {
    const tag = names.toNew('Old tag')
    const id = await names.createTalk('tag', [tag])
    const entry = await names.findName('tag', tag)
    const vandal = await createVandal()
    await vandal.send('PATCH', `tag/${entry.id}`, { name: names.toNew('New tag') })
    await change({ ...toBody(vandal), expect: 1 })
    expect(await names.readNames('tag', id)).toEqual([tag])
    expect(parseFields(await names.get(`tag/${entry.id}`))).toMatchObject({ name: tag, slug: entry.slug, count: 1 })
  })

  test('by an editor keeps events and names, and says so', async () => {
    const vandal = await createVandal()
    const title = `For publishers ${++worlds}`
    const { slug } = await vandal.send('POST', 'category', { title })
    const told = await dryRun(toBody(vandal), { as: 'editor' })
    expect(told.others).toEqual([
      { kind: 'category', id: slug, fields: ['listed'], left: 'publisher_required', by: null },
    ])
  })
})
