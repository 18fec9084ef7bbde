import type { Chip } from '../../site/search/filters.tsx'
import type { Urls } from '../../site/urls.ts'
import { listFindings, toHrefWithout, toListHref } from './list-address.ts'
import { listTexts } from './lists-texts.ts'

const { filters, others } = listTexts

/** Filters with choices, whose values have names. */
const named: { readonly [name: string]: { readonly [value: string]: string } } = {
  state: filters.states,
  parked: filters.parkings,
  whiteboard: filters.whiteboards,
}
const labels: { readonly [name: string]: string } = {
  ...{ category: filters.category, language: filters.language, host: filters.host, by: filters.by, q: filters.q },
  ...others,
}

/** The filters of a list, as links that take them off. `event` is the title of the event, if it is known. */
export function toListChips(urls: Urls, parameters: URLSearchParams, event: string | null): Chip[] {
  const codes = listFindings(parameters)
  const findings = codes.map((code) => {
    const rest = codes.filter((each) => each !== code)
    const href = toListHref(urls, parameters, { finding: rest.length === 0 ? null : rest.join(',') })
    return { text: listTexts.findings[code].title, href }
  })
  return [...findings, ...[...parameters].flatMap(([name, value]) => toChip(urls, parameters, name, value, event))]
}

function toChip(urls: Urls, parameters: URLSearchParams, name: string, value: string, event: string | null): Chip[] {
  const choices = named[name]
  const label = labels[name]
  if (choices === undefined && label === undefined) return []
  const text =
    choices === undefined ? `${label}: ${name === 'category' ? (event ?? value) : value}` : (choices[value] ?? value)
  return [{ text, href: toHrefWithout(urls, parameters, name, value) }]
}
