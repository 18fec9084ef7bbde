import { type FindingCode, isFindingCode } from '../../record/quality/finding-codes.ts'
import { listTexts } from './lists-texts.ts'

/** The parameters of a list that has a name. */
export type NamedList = { readonly [name: string]: string }

const { lists } = listTexts

/** Drafts that are worked on: parked ones have a list of their own (decision 60). */
export const drafts: NamedList = { state: '2', parked: '0' }
export const parkedDrafts: NamedList = { state: '2', parked: '1' }
export const withNote: NamedList = { whiteboard: '1' }
export const toFindingList = (code: FindingCode): NamedList => ({ finding: code })
/** By the day in UTC, as all times of records. */
export const changedOn = (day: string): NamedList => ({ updated_after: day })
export const changedBy = (name: string, day: string): NamedList => ({ by: name, updated_after: day })

/** The day in UTC. */
export const toToday = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10)

/**
 * The name of a list by its filters; a general one for what somebody has put together. `event` is the title of the event
 * that it is narrowed to; without it, the event is called as in the address.
 */
export function toListTitle(filters: URLSearchParams, caller: string, today: string, event?: string | null): string {
  const key = toKey([...filters].filter(([name]) => name !== 'ordering' && name !== 'category'))
  const category = event ?? filters.get('category')
  return category === null ? toTitle(filters, key, caller, today) : toEventTitle(filters, key, category)
}

type Titles = readonly (readonly [NamedList, string])[]

const findTitle = (titles: Titles, key: string) => titles.find(([list]) => toKey(Object.entries(list)) === key)?.[1]

function toTitle(filters: URLSearchParams, key: string, caller: string, today: string): string {
  const words = filters.get('q') ?? ''
  const known: Titles = [
    [{}, lists.all],
    [drafts, lists.drafts],
    [{ state: '2' }, lists.allDrafts],
    [parkedDrafts, lists.parked],
    [{ state: '1' }, lists.live],
    [withNote, lists.whiteboard],
    [changedOn(today), lists.today],
    [changedBy(caller, today), lists.mine],
    [{ q: words }, lists.words(words)],
  ]
  return findTitle(known, key) ?? toFindingTitle(filters, key) ?? lists.some
}

function toEventTitle(filters: URLSearchParams, key: string, event: string): string {
  const talks: Titles = [
    [{}, lists.some],
    [drafts, lists.drafts],
    [{ state: '2' }, lists.drafts],
    [parkedDrafts, lists.parked],
    [{ state: '1' }, lists.live],
  ]
  const found = findTitle(talks, key)
  if (found !== undefined) return lists.of(found, event)
  const other = findTitle([[withNote, lists.whiteboard]], key) ?? toFindingTitle(filters, key)
  return other === null ? lists.some : lists.at(event, other)
}

function toFindingTitle(filters: URLSearchParams, key: string): string | null {
  const code = filters.get('finding') ?? ''
  return isFindingCode(code) && key === toKey([['finding', code]]) ? listTexts.findings[code].title : null
}

const toKey = (entries: readonly (readonly [string, string])[]) =>
  JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
