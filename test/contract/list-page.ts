import { expect } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Fields, fail, isFields, listPath, parseFields, type Role, type Service } from './service.ts'

export type ListPage = {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Fields[]
  readonly facets: Fields
}

/** A page of the list, which must be there. */
export async function getPage(service: Service, query: string, as: Role = 'none'): Promise<ListPage> {
  const call = { method: 'GET', path: `${listPath}${query === '' ? '' : `?${query}`}`, as }
  const answer = await service.call(call)
  if (answer.status !== 200) fail(`${query} got ${answer.status}: ${answer.body}`)
  if (!new URLSearchParams(query).has('fields')) checkEveryAnswer(call, answer)
  return toPage(answer)
}

export function toPage(answer: RawAnswer): ListPage {
  const { count, next, previous, facets } = parseFields(answer)
  return {
    count: typeof count === 'number' ? count : fail(`no count in ${answer.body}`),
    next: toLink(next),
    previous: toLink(previous),
    results: resultsOf(answer),
    facets: isFields(facets) ? facets : {},
  }
}

export async function getTitles(service: Service, query: string, as: Role = 'none'): Promise<string[]> {
  const { results, count } = await getPage(service, query, as)
  const titles = results.map(({ title }) => String(title))
  if (results.length < 20) expect(count).toBe(titles.length)
  return titles
}

/** All pages from this one on, by `next`; fails rather than going round in a circle. */
export async function followPages(service: Service, query: string, as: Role = 'none', maxPages = 200) {
  const pages: ListPage[] = []
  let rest: string | null = query
  while (rest !== null) {
    if (pages.length >= maxPages) fail(`${query} has more than ${maxPages} pages`)
    const page: ListPage = await getPage(service, rest, as)
    pages.push(page)
    rest = page.next === null ? null : new URL(page.next).search.slice(1)
  }
  return pages
}

export async function followIds(service: Service, query: string, as: Role = 'none', maxPages = 200) {
  const pages = await followPages(service, query, as, maxPages)
  return pages.flatMap(({ results }) => results.map(({ id }) => Number(id)))
}

export function paramsOf(link: string | null): URLSearchParams {
  return new URL(link ?? fail('there is no link')).searchParams
}

function toLink(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  return fail(`neither an address nor null: ${value}`)
}
