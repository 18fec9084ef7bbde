import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { accents, oddities, phrases, scripts, talks, words } from '../search/suite.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { followPages, getPage } from './list-page.ts'
import { type Fields, fail, isFields, listPath, parseFields, tagOf, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

beforeAll(async () => {
  for (const talk of Object.values(talks)) await service.create({ category: 'Suite', ...talk })
})

type Marks = readonly (readonly [number, number])[]

async function getResults(query: string) {
  const { results } = await getPage(service, query)
  return results.map(({ record, highlight, ...others }) => {
    expect(others).toEqual({})
    if (!isFields(record) || !isFields(highlight)) return fail(`no highlight in ${query}`)
    return { record, highlight }
  })
}

/** What is marked, in the title and in the passage. */
function listMarked(record: Fields, { title, passage }: Fields): string[] {
  const inPassage = isFields(passage) ? cut(String(passage.text), passage.marks as Marks) : []
  return [...cut(String(record.title), title as Marks), ...inPassage]
}

const cut = (text: string, marks: Marks) => marks.map(([from, to]) => [...text].slice(from, to).join(''))

describe('highlight=1', () => {
  test.each([
    ['threads', ['threads']],
    ['cooking souffl', ['soufflés']],
  ])('marks what matches: %s', async (q, some) => {
    const results = await getResults(`q=${encodeURIComponent(q)}&highlight=1`)
    expect(results.length).toBeGreaterThan(0)
    for (const { record, highlight } of results) {
      const marked = listMarked(record, highlight).map((text) => text.toLowerCase())
      for (const text of some) expect(marked).toContain(text)
    }
  })

  test.each(
    [words, phrases, accents, scripts, oddities].flat().filter(([q, found]) => found.length > 0 && !/(^|\s)-/.test(q)),
  )('marks something in every record that is found: %s', async (q, found) => {
    const results = await getResults(`q=${encodeURIComponent(q)}&highlight=1`)
    expect(results.length).toBeGreaterThanOrEqual(found.length)
    for (const { record, highlight } of results) expect(listMarked(record, highlight)).not.toEqual([])
  })

  test('puts the whole record beside its highlight', async () => {
    const title = 'The 💡 heron'
    const made = await service.create({ title, description: 'It flies.\n\nA heron <b>stands</b> & waits.' })
    const [result] = await getResults('q=heron&highlight=1')
    expect(result?.record).toEqual(made)
    expect(result?.highlight).toEqual({
      title: [[6, 11]],
      passage: { field: 'description', text: 'It flies.\n\nA heron <b>stands</b> & waits.', marks: [[13, 18]] },
    })
  })

  test.each(['all', 'best'])('marks the words of a phrase where they are one: match=%s', async (match) => {
    const description = 'Herons learn. A learning bird beats the machine: machine learning.'
    await service.create({ category: match, title: 'Learning a machine', description })
    const q = encodeURIComponent('"machine learning" heron')
    const [result = fail('nothing found')] = await getResults(`category=${match}&q=${q}&highlight=1&match=${match}`)
    expect(listMarked(result.record, result.highlight)).toEqual(['Herons', 'machine', 'learning'])
  })

  test('keeps fields, which cut the record and not the highlight', async () => {
    await service.create({ title: 'Ibis', speakers: ['Ida Ibis'] })
    const path = `${listPath}?q=ibis&highlight=1&fields=id,slug`
    const answer = await service.call({ method: 'GET', path })
    const { results } = parseFields(answer)
    expect(results).toEqual([
      {
        record: { id: expect.any(Number), slug: 'ibis' },
        highlight: { title: [[0, 4]], passage: { field: 'speakers', text: 'Ida Ibis', marks: [[4, 8]] } },
      },
    ])
    expect(answer.body).not.toMatch(/[^\x20-\x7f]|[<>]/)
  })

  test('shows the beginning of the summary or description where nothing else matches, or nothing', async () => {
    await service.create({ category: 'Plain', title: 'A', summary: '', description: 'Words.' })
    await service.create({ category: 'Plain', title: 'B' })
    const results = await getResults('category=plain&highlight=1&ordering=title')
    expect(results.map(({ highlight }) => highlight)).toEqual([
      { title: [], passage: { field: 'description', text: 'Words.', marks: [] } },
      { title: [], passage: null },
    ])
  })

  test('works with facets, pages and cursors, and next keeps it', async () => {
    for (let i = 0; i < 3; i++) await service.create({ category: 'Paged', title: `Egret ${i}` })
    for (const query of ['page_size=1', 'page_size=1&cursor=', 'page_size=2&ordering=title']) {
      const pages = await followPages(service, `q=egret&highlight=1&facets=category&${query}`)
      const results = pages.flatMap((page) => page.results)
      expect(results.map(({ highlight }) => isFields(highlight) && highlight.title)).toEqual([
        [[0, 5]],
        [[0, 5]],
        [[0, 5]],
      ])
      expect(pages[0]?.facets).toEqual({ category: [{ value: 'Paged', count: 3 }] })
    }
  })

  test('has an ETag of its own, is cached, and is private to token holders', async () => {
    const plain = await service.call({ method: 'GET', path: `${listPath}?q=threads` })
    const path = `${listPath}?q=threads&highlight=1`
    const [first, second] = [await service.call({ method: 'GET', path }), await service.call({ method: 'GET', path })]
    checkEveryAnswer({ method: 'GET', path }, first)
    expect(second.body).toBe(first.body)
    expect(tagOf(first)).not.toBe(tagOf(plain))
    const known = await service.call({ method: 'GET', path, headers: { 'If-None-Match': tagOf(first) } })
    expect([known.status, known.body]).toEqual([304, ''])
    const held = await service.call({ method: 'GET', path, as: 'reader' })
    expect(headerOf(held, 'Cache-Control')).toBe('private, no-store')
  })

  test('0 leaves the results as they are', async () => {
    const [plain, zero] = [await getPage(service, 'q=threads'), await getPage(service, 'q=threads&highlight=0')]
    expect(zero.results).toEqual(plain.results)
    expect(plain.results[0]?.highlight).toBeUndefined()
  })
})

describe('match', () => {
  test('all is the default', async () => {
    const [plain, all] = [await getPage(service, 'q=threads'), await getPage(service, 'q=threads&match=all')]
    expect(all).toEqual(plain)
  })

  test('best without q is the plain list', async () => {
    const path = `${listPath}?page_size=5&match=best`
    const answer = await service.call({ method: 'GET', path })
    const { results, count, ...others } = parseFields(answer)
    const plain = await getPage(service, 'page_size=5')
    expect({ results, count }).toEqual({ results: plain.results, count: plain.count })
    expect(Object.keys(others)).toEqual(['next', 'previous'])
    expect((await service.call({ method: 'GET', path: `${path}&page=last` })).status).toBe(200)
  })
})
