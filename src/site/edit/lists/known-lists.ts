import { type FindingCode, isFindingCode } from '../../../record/quality/finding-codes.ts'
import { listTexts } from './lists-texts.ts'

/** The parameters of a list that has a name. */
export type NamedList = { readonly [name: string]: string }

const { lists } = listTexts

/** Drafts that are worked on: parked ones have a list of their own (ADR 60). */
export const drafts: NamedList = { state: '2', parked: '0' }
export const parkedDrafts: NamedList = { state: '2', parked: '1' }
export const withNote: NamedList = { whiteboard: '1' }
export const toFindingList = (code: FindingCode): NamedList => ({ finding: code })
/** By the day in UTC, as all times of records. */
export const changedOn = (day: string): NamedList => ({ updated_after: day })
export const changedBy = (name: string, day: string): NamedList => ({ by: name, updated_after: day })

/** The day in UTC. */
export const toToday = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10)

/** The name of a list by its filters; a general one for what somebody has put together. */
export function toListTitle(filters: URLSearchParams, caller: string, today: string): string {
  const key = toKey([...filters].filter(([name]) => name !== 'ordering'))
  const known: readonly (readonly [NamedList, string])[] = [
    [{}, lists.all],
    [drafts, lists.drafts],
    [parkedDrafts, lists.parked],
    [withNote, lists.whiteboard],
    [changedOn(today), lists.today],
    [changedBy(caller, today), lists.mine],
  ]
  const found = known.find(([list]) => toKey(Object.entries(list)) === key)?.[1]
  return found ?? toFindingTitle(filters, key) ?? lists.some
}

function toFindingTitle(filters: URLSearchParams, key: string): string | null {
  const code = filters.get('finding') ?? ''
  return isFindingCode(code) && key === toKey([['finding', code]]) ? listTexts.findings[code].title : null
}

const toKey = (entries: readonly (readonly [string, string])[]) =>
  JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
