import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headerOf } from '../harness/raw.ts'
import { listRefusals } from '../harness/refusals.ts'
import { until } from '../harness/until.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { listPath, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const guess = (number: number) => ({
  method: 'GET',
  path: toPath(1),
  headers: { Authorization: `Token rst_${String(number).padStart(40, '0')}` },
})

describe('The address of a client', () => {
  const [open, closed] = [
    useService({ args: ['--access-log'] }),
    useService({ args: ['--access-log', '--log-address', 'off'] }),
  ]
  const readLines = async (own: typeof open) => {
    await own.call(guess(1))
    const find = () =>
      own
        .server()
        .stderr()
        .split('\n')
        .filter((line) => /"event":"(?:request|token refused)"/.test(line))
    await until('both lines are there', () => new Set(find().map((line) => /"event":"\w+/.exec(line)?.[0])).size === 2)
    return find()
  }

  test('is in the lines of requests and refusals', async () => {
    for (const line of await readLines(open)) expect(line).toContain('"address":"127.0.0.1"')
  })

  test('is in none of them with --log-address off', async () => {
    for (const line of await readLines(closed)) expect(line).not.toContain('127.0.0.1')
  })
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

  test('are in the log with the address, in few lines, without the key', async () => {
    const all = ['token refused 127.0.0.1', 'too many wrong tokens 127.0.0.1']
    await until('both are logged', () => Bun.deepEquals(listRefusals(service.server().stderr()), all))
    const text = service.server().stderr()
    expect(text.match(/refused|too many/g)?.length).toBeLessThan(20)
    expect(text).not.toContain('rst_')
    expect(text).not.toContain('0000')
  })

  test('are found by the documented filter of fail2ban', () => {
    const operations = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')
    const failregex = /^failregex = (.*)$/m.exec(operations)?.[1] ?? 'none'
    const datepattern = /^datepattern = (.*)$/m.exec(operations)?.[1] ?? 'none'
    // fail2ban takes the date out of a line before it matches.
    const date = new RegExp(datepattern.replace(/%%[YmdHMSf]/g, '\\d+').replace('%%z', 'Z'))
    const pattern = new RegExp(failregex.replace('<ADDR>', '(?<address>[0-9a-f.:]+)'))
    const lines = service.server().stderr().trimEnd().split('\n')
    const found = lines.filter((line) => date.test(line)).map((line) => pattern.exec(line.replace(date, '')))
    expect(found.length).toBe(lines.length)
    expect(new Set(found.flatMap((match) => match?.groups?.address ?? []))).toEqual(new Set(['127.0.0.1']))
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
