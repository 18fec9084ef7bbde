/** On every answer of the API: any page may read what the public may read. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Allow, Accept-Patch, Content-Location, Preference-Applied, Retry-After, Ignored-Parameters',
}

/** Every request header that means anything to us, and that a page may not send without asking. */
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

/** The answer to a browser that asks before it sends; `pathHeaders` are those of every answer of the path. */
export function toPreflightResponse(pathHeaders: Headers, methods: string): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Access-Control-Allow-Methods', methods)
  headers.set('Access-Control-Allow-Headers', requestHeaders)
  headers.set('Access-Control-Max-Age', '86400')
  return new Response(null, { status: 204, headers })
}
