import { createEditTable } from '../edit/edit-routes.ts'
import type { Route } from '../http/route.ts'
import { type QueryRoutes, toMissingRoute, toQueryRoutes, toRoute } from '../http/route-table.ts'
import { createPageKinds } from '../site/page-kinds.ts'
import { createSiteTable } from '../site/routes.ts'
import type { SiteDeps, SiteHttpDeps } from '../site/site.ts'

/** All pages: those for viewers and those for curators. */
const createPageTable = (deps: SiteDeps) => [...createSiteTable(deps), ...createEditTable(deps)]

/** The routes of a query thread. */
export const createPageQueryRoutes = (deps: SiteDeps): QueryRoutes => toQueryRoutes(createPageTable(deps), deps)

export interface PageRoutes {
  readonly all: readonly Route[]
  readonly notFound: Route
}

export function createPageRoutes(deps: SiteHttpDeps): PageRoutes {
  return {
    all: createPageTable(deps).map((each) => toRoute(each, deps)),
    notFound: toMissingRoute(createPageKinds(deps).page),
  }
}
