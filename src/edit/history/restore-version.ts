import { execute, logWrite } from '../../http/execute.ts'
import { Refused, toSentence, toStatus } from '../../http/problem.ts'
import type { Call, Form, HttpCall, TextAnswer, Unrendered } from '../../http/route.ts'
import { parseReason, type RestoreCommand } from '../../record/command.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { requireCaller, requireForm, toAuthor } from '../require-caller.ts'
import { seeOther } from '../respond-edit.ts'
import { readTalkPages } from '../talk-pages.ts'
import { decideRestore, findTalkVersion, requireTalk, requireVersion } from './read-versions.ts'
import { type RestoreProps, respondRestore } from './restore.tsx'

type RestoreCall = HttpCall<'id' | 'version'>
type Restored = TextAnswer | Unrendered<RestoreAgain>

/** `POST /edit/video/<id>/history/<n>` with `do=restore`: only if the talk is still what the page showed. */
export async function restoreVersion(call: RestoreCall, deps: SiteHttpDeps): Promise<Restored> {
  const form = requireForm(call)
  const etag = form.get('etag') ?? ''
  if (form.get('do') !== 'restore' || !/^\d{1,15}-\w{1,64}$/.test(etag)) throw new Refused({ code: 'bad_form' })
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const reason = parseReason(form.get('reason') ?? '')
  if (!reason.ok) return { unrendered: { problem: reason.problems.join(' '), status: 400 } }
  const command: RestoreCommand = {
    ...{ kind: 'restore', id, number, author: toAuthor(requireCaller(call)), precondition: { ifMatch: [etag] } },
    ...(reason.value === null ? {} : { reason: reason.value }),
  }
  const pages = readTalkPages(call, (await openSite(call, deps)).urls)
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is !== 'stored') return seeOther(call, pages.history({ saved: 'unchanged' }))
    logWrite(deps.log, call, command, outcome)
    return seeOther(call, pages.history({ restored: number }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refuse(call, deps, form, error)
  }
}

async function refuse(call: RestoreCall, deps: SiteHttpDeps, form: Form, { problem }: Refused): Promise<Restored> {
  if (problem.code !== 'stale') {
    return { unrendered: { problem: toSentence(problem), status: toStatus(problem) } }
  }
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const [talk, version] = [await requireTalk(deps.store, id), await requireVersion(deps.store, id, number)]
  // A double click: the first one has done it.
  if (decideRestore(talk, version.record, toAuthor(requireCaller(call))).is === 'unchanged') {
    const { urls } = await openSite(call, deps)
    return seeOther(call, readTalkPages(call, urls).history({ saved: 'unchanged' }))
  }
  const base = await findTalkVersion(deps.store, id, Number.parseInt(form.get('etag') ?? '', 10))
  const shown = base?.record ?? null
  return {
    unrendered: {
      problem: 'The talk was changed after you opened this page, so nothing was restored. Look again.',
      status: toStatus(problem),
      shown,
    },
  }
}

interface RestoreAgain extends Pick<RestoreProps, 'shown'> {
  readonly problem: string
  readonly status: number
}

/** The page again, with what was typed and the talk as it is now. Runs on a query thread (decision 70). */
export async function renderRestore(
  call: Call<'id' | 'version'>,
  deps: SiteDeps,
  { status, ...rest }: RestoreAgain,
): Promise<TextAnswer> {
  const id = Number(call.params.id)
  const talk = await requireTalk(deps.store, id)
  const version = await requireVersion(deps.store, id, Number(call.params.version))
  const [site, caller] = [await openSite(call, deps), requireCaller(call)]
  const reason = requireForm(call).get('reason') ?? ''
  const pages = readTalkPages(call, site.urls)
  return { ...respondRestore(call, { site, caller, pages, talk, version, reason, ...rest }), status }
}
