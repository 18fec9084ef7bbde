import { describe, expect, test } from 'bun:test'
import { openEngine } from '../../src/store/open.ts'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { getPage } from './list-page.ts'
import { type Fields, listPath, parseFields, type Role, tagOf, useService } from './service.ts'

const service = useService({ roles: ['editor', 'publisher'] })

function post(key: string, fields: Fields, as: Role = 'publisher', query = '') {
  const json = { category: 'Keys', title: 'Once', ...fields }
  const headers = { 'Idempotency-Key': key }
  return service.call({ method: 'POST', path: `${listPath}${query}`, as, json, headers })
}

const countAll = async () => (await getPage(service, 'page_size=1', 'admin')).count

describe('An Idempotency-Key', () => {
  test('that comes again with the same body gets the first answer, and makes no second record', async () => {
    const first = await post('again', { title: 'Again' })
    const count = await countAll()
    const second = await post('again', { title: 'Again' })
    checkEveryAnswer({ method: 'POST', path: listPath }, second)
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect(tagOf(second)).toBe(tagOf(first))
    expect(headerOf(second, 'Content-Location')).toBe(headerOf(first, 'Content-Location'))
    expect(headerOf(second, 'Location')).toBeNull()
    expect(await countAll()).toBe(count)
  })

  test('gets the first answer though the record has changed since', async () => {
    const first = await post('changed-since', { title: 'Before' })
    expect((await service.patch(parseFields(first).id, { title: 'After', state: 1 })).status).toBe(200)
    const second = await post('changed-since', { title: 'Before' })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(parseFields(await service.read(parseFields(first).id)).title).toBe('After')
  })

  test('with another body is refused, and nothing is made', async () => {
    await post('other-body', { title: 'One' })
    const count = await countAll()
    const answer = await post('other-body', { title: 'Two' })
    checkEveryAnswer({ method: 'POST', path: listPath }, answer)
    expect([answer.status, await countAll()]).toEqual([400, count])
    expect(parseFields(answer).detail).toContain('Idempotency-Key')
  })

  test('sent twenty times at once makes one record', async () => {
    const count = await countAll()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('at-once', { title: 'At once' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await countAll()).toBe(count + 1)
  })

  test('is each token’s own', async () => {
    const [one, other] = [await post('shared', {}, 'publisher'), await post('shared', {}, 'editor')]
    expect(parseFields(one).id).not.toBe(parseFields(other).id)
  })

  test('of a refused body can be used again', async () => {
    expect((await post('refused', { title: '' })).status).toBe(400)
    expect((await post('refused', { state: 1 }, 'editor')).status).toBe(403)
    expect((await post('refused', { title: 'Better' })).status).toBe(201)
    expect((await post('refused', { title: 'Better' }, 'editor')).status).toBe(201)
  })

  test('of a dry run is not used up', async () => {
    const tried = await post('tried', { title: 'Tried' }, 'publisher', '?dry_run=1')
    expect([tried.status, parseFields(tried).id]).toEqual([200, 0])
    const made = await post('tried', { title: 'Performed' })
    expect([made.status, Number(parseFields(made).id) > 0]).toEqual([201, true])
  })

  test('is forgotten after a day', async () => {
    const first = await post('old', {})
    const db = (await openEngine(service.server().db)).open('write')
    await db.script("UPDATE idempotency SET at = '2001-01-01T00:00:00.000' WHERE key = 'old'")
    await db.close()
    const second = await post('old', { title: 'Another' })
    expect([second.status, parseFields(second).id !== parseFields(first).id]).toEqual([201, true])
  })

  test('may have 255 visible characters', async () => {
    const key = `!~"{}${'x'.repeat(250)}`
    const [first, second] = [await post(key, {}), await post(key, {})]
    expect([first.status, second.body]).toEqual([201, first.body])
  })

  for (const [name, key] of [
    ['of 256 characters', 'x'.repeat(256)],
    ['with other letters', 'clé'],
  ] as const) {
    test(`${name} is refused by name`, async () => {
      const count = await countAll()
      const answer = await post(key, {})
      expect([answer.status, await countAll()]).toEqual([400, count])
      expect(parseFields(answer).detail).toContain('Idempotency-Key')
    })
  }

  test('that is empty counts as none', async () => {
    const [first, second] = [await post('', {}), await post('', {})]
    expect(parseFields(first).id).not.toBe(parseFields(second).id)
  })
})
