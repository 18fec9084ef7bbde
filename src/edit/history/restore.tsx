import { type Caller, toAuthor } from '../../http/auth/caller.ts'
import { execute, logWrite } from '../../http/execute.ts'
import { Refused, toSentence, toStatus } from '../../http/problem.ts'
import type { Call, Form, HttpCall, TextAnswer, Unrendered } from '../../http/route.ts'
import { parseReason, type RestoreCommand } from '../../record/command.ts'
import type { Decision } from '../../record/decide.ts'
import type { VideoRecord } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'

import { live } from '../../record/state.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import { refusalTexts } from '../changes/batch-notes.tsx'
import { createSingleBudget, RecordDiff } from '../diff.tsx'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { ReasonInput } from '../form/record-form.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { VersionFacts } from './history.tsx'
import {
  type CurrentTalk,
  decideRestore,
  findTalkVersion,
  type NumberedVersion,
  requireTalk,
  requireVersion,
} from './read-versions.ts'
import { undoVersion } from './undo.tsx'

const toRestoreTitle = (number: number) => `Restore version ${number}`

/** `/edit/video/<id>/history/<n>`: what restoring a version would change, and the form that does it. */
export async function showRestore(call: Call<'id' | 'version'>, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const id = Number(call.params.id)
  const talk = await requireTalk(deps.store, id)
  const version = await requireVersion(deps.store, id, Number(call.params.version))
  return respondRestore(call, {
    site,
    caller: requireCaller(call),
    pages: readTalkPages(call, site.urls),
    talk,
    version,
  })
}

interface RestoreProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly version: NumberedVersion
  readonly problem?: string
  /** The talk as the form had shown it, if it was changed since. */
  readonly shown?: VideoRecord | null
  readonly reason?: string
}

type RestoreCall = HttpCall<'id' | 'version'>
type Restored = TextAnswer | Unrendered<RestoreAgain>

/** `POST /edit/video/<id>/history/<n>` with `do=restore`, if the talk is still what the page showed, or `do=undo`. */
export async function restoreVersion(call: RestoreCall, deps: SiteHttpDeps): Promise<Restored> {
  const form = requireForm(call)
  if (form.get('do') === 'undo') return undoVersion(call, deps)
  const etag = form.get('etag') ?? ''
  if (form.get('do') !== 'restore' || !/^\d{1,15}-\w{1,64}$/.test(etag)) throw new Refused({ code: 'bad_form' })
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const reason = parseReason(form.get('reason') ?? '')
  if (!reason.ok) return { unrendered: { problem: reason.problems.join(' '), status: 400 } }
  const command: RestoreCommand = {
    ...{ kind: 'restore', id, number, author: toAuthor(requireCaller(call)), precondition: { ifMatch: [etag] } },
    ...(reason.value === null ? {} : { reason: reason.value }),
  }
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is === 'stored') logWrite(deps.log, call, command, outcome)
    return seeOther(call, await findNext(call, deps, outcome.is === 'stored'))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refuseRestore(call, deps, form, error)
  }
}

async function findNext(call: RestoreCall, deps: SiteHttpDeps, isStored: boolean): Promise<string> {
  const { urls } = await openSite(call, deps)
  return readTalkPages(call, urls).history(isStored ? { restored: call.params.version } : { saved: 'unchanged' })
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

function respondRestore(call: Call, props: RestoreProps): TextAnswer {
  const { site, caller, version } = props
  return respondEditPage(
    call,
    renderEditPage({ site, caller }, toRestoreTitle(version.line.version), <RestorePage {...props} />),
  )
}

function RestorePage(props: RestoreProps) {
  const { site, pages, talk, version, problem, shown } = props
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted" dir="auto">
          {talk.record.title}
        </p>
        <h1>{toRestoreTitle(version.line.version)}</h1>
        <p>
          <VersionFacts site={site} version={version} />
        </p>
      </header>
      {problem !== undefined && (
        <p class="edit-problem" role="alert">
          {problem}
        </p>
      )}
      {shown !== undefined && shown !== null && (
        <section class="whole-diff">
          <h2>Changes since you opened this page</h2>
          <RecordDiff before={{ ...shown }} after={{ ...talk.record }} budget={createSingleBudget()} />
          <h2>What restoring would change now</h2>
        </section>
      )}
      <Outlook {...props} />
      <p>
        <a href={pages.history()}>Cancel</a>
      </p>
    </div>
  )
}

/** What a restore would change, and the form if the caller may restore. */
function Outlook(props: RestoreProps) {
  const { talk, version, caller } = props
  if (version.line.version === talk.stored.version) return <p>This is the current version.</p>
  const decision = decideRestore(talk, version.record, toAuthor(caller))
  if (decision.is === 'unchanged') return <p>Nothing to change: the talk is the same as in this version.</p>
  const refusal = findRefusal(caller, decision, talk.record.state === live)
  const after = decision.is === 'accepted' ? decision.record : version.record
  return (
    <>
      {refusal === null ? (
        <p>Restoring creates a new version with these values. The history is kept.</p>
      ) : (
        <p class="edit-problem">{refusal}</p>
      )}
      <div class="whole-diff">
        <RecordDiff before={{ ...talk.record }} after={{ ...after }} isWhole budget={createSingleBudget()} />
      </div>
      {refusal === null && <RestoreForm {...props} />}
    </>
  )
}

const publisherTexts = {
  live: 'The talk is live. Only publishers may restore a version of it.',
  publishing: 'This version is live. Only publishers may restore it, since that would publish the talk.',
} as const

/** Why the caller may not restore the version; null if they may. */
function findRefusal({ role }: Caller, decision: Decision, isLive: boolean): string | null {
  if (!hasRole(role, 'editor')) return 'Readers may not restore versions.'
  if (decision.is !== 'refused') return null
  if (decision.refusal.code !== 'publisher_required') return toSentence(decision.refusal)
  return isLive ? publisherTexts.live : publisherTexts.publishing
}

function RestoreForm({ pages, caller, talk: { stored }, version, reason = '' }: RestoreProps) {
  return (
    <PostForm caller={caller} action={pages.version(version.line.version)} class="restore-form">
      <input type="hidden" name="etag" value={stored.versionTag} />
      <ReasonInput value={reason} />
      <button type="submit" name="do" value="restore" class="button">
        Restore this version
      </button>
    </PostForm>
  )
}

async function refuseRestore(
  call: RestoreCall,
  deps: SiteHttpDeps,
  form: Form,
  { problem }: Refused,
): Promise<Restored> {
  if (problem.code !== 'stale') {
    return { unrendered: { problem: refusalTexts[problem.code] ?? toSentence(problem), status: toStatus(problem) } }
  }
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const [talk, version] = [await requireTalk(deps.store, id), await requireVersion(deps.store, id, number)]
  // A double click: the first request has restored it.
  if (decideRestore(talk, version.record, toAuthor(requireCaller(call))).is === 'unchanged') {
    return seeOther(call, await findNext(call, deps, false))
  }
  const base = await findTalkVersion(deps.store, id, Number.parseInt(form.get('etag') ?? '', 10))
  const shown = base?.record ?? null
  return {
    unrendered: {
      problem: 'The talk was changed after you opened this page, so nothing was restored. Check the differences again.',
      status: toStatus(problem),
      shown,
    },
  }
}
