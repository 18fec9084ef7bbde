import { toVideoUrl } from '../../record/embed.ts'
import { fields } from '../../record/fields.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Typed } from '../form/form-values.ts'

const schemeText = 'An address begins with https:// or http://.'

type ParsedAddress = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: string }

/** The longest address that a field takes. */
const maxLength = fields.video_mp4_url.kind.maxLength ?? 0

/** An address of a video or a file as people paste it, or what is wrong with it. */
export function parseVideoAddress(given: string): ParsedAddress {
  const address = given.trim()
  const problem = findProblem(address)
  return problem === null ? { ok: true, address } : { ok: false, problem }
}

function findProblem(address: string): string | null {
  if (address === '') return 'Paste the address of a video.'
  if (address.length > maxLength) return `This has ${toNumber(address.length)} characters: it is no address of a video.`
  if (/[\s\u0000-\u001f\u007f]/.test(address))
    return 'An address has no spaces or line breaks. Paste the address alone.'
  if (!/^https?:\/\//i.test(address)) return toSchemeProblem(address)
  const url = URL.parse(address)
  if (url === null) return 'This is no address that a browser can open.'
  if (url.username !== '' || url.password !== '')
    return 'The address has a user name or password in it. Paste it without.'
  const [, host = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(address) ?? []
  if (/[^ -~]/.test(host))
    return `The host has letters that look like others. If you mean it, write it as ${url.protocol}//${url.host}/…`
  return findFieldProblem(address)
}

/** `youtube.com/watch?v=…`, as browsers show addresses, needs only its beginning. */
function toSchemeProblem(address: string): string {
  const isHost = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?:[/?#]|$)/i.test(address)
  return isHost ? `${schemeText} Perhaps this is it: https://${address}` : schemeText
}

/** What the field says that the address goes into. */
function findFieldProblem(address: string): string | null {
  const isFile = !toPrefilled(address).has('source_url')
  const { kind } = isFile ? fields.video_mp4_url : fields.source_url
  const parsed = kind.parse(address)
  return parsed.ok ? null : parsed.problems.join(' ')
}

/** The other addresses that a record may have for the same video: of the other scheme, or from its beginning. */
export function toSameAddresses(addresses: readonly string[]): string[] {
  const given = addresses.filter((address) => address !== '')
  const swap = (address: string) =>
    address.replace(/^(https?):/i, (_, scheme: string) => (scheme.toLowerCase() === 'http' ? 'https:' : 'http:'))
  return [...new Set(given.flatMap((address) => [address, swap(address), withoutStart(address)]))]
}

/** People copy addresses with the time at which they paused. */
const withoutStart = (address: string) => toVideoUrl(address).replace(/[&#]t=\d{1,9}$/, '')

/** What an address alone says about a talk, for the form of a new one. Nothing is fetched. */
export function toPrefilled(address: string): Typed {
  const given = address.trim()
  const url = URL.parse(given)
  const file = url === null ? null : findFile(url)
  if (file === null) return new Map([['source_url', toVideoUrl(given)]])
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
