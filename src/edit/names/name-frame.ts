import { Refused } from '../../http/problem.ts'
import type { Call, Caller } from '../../http/route.ts'

import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'
import { requireCaller } from '../edit-page.tsx'
import { type CuratedName, findCurated } from './curated-name.ts'

/** What every page about one name needs. */
export interface NameFrame {
  readonly site: Site
  readonly caller: Caller
  readonly name: CuratedName
}

/** Refuses the request if there is none. One that was merged has the key of the other. */
export async function openName(call: Call, deps: SiteDeps, kind: NameKind, key: string): Promise<NameFrame> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const name = await findCurated(deps, kind, key)
  if (name === null) throw new Refused({ code: kind === 'category' ? 'no_such_category' : 'no_such_name' })
  return { site, caller, name }
}
