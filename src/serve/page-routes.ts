import { createEditKind, createEditTable } from '../edit/routes.ts'
import type { Route } from '../http/route.ts'
import { type QueryRoutes, toFallbackRoute, toMissingRoute, toQueryRoutes, toRoute } from '../http/route-table.ts'
import { createMissingPath, createSiteTable } from '../site/routes.ts'
import type { SiteDeps, SiteHttpDeps } from '../site/site.ts'

/** All pages: those for viewers and those for curators. */
const createPageTable = (deps: SiteDeps) => [...createSiteTable(deps), ...createEditTable(deps)]

/** The routes of a query thread. */
export const createPageQueryRoutes = (deps: SiteDeps): QueryRoutes =>
  toQueryRoutes([...createPageTable(deps), createMissingPath(deps)], deps)

export interface PageRoutes {
  readonly all: readonly Route[]
  /** The route of a path that no other has. */
  findMissing(path: string): Route
}

export function createPageRoutes(deps: SiteHttpDeps): PageRoutes {
  const [missing, missingOfCurators] = [
    toFallbackRoute(createMissingPath(deps), deps),
    toMissingRoute(createEditKind(deps)),
  ]
  return {
    all: createPageTable(deps).map((each) => toRoute(each, deps)),
    findMissing: (path) => (/^\/+edit(?:\/|$)/.test(path) ? missingOfCurators : missing),
  }
}
