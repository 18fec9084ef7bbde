import { describe, expect, test } from 'bun:test'
import { parseFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })
const at = (id: unknown) => `${toPath(id)}/extras`

describe('The extras of a record', () => {
  test('are nothing for one that was made here', async () => {
    const { id } = await service.create({ category: 'Extras', title: 'Made here', state: 1 })
    const answer = await service.call({ method: 'GET', path: at(id) })
    expect([answer.status, parseFields(answer)]).toEqual([200, { origin: null, extras: {} }])
  })

  test('of a draft are for token holders', async () => {
    const { id } = await service.create({ category: 'Extras', title: 'Not yet', state: 2 })
    const statuses = ['none', 'reader'] as const
    const answers = await Promise.all(statuses.map((as) => service.call({ method: 'GET', path: at(id), as })))
    expect(answers.map(({ status }) => status)).toEqual([404, 200])
  })
})

const rows: readonly Row[] = [
  ...['0', '01', 'x', '999999'].map((id) => ({ name: `There is no ${id}`, method: 'GET', path: at(id), status: 404 })),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => {
    return { name: `${method} is not allowed`, method, path: at(1), status: 405, has: { Allow: 'GET, HEAD, OPTIONS' } }
  }),
]

describe('The addresses of extras', () => runTable(rows, service))
