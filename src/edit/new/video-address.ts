import { toVideoAddress } from '../../record/embed.ts'
import { fields } from '../../record/fields.ts'
import { toNumber } from '../../record/text/counted.ts'
import { toPrefilled } from '../form/prefill.ts'

const schemeText = 'An address begins with https:// or http://.'

export type ParsedAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly problem: string }

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
const withoutStart = (address: string) => toVideoAddress(address).replace(/[&#]t=\d{1,9}$/, '')
