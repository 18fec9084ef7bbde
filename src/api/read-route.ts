import type { Action, Route } from '../http/call.ts'

type ReadRoute = Pick<Route, 'name' | 'path' | 'headers' | 'negotiates'> & Partial<Pick<Route, 'acceptsParameter'>>

/** A path that can only be read; its `Allow` is the one in its headers. */
export function toReadRoute(route: ReadRoute, read: Action): Route {
  return {
    acceptsParameter: () => true,
    allow: route.headers.get('Allow') ?? '',
    methods: { GET: read, HEAD: read },
    ...route,
  }
}
