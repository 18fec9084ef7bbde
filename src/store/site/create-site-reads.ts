import type { SiteReads } from '../site-reads.ts'
import { createAliasFinder } from './aliases.ts'
import { createDays } from './days.ts'
import { createNewest } from './newest.ts'
import { createOverview } from './overview.ts'
import { createPageAddresses } from './page-addresses.ts'
import { createPages } from './pages.ts'
import { createRelated } from './related.ts'
import type { SiteReadNeeds } from './site-needs.ts'

/** The reads of pages, alike for both engines. */
export function createSiteReads(needs: SiteReadNeeds): SiteReads {
  return {
    ...createPageAddresses(needs.db, needs.changesCounter),
    findAlias: createAliasFinder(needs.db),
    listNewest: createNewest(needs),
    ...createOverview(needs),
    listDays: createDays(needs),
    findRelated: createRelated(needs),
    ...createPages(needs),
  }
}
