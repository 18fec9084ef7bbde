import type { Call } from '../http/route.ts'

/** The beginning of absolute URLs, without a slash at the end. */
export type BaseUrl = (call: Call) => string

/** The configured one, else the Host that the client used; HTTP/1.0 clients send none. */
export function createBaseUrl(configured: string | null, listening: string): BaseUrl {
  if (configured !== null) return () => configured
  return ({ head }) => (head.host === undefined ? listening : `http://${head.host}`)
}
