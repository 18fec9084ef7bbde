import { toVideoUrl } from '../../record/embed.ts'
import { fields } from '../../record/fields.ts'
import { findThumbnail } from '../../record/player/hosted-video.ts'
import { toDecoded } from '../../record/text/address.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Typed } from '../form/form-values.ts'

const schemeText = 'An address begins with https:// or http://.'

type ParsedAddress = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: string }

/** The longest address that a field takes. */
const maxLength = fields.video_mp4_url.kind.maxLength ?? 0

/** An address of a video or a file as people paste it, or what is wrong with it. */
export function parseVideoAddress(pasted: string): ParsedAddress {
  const address = pasted.trim()
  const problem = findProblem(address)
  return problem === null ? { ok: true, address } : { ok: false, problem }
}

/** All addresses that a record may have for the same video: also with the other scheme, or without a start time. */
export function toSameAddresses(addresses: readonly string[]): string[] {
  const known = addresses.filter((address) => address !== '')
  const swap = (address: string) =>
    address.replace(/^(https?):/i, (_, scheme: string) => (scheme.toLowerCase() === 'http' ? 'https:' : 'http:'))
  return [...new Set(known.flatMap((address) => [address, swap(address), withoutStart(address)]))]
}

/** People copy addresses with the time at which they paused. */
const withoutStart = (address: string) => toVideoUrl(address).replace(/[&#]t=\d{1,9}$/, '')

/** The fields of a new talk that its address fills in. Nothing is fetched. */
export function toPrefilled(address: string): Typed {
  const trimmed = address.trim()
  const url = URL.parse(trimmed)
  const file = url === null ? null : findFile(url)
  if (file === null) {
    const thumbnail = findThumbnail(trimmed)
    return new Map([
      ['source_url', toVideoUrl(trimmed)],
      ...(thumbnail === null ? [] : [['thumbnail_url', thumbnail] as const]),
    ])
  }
  return new Map([
    [`video_${file.format}_url`, trimmed],
    ...(file.title === '' ? [] : [['title', file.title] as const]),
  ])
}

function findProblem(address: string): string | null {
  if (address === '') return 'Paste the address of a video.'
  if (address.length > maxLength) return `This has ${toNumber(address.length)} characters, too many for an address.`
  if (/[\s\u0000-\u001f\u007f]/.test(address))
    return 'An address has no spaces or line breaks. Paste the address alone.'
  if (!/^https?:\/\//i.test(address)) return toSchemeProblem(address)
  const url = URL.parse(address)
  if (url === null) return 'A browser cannot open this address.'
  if (url.username !== '' || url.password !== '')
    return 'The address contains a user name or password. Paste it without them.'
  const [, host = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(address) ?? []
  if (/[^ -~]/.test(host))
    return `The host contains letters that look like others. If it is correct, write it as ${url.protocol}//${url.host}/…`
  return findFieldProblem(address)
}

/** `youtube.com/watch?v=…`, as browsers show addresses, needs only its beginning. */
function toSchemeProblem(address: string): string {
  const isHost = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?:[/?#]|$)/i.test(address)
  return isHost ? `${schemeText} Did you mean this: https://${address}` : schemeText
}

/** The error of the field that would store the address. */
function findFieldProblem(address: string): string | null {
  const isFile = !toPrefilled(address).has('source_url')
  const { kind } = isFile ? fields.video_mp4_url : fields.source_url
  const parsed = kind.parse(address)
  return parsed.ok ? null : parsed.problems.join(' ')
}

const formatByEnding: { readonly [ending: string]: string } = {
  mp4: 'mp4',
  m4v: 'mp4',
  webm: 'webm',
  ogv: 'ogv',
  ogg: 'ogv',
  flv: 'flv',
}

/** A media file: its format, and the words of its name as a first title. */
function findFile(url: URL): { readonly format: string; readonly title: string } | null {
  const [, encoded = '', ending = ''] = /([^/]{1,255})\.([a-z0-9]{3,4})$/i.exec(url.pathname) ?? []
  const format = Object.hasOwn(formatByEnding, ending.toLowerCase()) ? formatByEnding[ending.toLowerCase()] : undefined
  return format === undefined ? null : { format, title: toTitle(toDecoded(encoded)) }
}

/** `tides-of_the%20sea` -> `Tides of the sea`. */
function toTitle(name: string): string {
  const words = name.split(/[\s_-]/).filter((word) => word !== '')
  const title = words.join(' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}
