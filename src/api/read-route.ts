import type { Action, Call, Route } from '../http/call.ts'
import { hasRole, type Role } from '../record/command.ts'
import { toAsciiJson } from '../record/json/body-bytes.ts'
import type { JsonObject } from '../record/json/json-value.ts'
import { listHeaders } from './path-headers.ts'

type ReadRoute = Pick<Route, 'name' | 'path' | 'headers' | 'negotiates'> & Partial<Pick<Route, 'acceptsParameter'>>

/** A path that can only be read; its `Allow` is the one in its headers. */
export function toReadRoute(route: ReadRoute, read: Action, options?: Action): Route {
  return {
    acceptsParameter: () => true,
    allow: route.headers.get('Allow') ?? '',
    methods: { GET: read, HEAD: read, ...(options === undefined ? {} : { OPTIONS: options }) },
    ...route,
  }
}

/** One that also tells what it is. */
export function toDescribedRoute(route: ReadRoute, read: Action, type = 'application/json'): Route {
  return toReadRoute(route, read, toDescribe(route.path, route.headers, type))
}

export function toDescribe(path: string, pathHeaders: Headers, type = 'application/json'): Action {
  return {
    role: null,
    run() {
      const headers = new Headers(pathHeaders)
      headers.set('Content-Type', 'application/json')
      headers.set('Cache-Control', 'no-store')
      return new Response(JSON.stringify({ name: path, renders: [type] }), { headers })
    },
  }
}

/** OPTIONS of a list that something can be added to: its fields are for callers who may. */
export function toDescribeList(
  texts: { name: string; description: string },
  role: Role,
  toFields: () => JsonObject,
): Action {
  return {
    role: null,
    run(call: Call) {
      const mayWrite = hasRole(call.caller()?.role ?? null, role)
      const types = { renders: ['application/json'], parses: ['application/json'] }
      const headers = new Headers(listHeaders)
      headers.set('Content-Type', 'application/json')
      headers.set('Cache-Control', 'no-store')
      return new Response(toAsciiJson({ ...texts, ...types, ...(mayWrite ? { actions: { POST: toFields() } } : {}) }), {
        headers,
      })
    },
  }
}
