import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { listPath, toPath, useService } from './service.ts'

const service = useService()

const guess = (number: number) => ({
  method: 'GET',
  path: toPath(1),
  headers: { Authorization: `Token rst_${String(number).padStart(40, '0')}` },
})

describe('Wrong tokens from one address', () => {
  test('get 401 twenty times, then 429 with Retry-After', async () => {
    const statuses: number[] = []
    for (let number = 0; number < 25; number += 1) {
      const answer = await service.call(guess(number))
      checkEveryAnswer(guess(number), answer)
      statuses.push(answer.status)
      if (answer.status === 429) expect(headerOf(answer, 'Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
  })

  test('do not keep right ones from passing', async () => {
    const { id } = await service.create({ state: 2 })
    expect((await service.read(id)).status).toBe(200)
    expect((await service.patch(id, { summary: 'x' })).status).toBe(200)
  })

  test('do not keep those without a token from reading', async () => {
    const { id } = await service.create()
    expect((await service.call({ method: 'GET', path: toPath(id) })).status).toBe(200)
    expect((await service.call({ method: 'GET', path: listPath })).status).toBe(200)
  })

  test('stay refused after right ones have passed', async () => {
    await service.create()
    expect((await service.call(guess(99))).status).toBe(429)
  })
})
