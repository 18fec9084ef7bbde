import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { createCurator } from './curator.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '1'] })

async function ask(kind: string, q: string) {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf('reader'))
  return curator.get(`/edit/pick/${kind}?q=${encodeURIComponent(q)}`)
}

async function pick(kind: string, q: string): Promise<unknown[]> {
  const answer = await ask(kind, q)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.body).results
}

describe('A picker', () => {
  test('gets names of drafts as private JSON that browsers do not render as a page', async () => {
    await service.create({ state: 2, speakers: ['Otto Ümlaut <b>'], tags: ['harbour "walls"'] })
    const answer = await ask('speaker', 'umlaut')
    expect(JSON.parse(answer.body)).toEqual({ results: [{ text: 'Otto Ümlaut <b>', count: 1 }] })
    expect([headerOf(answer, 'Content-Type'), headerOf(answer, 'Cache-Control')]).toEqual([
      'application/json',
      'private, no-store',
    ])
    expect(headerOf(answer, 'X-Content-Type-Options')).toBe('nosniff')
    expect(/[<>&]|[^ -~]/.test(answer.body)).toBe(false)
    expect(await pick('tag', 'WALLS')).toEqual([{ text: 'harbour "walls"', count: 1 }])
  })

  test('finds words in another order, and misspelled ones', async () => {
    await service.create({ speakers: ['Margarethe Steinwasser'] })
    const expected = [{ text: 'Margarethe Steinwasser', count: 1 }]
    expect(await pick('speaker', 'steinwasser marg')).toEqual(expected)
    expect(await pick('speaker', 'margaretha')).toEqual(expected)
    expect(await pick('speaker', 'mq')).toEqual([])
  })

  test('suggests the name that an alias was merged into', async () => {
    await service.create({ speakers: ['Nick Oldname'] })
    await service.create({ speakers: ['Nicola Newname'] })
    const toId = async (q: string) => {
      const { body } = await service.call({ method: 'GET', path: `/api/v2/speaker?q=${q}`, as: 'admin' })
      return JSON.parse(body).results[0].id
    }
    const json = { into: await toId('newname') }
    const path = `/api/v2/speaker/${await toId('oldname')}/merge`
    expect((await service.call({ method: 'POST', path, as: 'admin', json })).status).toBe(200)
    expect(await pick('speaker', 'nick')).toEqual([{ text: 'Nicola Newname', count: 2, alias: 'Nick Oldname' }])
  })

  test('gets events and languages: those in use first, by name or code', async () => {
    await service.create({ category: 'Pond Days', language: 'Danish' })
    expect(await pick('category', 'pond')).toEqual([{ text: 'Pond Days', count: 1 }])
    expect(await pick('language', 'dan')).toEqual([{ text: 'Danish', count: 1 }])
    expect((await pick('language', 'de'))[0]).toEqual({ text: 'German', count: 0 })
    expect((await pick('language', 'd'))[0]).toEqual({ text: 'Danish', count: 1 })
  })

  test('accepts any text', async () => {
    for (const q of ['', ' ', '"', '%', '_', "' OR 1=1 --", '\u0000', 'x'.repeat(4_000), '\ud83d\ude00', '..', '<'])
      expect((await ask('tag', q)).status).toBe(200)
  })

  test('of an unknown kind is missing', async () => {
    for (const kind of ['video', 'Speaker', '__proto__']) expect((await ask(kind, 'a')).status).toBe(404)
  })
})
