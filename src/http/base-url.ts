import type { Call } from './route.ts'

/** The beginning of absolute URLs, without a slash at the end. */
export type BaseUrl = (call: Call) => string

/** The configured URL, else scheme and Host of the request; HTTP/1.0 clients send none, so they get the listening address. */
export function createBaseUrl(configured: string | null, listening: string): BaseUrl {
  if (configured !== null) return () => configured
  return ({ head }) => (head.host === undefined ? listening : `${head.isHttps ? 'https' : 'http'}://${head.host}`)
}
