import { beforeAll, describe, expect, test } from 'bun:test'
import { getPage } from '../contract/list-page.ts'
import { type Fields, listPath, parseFields, useService } from '../contract/service.ts'

// Runner: long PostgreSQL

/** The largest records take a while on a busy machine. */
const service = useService({ args: ['--threads', '2'] })

const toPath = (query: string, more = '') => `${listPath}?match=best&q=${encodeURIComponent(query)}${more}`

async function ask(query: string, more = ''): Promise<{ readonly status: number; readonly json: Fields }> {
  const answer = await service.call({ method: 'GET', path: toPath(query, more) })
  return { status: answer.status, json: parseFields(answer) }
}

async function findTitles(query: string): Promise<string[]> {
  const { results } = await getPage(service, `match=best&page_size=100&q=${encodeURIComponent(query)}`)
  return results.map(({ title }) => String(title))
}

describe('An archive without records', () => {
  test.each(['tests', 'tests asycnio', '"a phrase"', '-tests', 'C++', '機械学習', '!!!'])(
    'has no match for %s',
    async (query) => {
      expect(await ask(query, '&facets=tag,year&highlight=1')).toMatchObject({
        status: 200,
        json: { count: 0, next: null, previous: null, results: [], facets: { tag: [], year: [] } },
      })
      expect((await ask(query, '&page=2')).status).toBe(404)
      expect((await ask(query, '&page=last')).status).toBe(200)
    },
  )
})

describe('An archive of one record', () => {
  beforeAll(async () => {
    await service.create({
      title: 'Testing asyncio with C++ and 機械学習',
      description: 'The only one. It has event loops.',
    })
  })

  const found = [
    ...[
      'testing',
      'tested',
      'test',
      'asycnio',
      'asyncio C++',
      '機械学習',
      '機械',
      '学',
      'only',
      'loop',
      'THE ONLY',
      'a b c++',
    ],
    ...[
      '"event loops"',
      '"event loops" asycnio',
      'nowhere testing',
      '"機械学習"',
      'testing -nowhere',
      'testing testing testing',
    ],
    ...[Array(16).fill('testing').join(' '), 'testing'.padEnd(200, ' !'), 'i', '-nowhere', '"asyncio" zzzzzzzz'],
  ]
  test.each(found)('is found by %s', async (query) => {
    expect(await ask(query)).toMatchObject({ status: 200, json: { count: 1 } })
  })

  const unfound = [
    ...[
      'nowhere',
      '!!!',
      '" "',
      '-',
      '💡',
      '"loops event"',
      '"evnet loops"',
      '"event loop"',
      'zzzz',
      'x',
      '🎉🎉',
      '-testing',
    ],
    ...[
      'testing -asyncio',
      'testing -"event loops"',
      '"nowhere" testing',
      '"event loops" "nowhere at all"',
      '3.12',
      'C#',
    ],
  ]
  test.each(unfound)('is not found by %s', async (query) => {
    expect(await ask(query)).toMatchObject({ status: 200, json: { count: 0, results: [] } })
  })

  test('phrases are never corrected, words beside them are', async () => {
    const { json } = await ask('"event loops" asycnio')
    expect(json.corrected).toEqual({ asycnio: ['asyncio'] })
  })

  test('a query may have 16 words and 200 characters', async () => {
    const words = [...'abcdefghijklmnop']
    const texts = [
      words.join(' '),
      `"${words.join(' ')}"`,
      `-"${words.join(' ')}`,
      words.join('-'),
      `-${words.join('-')}`,
    ]
    for (const text of texts) {
      for (const match of ['all', 'best']) {
        const status = async (q: string) =>
          (await service.call({ method: 'GET', path: `${listPath}?match=${match}&q=${encodeURIComponent(q)}` })).status
        expect([text, match, await status(text), await status(`"q" ${text}`)]).toEqual([text, match, 200, 400])
      }
    }
    expect((await ask(Array(17).fill('testing').join(' '))).status).toBe(400)
    expect((await ask('x'.repeat(200))).status).toBe(200)
    expect((await ask('\u{1f600}'.repeat(200))).status).toBe(200)
    expect((await ask('x'.repeat(201))).status).toBe(400)
    expect((await ask(Array(16).fill('機械学習').join(' '))).status).toBe(200)
    expect((await ask(Array(16).fill('機械学習機械学習').join(' '))).status).toBe(400)
  })

  test('repeated words count as one', async () => {
    expect((await ask('testing nowhere nowhere nowhere')).json.count).toBe((await ask('testing nowhere')).json.count)
    await service.create({ title: 'Testing once more', description: 'asyncio asyncio' })
    const once = await findTitles('testing asyncio')
    expect(await findTitles('testing testing testing asyncio')).toEqual(once)
  })
})

describe('Large records', () => {
  test('a description of 100,000 characters is searched to its end', async () => {
    const words = Array.from({ length: 9_000 }, (_, i) => `word${i.toString(36)}`).join(' ')
    const description = `${words.slice(0, 99_900)} Xylophonist`
    await service.create({ title: 'Long one', description })
    // PostgreSQL does not search beyond 240,000 characters of tokens, three for each of these.
    await service.create({ title: 'Long run', summary: `${'機'.repeat(70_000)}黒猫` })
    expect(await findTitles('xylophonist')).toEqual(['Long one'])
    expect(await findTitles('xylophonits')).toEqual(['Long one'])
    expect((await findTitles('"黒猫"'))[0]).toBe('Long run')
    const { json } = await ask('xylophonist', '&highlight=1')
    expect(JSON.stringify(json.results).length).toBeLessThan(110_000)
  })

  test('a phrase is found behind the words that ranked search knows', async () => {
    await service.create({ title: 'Many words', description: `${'ab '.repeat(22_000)}zebra finches` })
    await service.create({ title: 'Zebra finches' })
    expect(await findTitles('"zebra finches"')).toEqual(['Zebra finches', 'Many words'])
    expect(await findTitles('zebra finches')).toEqual(['Zebra finches'])
  })

  test('a phrase of words that long texts repeat is answered within the time limit', async () => {
    const description = 'a b '.repeat(25_000).trim()
    await Promise.all(Array.from({ length: 20 }, (_, i) => service.create({ title: `Planted ${i}`, description })))
    const phrase = Array(7).fill('a b').join(' ')
    for (const [query, count] of [
      [`"${phrase} a b"`, 20],
      [`"${phrase} a a"`, 0],
      [`planted -"${phrase} a"`, 0],
    ] as const) {
      expect([query, await ask(query, '&highlight=1')]).toMatchObject([query, { status: 200, json: { count } }])
    }
    expect((await ask(`"${'a b '.repeat(49)}"`)).status).toBe(400)
  })

  test('a record with 200 tags and 200 speakers is found by each', async () => {
    const tags = Array.from({ length: 200 }, (_, i) => `Topic ${String.fromCharCode(97 + (i % 26))}tag${i}`)
    const speakers = Array.from({ length: 200 }, (_, i) => `Ada Nr${i}`)
    await service.create({ title: 'Many names', tags, speakers })
    for (const query of ['topic', 'atag0', 'rtag199', 'ada', 'nr0', 'nr199']) {
      expect([query, await findTitles(query)]).toEqual([query, ['Many names']])
    }
  })

  test('words of more than 64 letters are found by their beginning', async () => {
    await service.create({ title: `Donau${'dampfschiff'.repeat(9)}` })
    expect(await findTitles('donaudampfschiff')).toHaveLength(1)
    expect(await findTitles(`donau${'dampfschiff'.repeat(9)}`)).toHaveLength(1)
  })
})

describe('A record that is written', () => {
  test('is found at once by its new words, and never by old ones', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await service.create({ title: `Caterpillar${round}x newborn` })
      expect(await findTitles(`caterpillar${round}x`)).toEqual([`Caterpillar${round}x newborn`])
      expect((await service.patch(id, { title: `Butterfly${round}x grown` })).status).toBe(200)
      const both = await Promise.all([findTitles(`caterpillar${round}x`), findTitles(`butterfly${round}x`)])
      expect(both).toEqual([[], [`Butterfly${round}x grown`]])
    }
  }, 180_000)

  test('is found as it is, while others are written', async () => {
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      const { id } = await service.create({ title: `Vogonism${writer} version0` })
      for (let version = 1; version <= 15; version++) {
        const title = `Vogonism${writer} version${version}`
        expect((await service.patch(id, { title })).status).toBe(200)
        // The write is answered: whichever thread searches now knows it, and nothing older.
        expect(await findTitles(`"vogonism${writer}"`)).toEqual([title])
        expect(await findTitles(`vogonism${writer} -version${version}`)).toEqual([])
        expect(await findTitles(`"vogonism${writer}" "version${version - 1}"`)).toEqual([])
      }
    })
    await Promise.all(writers)
  }, 180_000)
})
