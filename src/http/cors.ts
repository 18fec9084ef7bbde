/** On every answer of the API: any page may read what the public may read. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Allow, Accept-Patch, Content-Location, Preference-Applied, Retry-After',
}

/** The answer to a browser that asks before it sends; `pathHeaders` are those of every answer of the path. */
export function toPreflightResponse(pathHeaders: Headers, methods: string): Response {
  const headers = new Headers(pathHeaders)
  headers.set('Access-Control-Allow-Methods', methods)
  headers.set(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, If-Match, If-None-Match, Prefer, Idempotency-Key',
  )
  headers.set('Access-Control-Max-Age', '86400')
  return new Response(null, { status: 204, headers })
}
