import type { Action, Route } from '../http/call.ts'

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
