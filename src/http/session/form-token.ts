import type { Head } from '../head.ts'

/** The token in every form, which only pages of the same session know. It says nothing about the cookie. */
export function toFormToken(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(`csrf ${secret}`).digest('base64url')
}

/** Compares in constant time. */
export function isFormToken(given: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return one.length === other.length && crypto.timingSafeEqual(one, other)
}

/**
 * Whether a request comes from our own pages. Browsers send Origin with every POST. `configured` is the origin of
 * `--base-url`; without it, the host of the Origin has to be the Host, since a proxy may end TLS without saying so.
 */
export function isOwnOrigin({ origin, host }: Head, configured: string | null): boolean {
  if (origin === undefined) return false
  if (configured !== null) return origin.toLowerCase() === configured
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return named !== undefined && host !== undefined && named.toLowerCase() === host.toLowerCase()
}
