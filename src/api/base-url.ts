import type { Call } from '../http/call.ts'

/** What absolute addresses begin with, without a slash at the end. */
export type BaseUrl = (call: Call) => string

/** The configured one, else the Host that the caller used; HTTP/1.0 callers have none. */
export function createBaseUrl(configured: string | null, listening: string): BaseUrl {
  if (configured !== null) return () => configured
  return ({ head }) => (head.host === undefined ? listening : `http://${head.host}`)
}
