import type { Call } from './route.ts'

/** The beginning of absolute URLs, without a slash at the end. */
export type BaseUrl = (call: Call) => string

/**
 * The configured URL, else scheme and Host of the request in the one form that URLs have: lower case, without the usual
 * port. HTTP/1.0 clients send no Host, so they get the listening address.
 */
export function createBaseUrl(configured: string | null, listening: string): BaseUrl {
  if (configured !== null) return () => configured
  /** Nearly all requests have the same. */
  let [given, origin] = ['', '']
  return ({ head }) => {
    if (head.host === undefined) return listening
    const asked = `${head.isHttps ? 'https' : 'http'}://${head.host}`
    if (asked !== given) [given, origin] = [asked, new URL(asked).origin]
    return origin
  }
}
