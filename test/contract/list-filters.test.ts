import { beforeAll, describe, expect, test } from 'bun:test'
import { setLinkState } from '../harness/links.ts'
import { getPage, getTitles } from './list-page.ts'
import { type Fields, type Role, useService } from './service.ts'
import { createTalks, drafts, live } from './talks.ts'

// Runner: long checkout

const service = useService({ roles: ['reader'] })
let made: readonly Fields[] = []

beforeAll(async () => {
  made = await createTalks(service)
})

const idOf = (title: string) => made.find((record) => record.title === title)?.id

/** What a query finds, whatever the order. */
type Case = readonly [query: string, titles: readonly string[], as?: Role]

function runCases(cases: readonly Case[]): void {
  for (const [query, titles, as = 'none'] of cases) {
    const found = titles.length === 0 ? 'nothing' : titles.join(', ')
    test(`${query} finds ${found}${as === 'none' ? '' : ` for the ${as}`}`, async () => {
      const got = await getTitles(service, `${query}&page_size=100`, as)
      expect(got.sort()).toEqual([...titles].sort())
    })
  }
}

describe('Without filters the list', () => {
  runCases([
    ['', live],
    ['', [...live, ...drafts], 'reader'],
  ])
})

describe('state', () => {
  runCases([
    ['state=1', live],
    ['state=2', []],
    ['state=1', live, 'reader'],
    ['state=2', drafts, 'reader'],
    ['state=', [...live, ...drafts], 'reader'],
  ])
})

describe('category, a slug or an exact title,', () => {
  const euro = ['date', 'Elderberry', 'fig', 'Grape']
  runCases([
    ['category=pycon-2012', ['Apple', 'banana', 'Čherry']],
    ['category=PyCon%202012', ['Apple', 'banana', 'Čherry']],
    ['category=PyCon+2012', ['Apple', 'banana', 'Čherry', 'Jackfruit'], 'reader'],
    ['category=EuroPython', euro],
    ['category=europython-2', ['honeydew']],
    ['category=pycon%202012', []],
    ['category=pycon', []],
    ['category=unheard-of', []],
    ['category=drafts-only', []],
    ['category=drafts-only', ['Kumquat'], 'reader'],
    ['category=%E3%81%BF%E3%81%8B%E3%82%93', ['Iyokan']],
    ['category=', live],
  ])
})

describe('speaker, a piece of a name in any case and without accents,', () => {
  runCases([
    ['speaker=ada', ['Apple', 'banana']],
    ['speaker=ADA', ['Apple', 'banana', 'Jackfruit'], 'reader'],
    ['speaker=zoe', ['Apple']],
    ['speaker=ZO%C3%8B', ['Apple']],
    ['speaker=angstrom', ['Apple']],
    ['speaker=oe%20an', ['Apple']],
    ['speaker=a%20b', ['banana']],
    ['speaker=lukasz', ['Elderberry']],
    ['speaker=%C5%81UKASZ%20%C3%98DEGARD', ['Elderberry']],
    ['speaker=degaard', []],
    ['speaker=%E7%94%B0', ['Iyokan']],
    ['speaker=%E5%B1%B1%E7%94%B0%E5%A4%AA%E9%83%8E', ['Iyokan']],
    ['speaker=v', ['Apple']],
    ['speaker=ro', ['Apple', 'banana']],
    ['speaker=nobody', []],
    ['speaker=%25', []],
    ['speaker=', live],
    ['speaker=ada&speaker=zoe', ['Apple']],
    ['speaker=lovelace&speaker=byron', []],
    ['speaker=&speaker=byron', ['banana']],
  ])

  test('lists a record once, however many of its speakers fit', async () => {
    expect(await getTitles(service, 'speaker=a&ordering=title')).toEqual(['Apple', 'banana', 'Elderberry'])
  })
})

describe('tag, a piece of a tag in any case and without accents,', () => {
  runCases([
    ['tag=web', ['Apple', 'banana']],
    ['tag=WEBA', ['banana']],
    ['tag=cafe', ['Apple']],
    ['tag=CAF%C3%89%20s', ['Apple']],
    ['tag=%E6%9F%91', ['Iyokan']],
    ['tag=0%25_', ['fig']],
    ['tag=_', ['fig']],
    ['tag=%25', ['fig']],
    ['tag=secret', []],
    ['tag=secret', ['Kumquat'], 'reader'],
    ['tag=web&tag=society', ['Apple']],
    ['tag=web&tag=data', []],
  ])
})

describe('language, a name or a code,', () => {
  runCases([
    ['language=English', ['Apple', 'banana']],
    ['language=english', ['Apple', 'banana']],
    ['language=en', ['Apple', 'banana']],
    ['language=eng', ['Apple', 'banana', 'Jackfruit'], 'reader'],
    ['language=nb', ['date']],
    ['language=Norwegian%20Bokm%C3%A5l', ['date']],
    ['language=ja', ['Iyokan']],
    ['language=fr', []],
    ['language=', live],
  ])
})

describe('Days and durations, both ends included,', () => {
  runCases([
    ['recorded_after=2012-03-09', ['Apple', 'banana', 'Čherry', 'Elderberry']],
    ['recorded_after=2012-03-10', ['Čherry', 'Elderberry']],
    ['recorded_before=2012-03-08', ['date', 'honeydew']],
    ['recorded_before=2012-03-09', ['Apple', 'banana', 'date', 'honeydew']],
    ['recorded_after=2012-03-09&recorded_before=2012-03-09', ['Apple', 'banana']],
    ['recorded_after=2012-03-10&recorded_before=2012-03-09', []],
    ['recorded_after=2030-01-01', []],
    ['recorded_after=2030-01-01', ['Kumquat'], 'reader'],
    ['duration_min=1800', ['Apple', 'date', 'fig']],
    ['duration_min=1801', ['date', 'fig']],
    ['duration_max=600', ['banana', 'Čherry']],
    ['duration_max=599', ['Čherry']],
    ['duration_max=0', ['Čherry']],
    ['duration_min=0', ['Apple', 'banana', 'Čherry', 'date', 'fig', 'Grape']],
    ['duration_min=1800&duration_max=1800', ['Apple']],
    ['duration_min=2&duration_max=1', []],
    ['duration_min=&recorded_after=&recorded_before=&duration_max=', live],
  ])
})

describe('has', () => {
  runCases([
    ['has=mp4', ['Apple', 'banana']],
    ['has=webm', ['banana']],
    ['has=ogv', ['fig']],
    ['has=flv', ['Grape']],
    ['has=embed', ['Apple', 'honeydew']],
    ['has=thumbnail', ['Apple']],
    ['has=mp4,webm', ['banana']],
    ['has=mp4,%20webm', ['banana']],
    ['has=mp4,mp4', ['Apple', 'banana']],
    ['has=mp4,ogv', []],
    ['has=', live],
  ])
})

describe('has_any', () => {
  runCases([
    ['has_any=mp4', ['Apple', 'banana']],
    ['has_any=webm,ogv', ['banana', 'fig']],
    ['has_any=mp4,%20webm,ogv,flv', ['Apple', 'banana', 'fig', 'Grape']],
    ['has_any=embed,thumbnail', ['Apple', 'honeydew']],
    ['has_any=embed,flv&has=mp4', ['Apple']],
    ['has_any=webm&has=embed', []],
    ['has_any=', live],
  ])
})

describe('source_url and id', () => {
  const tube = encodeURIComponent('https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  runCases([
    [`source_url=${tube}`, ['Apple']],
    [`source_url=${tube}x`, []],
    [`source_url=${tube.toLowerCase()}`, []],
    ['source_url=https://files.example.org/talk', []],
    ['source_url=https://files.example.org/talk', ['Kumquat'], 'reader'],
    ['source_url=', live],
    ['id=', live],
    ['id=999999', []],
    ['id=9007199254740991', []],
  ])

  test('id takes one, or several, each record once', async () => {
    const [apple, fig, draft] = [idOf('Apple'), idOf('fig'), idOf('Kumquat')]
    expect(await getTitles(service, `id=${apple}`)).toEqual(['Apple'])
    expect(await getTitles(service, `id=${fig},${apple},999999,${fig},${draft}`)).toEqual(['Apple', 'fig'])
    expect(await getTitles(service, `id=${draft}`, 'reader')).toEqual(['Kumquat'])
  })

  test('id takes a hundred', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    expect((await getPage(service, `id=${ids.join(',')}`)).count).toBe(live.length)
  })
})

describe('link and watchable, by what the last check found,', () => {
  const file = 'https://files.example.org/talk'
  const unrecorded = ['Čherry', 'date', 'Elderberry', 'Iyokan']
  beforeAll(async () => {
    const { db } = service.server()
    await setLinkState(db, 'gone', ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', `${file}.ogv`])
    await setLinkState(db, 'moved', [`${file}.webm`], `${file}/new.webm`)
    await setLinkState(db, 'private', [file])
    // Tells every thread.
    await service.patch(Number(idOf('Apple')), { whiteboard: 'checked' })
  })
  runCases([
    ['link=gone', ['Apple', 'fig'], 'reader'],
    ['link=moved', ['banana'], 'reader'],
    ['link=private', ['Kumquat'], 'reader'],
    ['link=not_embeddable', [], 'reader'],
    ['link=', [...live, ...drafts], 'reader'],
    ['watchable=1', ['Apple', 'banana', 'Grape', 'honeydew']],
    ['watchable=0', [...unrecorded, 'fig']],
    ['watchable=0', [...unrecorded, 'fig', ...drafts], 'reader'],
    ['watchable=', live],
    ['link=gone&watchable=1', ['Apple'], 'reader'],
    ['watchable=0&category=EuroPython&has=ogv', ['fig']],
  ])
})

describe('Filters together', () => {
  runCases([
    ['category=pycon-2012&speaker=ada&tag=web&language=en&has=mp4', ['Apple', 'banana']],
    ['category=pycon-2012&speaker=ada&duration_max=600', ['banana']],
    ['speaker=ada&state=2', ['Jackfruit'], 'reader'],
    ['q=apple&tag=cafe', ['Apple']],
    ['q=apple&tag=data', []],
    ['q=ada&recorded_before=2012-03-09&has=thumbnail', ['Apple']],
    ['unknown=1&limit=0&username=ada&api_key=x', live],
  ])
})
