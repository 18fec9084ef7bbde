/** Whether a store's address names a PostgreSQL database rather than a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}

/** The address as it may be shown: without its password, and without parameters, which may hold one too. */
export function toShownAddress(address: string): string {
  return address.replace(/^([a-z]+:\/\/)(?:([^:@/?]*)(?::[^@/]*)?@)?([^?]*).*$/i, (_, scheme, user, rest) =>
    user === undefined ? `${scheme}${rest}` : `${scheme}${user}@${rest}`,
  )
}

/** How connections are kept from listeners, as libpq names it. */
export const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type TlsMode = (typeof tlsModes)[number]

export interface Address {
  /** What the client understands: user, password, hosts, database. */
  readonly url: string
  readonly tlsMode: TlsMode
  /** The file of certificates to trust; null for the platform's own. */
  readonly tlsRoots: string | null
}

const knownParameters = ['sslmode', 'sslrootcert', 'target_session_attrs']

/** Takes an address apart; a string that says what is wrong with it. */
export function parseAddress(address: string): Address | string {
  const [base = '', query = ''] = address.split('?', 2)
  if (!/^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+$/i.test(base)) {
    return 'It must look like postgres://user@host:5432/database; several hosts are separated by commas.'
  }
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].find((name) => !knownParameters.includes(name))
  if (unknown !== undefined) return `${unknown} is not known; there are ${knownParameters.join(', ')}.`
  const mode = parameters.get('sslmode') ?? 'prefer'
  if (!isTlsMode(mode)) return `sslmode must be one of ${tlsModes.join(', ')}.`
  return { url: base, tlsMode: mode, tlsRoots: parameters.get('sslrootcert') }
}

function isTlsMode(mode: string): mode is TlsMode {
  return tlsModes.some((each) => each === mode)
}
