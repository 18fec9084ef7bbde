import { describe, expect, test } from 'bun:test'
import { listPath, parseFields, requiredFields, toPath, useService } from './service.ts'
import { errorNamesOf } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const readOnly = { slug: 'mine', added: '1999-01-01T00:00:00.000', updated: '1999-01-01T00:00:00.000' }
const junk = { slug: null, added: 5, updated: 'never' }

describe('A read-only field', () => {
  for (const values of [readOnly, junk]) {
    test(`is ignored on POST: ${JSON.stringify(values)}`, async () => {
      const json = { ...requiredFields, ...values }
      const answer = await service.call({ method: 'POST', path: listPath, as: 'admin', json })
      expect(answer.status).toBe(201)
      const record = parseFields(answer)
      for (const [name, value] of Object.entries(values)) expect(record[name]).not.toEqual(value)
    })

    for (const method of ['PUT', 'PATCH']) {
      test(`is ignored on ${method}: ${JSON.stringify(values)}`, async () => {
        const { id, slug, added } = await service.create()
        const json = { ...requiredFields, ...values, summary: 'new' }
        const answer = await service.call({ method, path: toPath(id), as: 'admin', json })
        expect(answer.status).toBe(200)
        const record = parseFields(answer)
        expect([record.slug, record.added, record.summary]).toEqual([slug, added, 'new'])
        expect(record.updated).not.toBe(values.updated)
      })
    }
  }

  test('is ignored on POST when it is the id', async () => {
    const json = { ...requiredFields, id: 987_654_321 }
    const answer = await service.call({ method: 'POST', path: listPath, as: 'admin', json })
    expect(answer.status).toBe(201)
    expect(parseFields(answer).id).not.toBe(987_654_321)
  })
})

const others: readonly ((id: number) => unknown)[] = [
  (id) => id + 1,
  (id) => String(id + 1),
  (id) => `0${id}`,
  (id) => ` ${id}`,
  (id) => `${id}.0`,
  (id) => `+${id}`,
  () => '',
  () => null,
  () => 0,
  () => [],
  () => true,
]

describe('An id in the body', () => {
  for (const method of ['PUT', 'PATCH']) {
    test(`of a ${method} is taken when it is the path’s`, async () => {
      const { id } = await service.create()
      const json = { ...requiredFields, id, summary: 'with its id' }
      const answer = await service.call({ method, path: toPath(id), as: 'admin', json })
      expect([answer.status, parseFields(answer).id]).toEqual([200, id])
    })

    test(`of a ${method} is the path’s when it is the same JSON number`, async () => {
      const { id } = await service.create()
      const body = `{"category":"Contract tests","title":"A talk","id":${id}.0}`
      const answer = await service.call({ method, path: toPath(id), as: 'admin', body })
      expect(answer.status).toBe(200)
    })

    test(`of a ${method} is the path’s when it is its digits as text, as old clients send it`, async () => {
      const { id } = await service.create()
      const json = { ...requiredFields, id: String(id), summary: 'with its id as text' }
      const answer = await service.call({ method, path: toPath(id), as: 'admin', json })
      expect([answer.status, parseFields(answer).id]).toEqual([200, id])
    })

    for (const toOther of others) {
      test(`of a ${method} is an error when it is another: ${JSON.stringify(toOther(7))} for 7`, async () => {
        const { id } = await service.create()
        const json = { ...requiredFields, id: toOther(Number(id)), summary: 'not written' }
        const answer = await service.call({ method, path: toPath(id), as: 'admin', json })
        expect([answer.status, errorNamesOf(answer)]).toEqual([400, ['id']])
        expect(parseFields(await service.read(id)).summary).toBe('')
      })
    }
  }
})

describe('A record that was read', () => {
  test('can be sent back whole', async () => {
    const { id } = await service.create({ source_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })
    const before = await service.read(id)
    const answer = await service.call({ method: 'PUT', path: toPath(id), as: 'admin', body: before.body })
    expect([answer.status, answer.body]).toEqual([200, before.body])
  })

  test('can be sent back with one field changed', async () => {
    const record = await service.create({ title: 'Before' })
    const json = { ...record, title: 'After' }
    const answer = await service.call({ method: 'PUT', path: toPath(record.id), as: 'admin', json })
    const { updated } = parseFields(answer)
    expect(parseFields(answer)).toEqual({ ...json, updated })
  })
})
