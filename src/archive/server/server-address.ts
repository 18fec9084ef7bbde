import { toPublicAddress, withoutUserInfo } from '../../record/text/address.ts'

/** The address of a server, and the credentials for it. */
export interface ServerAddress {
  /** Without user name and password: origins, reports and messages may show it. */
  readonly base: string
  /** The Authorization header for the user name and password in the address; null without them. */
  readonly authorization: string | null
  /** The name of this source in stores of Rostrum 0.1, which kept the password; null where it is the same. */
  readonly formerName: string | null
}

export type ParsedServer =
  | { readonly ok: true; readonly address: ServerAddress }
  | { readonly ok: false; readonly problem: string }

export function parseServerAddress(given: string): ParsedServer {
  const url = URL.parse(given)
  if (url === null) return { ok: false, problem: `${toPublicAddress(given)} is not a valid address of a server.` }
  if (withoutUserInfo(given).includes('@')) {
    const problem =
      'An address has one @, before the host. Write other special characters in a user name or password as %40, %2F or %20.'
    return { ok: false, problem }
  }
  if (url.search !== '' || url.hash !== '') {
    const problem =
      'An address to import from has no ? and no #. Name the server only, such as https://videos.example.org'
    return { ok: false, problem }
  }
  const { username, password } = url
  const base = toBase(withoutUserInfo(given))
  const isPlain = username === '' && password === ''
  return {
    ok: true,
    address: {
      base,
      authorization: isPlain ? null : toBasic(decode(username), decode(password)),
      formerName: isPlain ? null : toBase(given),
    },
  }
}

const toBase = (address: string) => address.replace(/\/+$/, '').replace(/\/api\/v2$/, '')

const toBasic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** A % that is not an escape stays. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
