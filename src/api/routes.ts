import type { Route } from '../http/call.ts'
import { createBatchRoutes } from './batch/batches.ts'
import { createDocsRoutes } from './docs/docs-routes.ts'
import { createDescriptionRoute } from './docs/openapi-route.ts'
import { type ChangesNeeds, createChangesRoutes } from './feed/changes.ts'
import { createCategoryHistoryRoutes } from './history/category-history.ts'
import { createHistoryRoutes } from './history/history.ts'
import { createExtrasRoute } from './item/extras.ts'
import { createItemRoute, type ItemNeeds } from './item/item.ts'
import { type CollectionNeeds, createCollectionRoute } from './list/collection.ts'
import { readAllow, readHeaders } from './path-headers.ts'
import { createLegacyRoutes } from './system/legacy.ts'
import { createRootRoute, createSystemRoutes, type SystemNeeds } from './system/system.ts'
import { createCategoriesRoute } from './vocabulary/categories.ts'
import { createCategoryRoute } from './vocabulary/category.ts'
import { createVocabularyRoutes } from './vocabulary/vocabulary.ts'

export interface Routes {
  readonly item: Route
  readonly all: readonly Route[]
  readonly notFound: Route
}

/** Every address of the service. */
export function createRoutes(needs: ItemNeeds & CollectionNeeds & ChangesNeeds & SystemNeeds): Routes {
  const item = createItemRoute(needs)
  const all: readonly Route[] = [
    item,
    createCollectionRoute(needs),
    createExtrasRoute(needs),
    ...createHistoryRoutes(needs),
    ...createBatchRoutes(needs),
    ...createChangesRoutes(needs),
    createCategoriesRoute(needs),
    createCategoryRoute(needs),
    ...createCategoryHistoryRoutes(needs),
    ...createVocabularyRoutes(needs),
    ...createLegacyRoutes(needs),
    createRootRoute(needs.baseUrl),
    createDescriptionRoute(needs, () => all),
    ...createDocsRoutes(needs),
    ...createSystemRoutes(needs),
  ]
  return { item, all, notFound }
}

/** Where every other address ends: its parameter is never accepted, so the answer is always 404. */
const notFound: Route = {
  name: 'other',
  path: '',
  acceptsParameter: () => false,
  allow: readAllow,
  headers: new Headers([...readHeaders].filter(([name]) => name !== 'allow')),
  negotiates: false,
  methods: {},
}
