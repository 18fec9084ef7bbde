/** On every response of the API: any page may read what is public. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Allow, Accept-Patch, Content-Location, Preference-Applied, Retry-After, Ignored-Parameters',
}

/** The request headers that we use and that a browser sends only after a preflight. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Prefer',
  'Idempotency-Key',
  'Change-Reason',
  'Last-Event-ID',
].join(', ')

/** The response to a preflight request of a browser. */
export function toPreflightResponse(pathHeaders: Headers, methods: string): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Access-Control-Allow-Methods', methods)
  headers.set('Access-Control-Allow-Headers', requestHeaders)
  headers.set('Access-Control-Max-Age', '86400')
  return new Response(null, { status: 204, headers })
}
