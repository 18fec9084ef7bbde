import { requireRead } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import { openSite, type SiteDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import type { Typed } from '../form/form-values.ts'
import { toPrefilled } from '../form/prefill.ts'
import { requireCaller } from '../require-caller.ts'
import { respondEditPage } from '../respond-edit.ts'
import { findKnownTalks } from './known-talks.tsx'
import { AddressForm, AlreadyKnown, NewForm, type NewTalk, renderNewPage } from './new-page.tsx'
import { parseVideoAddress } from './video-address.ts'

/**
 * `/edit/new`: asks for the address of a video; with `address`, says that we have it, or shows the form of a new talk.
 * `anyway` shows the form in any case, and `blank` an empty one. `category` names the event.
 */
export async function showNewTalk(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const query = call.query()
  const caller = requireCaller(call)
  const address = (query.get('address') ?? '').trim()
  const category = query.get('category') ?? ''
  const talk: NewTalk = { site: await openSite(call, deps), caller, address, category }
  const respond = (body: Parameters<typeof renderNewPage>[1], status = 200) => ({
    ...respondEditPage(call, renderNewPage(talk, body)),
    status,
  })
  const mayCreate = hasRole(caller.role, 'editor')
  const toForm = async (prefilled: Typed, isPartial = false) => {
    const typed = new Map([...prefilled, ...(await findEvent(deps.store, category))])
    const problem = isPartial ? { problem: 'Looking for it took too long, so we may have it already.' } : {}
    return <NewForm {...talk} {...{ typed, ...problem }} sendKey={crypto.randomUUID()} isAnyway={query.has('anyway')} />
  }
  if (mayCreate && query.has('blank')) return respond(await toForm(new Map()))
  if (!query.has('address')) return respond(<AddressForm {...talk} />)
  const parsed = parseVideoAddress(address)
  if (!parsed.ok) return respond(<AddressForm {...talk} problem={parsed.problem} />, 400)
  const { talks, isPartial } = await findKnownTalks(deps.store, query.has('anyway') ? [] : [address])
  if (talks.length > 0) return respond(<AlreadyKnown {...talk} talks={talks} />)
  return respond(mayCreate ? await toForm(toPrefilled(address), isPartial) : <AddressForm {...talk} isUnknown />)
}

/** The title of an event that is named by its slug or title; nothing if there is none. */
async function findEvent(store: ReadStore, given: string): Promise<Typed> {
  if (given === '') return new Map()
  const bySlug = requireRead(await store.findCategory({ slug: given, visibility: 'all' }))
  if (bySlug !== null) return new Map([['category', bySlug.row.title]])
  const titles = requireRead(await store.findCategorySlugs([given]))
  return new Map(titles.has(given) ? [['category', given]] : [])
}
