import { type FindingCode, isFindingCode, isMissing, toMissingCode } from '../../record/quality/finding-codes.ts'
import type { Parameters, Urls } from '../../site/urls.ts'
import { toListName } from './work-list.ts'

/** Without empty parameters, which forms send, and with what is missing among the findings. */
export function toCleanParameters(parameters: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams([...parameters].filter(([, value]) => value !== ''))
  const missing = splitCodes(clean.get('missing'))
  // Others are left for an error message.
  if (missing.length === 0 || !missing.every(isMissing)) return clean
  const codes = [...missing.map(toMissingCode), ...splitCodes(clean.get('finding'))]
  clean.delete('missing')
  clean.set('finding', [...new Set(codes)].join(','))
  return clean
}

/** The findings that a list has as filters. */
export function listFindings(parameters: URLSearchParams): FindingCode[] {
  return splitCodes(parameters.get('finding')).filter(isFindingCode)
}

function splitCodes(text: string | null): string[] {
  return (text ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
}

/** Null takes a parameter off. */
export type ParameterChanges = { readonly [name: string]: string | null }

/** What is about one view of a list. */
const passing: ParameterChanges = { page: null, done: null, count: null, left: null }

/** The address of the same list with other parameters; from its first page, unless that is what changes. */
export function toListHref(urls: Urls, parameters: URLSearchParams, changes: ParameterChanges = {}): string {
  return urls.workList(toParameters(parameters, { ...passing, ...changes }))
}

/** The address of a list that says that nothing was ticked in it. */
export function toUntickedHref(urls: Urls, list: string): string {
  return toListHref(urls, new URLSearchParams(toListName(new URLSearchParams(list))), { done: 'unticked' })
}

/** The address of the list as a file. */
export function toCsvHref(urls: Urls, parameters: URLSearchParams): string {
  return urls.workListCsv(toParameters(new URLSearchParams(toListName(parameters)), {}))
}

export function toParameters(parameters: URLSearchParams, changes: ParameterChanges): Parameters {
  const changed = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  return Object.fromEntries([...new Set(changed.keys())].map((name) => [name, changed.getAll(name)]))
}

/** The address of the same list without this value of a parameter that can be repeated. */
export function toHrefWithout(urls: Urls, parameters: URLSearchParams, name: string, value: string): string {
  const others = [...parameters].filter(([key, each]) => key !== name || each !== value)
  return toListHref(urls, new URLSearchParams(others))
}
