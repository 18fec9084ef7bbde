import { describe, expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { type AuditedChange, openGoodStream, openStream, readChanges } from './event-stream.ts'
import { checkEveryAnswer } from './every-answer.ts'
import {
  type Fields,
  fail,
  listPath,
  parseFields,
  type Role,
  requiredFields,
  tagOf,
  toPath,
  useService,
} from './service.ts'
import { toHeaderText } from './versions.ts'

// Runner: long checkout

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '2'] })

const path = '/api/v2/changes'
const admin = 'ROSTRUM_ADMIN_TOKEN'

async function ask(query: string, as: Role = 'none', headers: HeaderList = {}): Promise<RawAnswer> {
  const call = { method: 'GET', path: `${path}${query}`, as, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

async function getPage(query: string, as: Role = 'reader') {
  const answer = await ask(query, as)
  if (answer.status !== 200) fail(`${query} got ${answer.status}: ${answer.body}`)
  const page: { readonly changes: readonly AuditedChange[]; readonly next: number } = JSON.parse(answer.body)
  return page
}

const findLast = async () => (await readChanges(service.server(), 0, service.keyOf('reader'))).at(-1)?.seq ?? 0

async function write(method: string, at: string, as: Role, json: Fields, reason?: string): Promise<Fields> {
  const headers: HeaderList = reason === undefined ? {} : { 'Change-Reason': toHeaderText(reason) }
  const answer = await service.call({ method, path: at, as, json, headers })
  return answer.status < 300 ? parseFields(answer) : fail(`${answer.status}: ${answer.body}`)
}

/** A draft of the editor, which the publisher publishes. */
async function writeStory() {
  const before = await findLast()
  const { id } = await write('POST', listPath, 'editor', requiredFields, 'from the programme')
  await write('PATCH', toPath(id), 'editor', { summary: 'Short', tags: ['audit'] })
  await write('PATCH', toPath(id), 'publisher', { state: 1 }, 'ready – now')
  await write('PATCH', toPath(id), 'admin', { state: 2, title: 'Hidden' }, 'a secret cause')
  return { id, before }
}

const author = 'by=the%20editor'

describe('Changes for token holders', () => {
  test('say who made them, why, and which fields they changed', async () => {
    const { id, before } = await writeStory()
    const answer = await ask(`?since=${before}`, 'reader')
    const { changes } = await getPage(`?since=${before}`)
    const [created, ...others] = changes
    expect(others.map(({ by, reason, fields }) => ({ by, reason, fields }))).toEqual([
      { by: 'the editor', reason: null, fields: ['tags', 'summary'] },
      { by: 'the publisher', reason: 'ready – now', fields: ['state'] },
      { by: admin, reason: 'a secret cause', fields: ['state', 'title'] },
    ])
    expect(created).toMatchObject({ by: 'the editor', reason: 'from the programme' })
    const history = parseFields(await service.call({ method: 'GET', path: `${toPath(id)}/history`, as: 'reader' }))
    const versions = history.results as readonly { readonly changed: readonly string[] }[]
    expect(changes.map(({ fields }) => fields)).toEqual(versions.map(({ changed }) => changed).reverse())
    expect(Object.keys(created ?? {})).toEqual(['seq', 'id', 'version', 'at', 'kind', 'by', 'reason', 'fields'])
    expect(answer.headers.get('cache-control')).toEqual(['private, no-store'])
  })

  test('name no author for an erased record', async () => {
    const { id } = await service.create()
    const before = await findLast()
    await runRostrum('purge', String(id), '--yes', '--db', service.server().db)
    await until('the feed tells of it', async () => (await findLast()) > before)
    const { changes } = await getPage(`?since=${before}`)
    expect(changes).toMatchObject([{ id, kind: 'withdrawn', by: null, reason: null, fields: [] }])
    expect((await getPage(`?since=${before}&by=${admin}`)).changes).toEqual([])
  })

  test('say who made a batch and why', async () => {
    const category = `Audited ${crypto.randomUUID()}`
    await service.create({ category })
    const before = await findLast()
    const slug = category.toLowerCase().replace(' ', '-')
    await write('PATCH', `/api/v2/category/${slug}`, 'publisher', { title: `${category} 2` }, 'full name')
    const { changes } = await getPage(`?since=${before}`)
    expect(changes).toMatchObject([{ by: 'the publisher', reason: 'full name', fields: ['category'] }])
  })
})

describe('Changes of one author', () => {
  test('are those of exactly this name, in order, whatever the size of the page', async () => {
    await writeStory()
    const { before } = await writeStory()
    const all = await readChanges(service.server(), 0, service.keyOf('reader'))
    const wanted = all.filter(({ by }) => by === 'the editor')
    expect(wanted.length).toBeGreaterThan(3)
    for (const size of [1, 2, 1_000]) {
      const found: AuditedChange[] = []
      for (let since = 0, isMore = true; isMore; ) {
        const { changes, next } = await getPage(`?${author}&since=${since}&page_size=${size}`)
        found.push(...changes)
        expect(next).toBeGreaterThanOrEqual(changes.at(-1)?.seq ?? since)
        isMore = next > since
        since = next
      }
      expect(found).toEqual(wanted)
    }
    for (const name of ['The%20Editor', 'the', 'nobody', '%25', "'"]) {
      expect((await getPage(`?since=${before}&by=${name}`)).changes).toEqual([])
    }
    expect((await getPage(`?since=${before}&by=`)).changes).toHaveLength(4)
  })

  test('skip those of others, so that a follower continues after them', async () => {
    await service.create()
    const last = await findLast()
    expect(await getPage(`?since=0&by=nobody`)).toMatchObject({ changes: [], next: last })
    const { before } = await writeStory()
    const { changes, next } = await getPage(`?since=${before}&${author}`)
    expect([changes.length, next]).toEqual([2, await findLast()])
    expect(await getPage(`?since=${next}&${author}`)).toMatchObject({ changes: [], next })
    const full = await getPage(`?since=${before}&${author}&page_size=2`)
    expect(full.next).toBe(changes.at(-1)?.seq ?? 0)
  })
})

describe('The public', () => {
  test('gets only the five public members, without author, reason and fields, even after token holders asked', async () => {
    const { before } = await writeStory()
    const query = `?since=${before}`
    const known = await ask(query, 'reader')
    for (let time = 0; time < 6; time++) {
      const answer = await ask(query)
      expect(JSON.parse(answer.body).changes.map(Object.keys)).toEqual(
        Array(2).fill(['seq', 'id', 'version', 'at', 'kind']),
      )
      for (const word of ['editor', 'secret', 'ready', 'fields', 'reason', 'summary'])
        expect(answer.body).not.toContain(word)
      expect(tagOf(answer)).not.toBe(tagOf(known))
    }
    expect((await ask(query, 'none', { 'If-None-Match': tagOf(known) })).status).toBe(200)
  })

  test('gets no more from a stream, past or live, while token holders read it too', async () => {
    const since = await findLast()
    await writeStory()
    const [behind, live, holder] = await Promise.all([
      openGoodStream(service.server(), { since }),
      openGoodStream(service.server()),
      openGoodStream(service.server(), { key: service.keyOf('reader') }),
    ])
    await writeStory()
    await holder.waitForChanges(4)
    const told = [...(await behind.waitForChanges(4)), ...(await live.waitForChanges(2))]
    expect(told.map(Object.keys)).toEqual(Array(6).fill(['seq', 'id', 'version', 'at', 'kind']))
    for (const stream of [behind, live, holder]) stream.close()
  })
})

describe('A stream', () => {
  test('sends token holders what the pages contain, past and live', async () => {
    const since = await findLast()
    await writeStory()
    const key = service.keyOf('reader')
    const [behind, live] = [
      await openGoodStream(service.server(), { key, since }),
      await openGoodStream(service.server(), { key }),
    ]
    await writeStory()
    const pages = await readChanges(service.server(), since, key)
    expect(pages.map(({ by }) => by)).toEqual([...story, ...story])
    expect(await behind.waitForChanges(8)).toEqual(pages)
    expect(await live.waitForChanges(4)).toEqual(pages.slice(4))
    for (const stream of [behind, live]) stream.close()
  })

  test('of one author has no changes of others, past and live', async () => {
    const since = await findLast()
    await writeStory()
    const key = service.keyOf('reader')
    const options = { key, query: author }
    const [behind, live, other] = [
      await openGoodStream(service.server(), { ...options, since }),
      await openGoodStream(service.server(), options),
      await openGoodStream(service.server(), { key, query: 'by=the%20publisher' }),
    ]
    await writeStory()
    const wanted = (await readChanges(service.server(), since, key)).filter(({ by }) => by === 'the editor')
    expect(await behind.waitForChanges(4)).toEqual(wanted)
    expect(await live.waitForChanges(2)).toEqual(wanted.slice(2))
    expect((await other.waitForChanges(1)).map(({ by }) => by)).toEqual(['the publisher'])
    for (const stream of [behind, live, other]) stream.close()
    expect((await openStream(service.server(), { query: author })).status).toBe(401)
  })
})

test('A reader of one author who knows another store gets the same error', async () => {
  await writeStory()
  const other = '0123456789abcdef'
  for (const query of [`?${author}&since=1&store=${other}`, `?${author}&since=${other}.1`]) {
    const answer = await ask(query, 'reader')
    expect([answer.status, parseFields(answer).type]).toEqual([409, 'urn:rostrum:problem:other_store'])
  }
  const options = { key: service.keyOf('reader'), query: author, lastEventId: `${other}.1` }
  const stream = await openGoodStream(service.server(), options)
  await stream.waitForText('event: reset\n')
  await writeStory()
  expect((await stream.waitForChanges(2)).map(({ by }) => by)).toEqual(['the editor', 'the editor'])
  stream.close()
})

/** The authors of `writeStory`. */
const story = ['the editor', 'the editor', 'the publisher', admin]
