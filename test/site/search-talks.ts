import { beforeAll, expect } from 'bun:test'
import { type Fields, type Service, useService } from '../contract/service.ts'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { type Part, parsePage } from './page-tree.ts'

export const talkCount = 45
export const hostileTitle = `<script>alert(1)</script> & "x" </title>'`

/** A server with talks to search for, one of them hostile, and a draft. All words are loaded. */
export function useTalks(): Service {
  const service = useService({ args: ['--threads', '1'] })
  beforeAll(async () => {
    for (let i = 0; i < talkCount; i++) await service.create(toTalk(i))
    await service.create({
      ...{ title: hostileTitle, category: '<b>Bold</b>', speakers: ['<i>Ivy</i>'], tags: ['"><img src=x>'] },
      ...{ summary: '<img src=x onerror=alert(1)> hostile', recorded: '2001-01-01' },
    })
    await service.create({ title: 'Unpublished zebra', category: 'Secret event', speakers: ['Hidden Hal'], state: 2 })
    await until('all words are loaded', async () => {
      const answer = await service.call({ method: 'GET', path: '/search?q=talk' })
      return headerOf(answer, 'Cache-Control') !== 'no-store'
    })
  }, 180_000)
  return service
}

export function toTalk(i: number) {
  return {
    title: `${i % 2 === 0 ? 'An asyncio' : 'A database'} talk, number ${i}`,
    category: `Conf ${2010 + (i % 3)}`,
    recorded: i === 7 ? null : `${2010 + (i % 3)}-05-${10 + (i % 9)}`,
    language: ['English', 'German', 'Irish', ''][i % 4],
    speakers: i % 5 === 0 ? ['Ada Nova', 'Bo Quist'] : [`Speaker ${i % 12}`],
    tags: i % 3 === 0 ? ['Python', ...(i % 2 === 0 ? ['Web'] : [])] : ['Rust'],
    duration: [300, 900, 2_400, 4_000, null][i % 5],
    summary: `Some words about the event loop, part ${i}.`,
    ...(i % 6 === 0 ? { video_mp4_url: `http://files.example.org/${i}.mp4` } : {}),
  } satisfies Fields
}

export function createBrowser(service: Service) {
  return async function open(path: string, status = 200): Promise<Part> {
    const answer = await service.call({ method: 'GET', path, headers: { Accept: 'text/html' } })
    expect([path, answer.status]).toEqual([path, status])
    return parsePage(answer.body)
  }
}

export const hrefOf = (part: Part) => part.attribute('href') ?? ''
export const textsOf = (parts: readonly Part[]) => parts.map(({ text }) => text)
export const titlesOf = (page: Part) => page.all('.talk-card').map((card) => card.one('h2').text)
/** The number of talks that the page says it has found. */
export const countOf = (page: Part) => Number(page.one('.results-head').all('p')[0]?.text.replace(/\D/g, ''))
export const linkOf = (page: Part, text: string) =>
  page.all('a').find((link) => link.text === text) ?? expect.unreachable(`no link ${text}`)
