import type { Route } from '../http/call.ts'
import { createBatchRoutes } from './batches.ts'
import { createCategoriesRoute } from './categories.ts'
import { createCategoryRoute } from './category.ts'
import { createCategoryHistoryRoutes } from './category-history.ts'
import { type ChangesNeeds, createChangesRoutes } from './changes.ts'
import { type CollectionNeeds, createCollectionRoute } from './collection.ts'
import { createDescriptionRoute } from './description-route.ts'
import { createDocsRoutes } from './docs-routes.ts'
import { createExtrasRoute } from './extras.ts'
import { createHistoryRoutes } from './history.ts'
import { createItemRoute, type ItemNeeds } from './item.ts'
import { createLegacyRoutes } from './legacy.ts'
import { readAllow, readHeaders } from './path-headers.ts'
import { createRootRoute, createSystemRoutes, type SystemNeeds } from './system.ts'
import { createVocabularyRoutes } from './vocabulary.ts'

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
