import type { Database } from '../database.ts'
import type { SiteReads } from '../site-reads.ts'
import { createPageAddresses } from './page-addresses.ts'

export interface SiteNeeds {
  readonly db: Database
  /** Moves with every change of the store. */
  changesCounter(): number
}

/** The reads of pages, alike for both engines. */
export function createSiteReads({ db, changesCounter }: SiteNeeds): SiteReads {
  return { ...createPageAddresses(db, changesCounter) }
}
