import { refuseMissing, requireRead } from '../../../http/problem/read-problems.ts'
import type { Call, TextAnswer } from '../../../http/route.ts'
import { openSite, type SiteNeeds } from '../../site.ts'
import { requireCaller } from '../require-caller.ts'
import { respondEditPage } from '../respond-edit.ts'
import { renderEditor } from './editor-page.tsx'
import { findPlace } from './list-place.ts'
import { findSaveNotice, isOfOther } from './save-notice.tsx'
import { findTalk } from './talk-version.ts'

/** `/edit/video/<id>`. */
export async function showEditor(call: Call<'id'>, needs: SiteNeeds): Promise<TextAnswer> {
  const { store } = needs
  const id = Number(call.params.id)
  const caller = requireCaller(call)
  const site = await openSite(call, needs)
  const talk = (await findTalk(store, id)) ?? (await refuseMissing(store, id))
  const page = {
    ...{ site, caller, talk },
    place: await findPlace(call, needs, caller, { id, category: talk.record.category }),
    made: await store.readVersion(id, talk.version),
    findings: requireRead(await store.findFindings({ id })) ?? [],
    isNext: isOfOther(call, id),
    notices: await findSaveNotice(call, needs, site, caller, talk),
  }
  return respondEditPage(call, renderEditor(page))
}
