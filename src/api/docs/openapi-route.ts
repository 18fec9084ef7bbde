import type { Call, Route } from '../../http/call.ts'
import { isKnown } from '../../http/conditional.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import type { BaseUrl } from '../base-url.ts'
import type * as OpenApi from '../openapi/openapi.ts'
import { readHeaders } from '../path-headers.ts'
import { toReadRoute } from '../read-route.ts'

export interface DescriptionNeeds {
  readonly version: string
  readonly baseUrl: BaseUrl
}

const jsonType = 'application/json'
const placeholder = 'http://the-address-of-the-service.invalid'

/** `/api/v2/openapi.json`: what the service can do, made when somebody asks. `routes` is asked for then, too. */
export function createDescriptionRoute({ version, baseUrl }: DescriptionNeeds, routes: () => readonly Route[]): Route {
  /** What stands before the service's own address, and behind it: that is all in which two descriptions differ. */
  let parts: readonly [string, string] | null = null
  /** The last one answered; nearly everybody comes by the same name. */
  let ready: Ready | null = null

  function get(call: Call): Response {
    const base = baseUrl(call)
    parts ??= describeRoutes()
    if (ready?.base !== base) ready = toReady(base, parts.join(toAsciiJson(base)))
    const { headers, body, tag } = ready
    return isKnown(call.head, tag) ? new Response(null, { status: 304, headers }) : new Response(body, { headers })
  }

  function describeRoutes(): readonly [string, string] {
    // Loaded when somebody asks: a quarter of an HTTP thread's program is its texts.
    const { toOpenApi } = require('../openapi/openapi.ts') as typeof OpenApi // its own types, which `require` cannot carry
    const [before, after, ...more] = toAsciiJson(toOpenApi(routes(), version, placeholder)).split(`"${placeholder}"`)
    if (before === undefined || after === undefined || more.length > 0) throw new Error('one address is in it, once')
    return [before, after]
  }

  return toReadRoute(
    { name: 'other', path: '/api/v2/openapi.json', headers: readHeaders, negotiates: true },
    { role: null, run: get },
    { role: null, run: describe },
  )
}

interface Ready {
  readonly base: string
  readonly body: string
  readonly tag: string
  readonly headers: Headers
}

function toReady(base: string, body: string): Ready {
  const tag = `"${Bun.hash(body).toString(16)}"`
  const headers = new Headers(readHeaders)
  headers.set('Content-Type', jsonType)
  headers.set('ETag', tag)
  headers.set('Cache-Control', 'public, max-age=0, must-revalidate')
  return { base, body, tag, headers }
}

function describe(): Response {
  const headers = new Headers(readHeaders)
  headers.set('Content-Type', jsonType)
  headers.set('Cache-Control', 'no-store')
  const body = {
    name: 'Description',
    description: 'This API as an OpenAPI 3.1 document.',
    renders: [jsonType],
    parses: [],
  }
  return new Response(toAsciiJson(body), { headers })
}
