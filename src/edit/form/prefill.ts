import { toVideoAddress } from '../../record/embed.ts'
import type { Typed } from './form-values.ts'

/** What an address alone says about a talk, for the form of a new one. Nothing is fetched. */
export function toPrefilled(address: string): Typed {
  const given = address.trim()
  const url = URL.parse(given)
  const file = url === null ? null : findFile(url)
  if (file === null) return new Map([['source_url', toVideoAddress(given)]])
  return new Map([[`video_${file.format}_url`, given], ...(file.title === '' ? [] : [['title', file.title] as const])])
}

const formatByEnding: { readonly [ending: string]: string } = {
  mp4: 'mp4',
  m4v: 'mp4',
  webm: 'webm',
  ogv: 'ogv',
  ogg: 'ogv',
  flv: 'flv',
}

/** A media file: its format, and the words of its name as a title to begin with. */
function findFile(url: URL): { readonly format: string; readonly title: string } | null {
  const [, encoded = '', ending = ''] = /([^/]{1,255})\.([a-z0-9]{3,4})$/i.exec(url.pathname) ?? []
  const format = Object.hasOwn(formatByEnding, ending.toLowerCase()) ? formatByEnding[ending.toLowerCase()] : undefined
  return format === undefined ? null : { format, title: toTitle(decode(encoded)) }
}

/** `tides-of_the%20sea` -> `Tides of the sea`. */
function toTitle(name: string): string {
  const words = name.split(/[\s_-]/).filter((word) => word !== '')
  const title = words.join(' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
