import { execute, logWrite } from '../../http/execute.ts'
import { Refused, toSentence, toStatus } from '../../http/problem.ts'
import {
  type Call,
  type Caller,
  type Form,
  type HttpCall,
  type TextAnswer,
  toAuthor,
  type Unrendered,
} from '../../http/route.ts'
import { parseReason, type RestoreCommand } from '../../record/command.ts'
import { type CompanionName, listLines, toKind } from '../../record/companion/kinds.ts'
import { findTaggedNumber, toCompanionTag } from '../../record/companion/version.ts'
import type { Decision } from '../../record/decide.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { hasRole } from '../../record/role.ts'
import { live } from '../../record/state.ts'
import { isTranscriptName } from '../../record/transcript/transcript-kind.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import { refusalTexts } from '../changes/batch-notes.tsx'
import { createSingleBudget, RecordDiff } from '../diff.tsx'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { ReasonInput } from '../form/record-form.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { setCompanion } from '../talk/companion.ts'
import { findLock } from '../talk/form-actions.ts'
import { VersionFacts } from './history.tsx'
import {
  type CurrentTalk,
  decideRestore,
  findCompanionName,
  findTalkVersion,
  isCurrent,
  readLines,
  requireSeen,
  requireTalk,
  requireVersion,
  type SeenVersion,
  toRestoreTitle,
} from './read-versions.ts'
import { undoVersion } from './undo.tsx'

/** `/edit/video/<id>/history/<n>`: what restoring a version would change, and the form that does it. */
export async function showRestore(call: Call<'id' | 'version'>, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const id = Number(call.params.id)
  const version = await requireSeen(deps.store, id, Number(call.params.version))
  const talk = await requireTalk(deps.store, id, findCompanionName(version.line))
  return respondRestore(call, {
    site,
    caller: requireCaller(call),
    pages: readTalkPages(call, site.urls),
    talk,
    version,
    companion: findCompanionName(version.line),
  })
}

interface RestoreProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly version: SeenVersion
  /** What is restored; null: the record. */
  readonly companion: CompanionName | null
  readonly problem?: string
  /** The talk or the companion as the form had shown it, if it was changed since. */
  readonly shown?: JsonObject | null
  readonly reason?: string
}

type RestoreCall = HttpCall<'id' | 'version'>
type Restored = TextAnswer | Unrendered<RestoreAgain>

/** `POST /edit/video/<id>/history/<n>` with `do=restore`, if the talk is still what the page showed, or `do=undo`. */
export async function restoreVersion(call: RestoreCall, deps: SiteHttpDeps): Promise<Restored> {
  const form = requireForm(call)
  if (form.get('do') === 'undo') return undoVersion(call, deps)
  if (form.get('do') !== 'restore') throw new Refused({ code: 'bad_form' })
  const { line } = await requireVersion(deps.store, Number(call.params.id), Number(call.params.version))
  const companion = readCompanion(form, findCompanionName(line))
  const reason = parseReason(form.get('reason') ?? '')
  if (!reason.ok) return { unrendered: { problem: reason.problems.join(' '), status: 400 } }
  try {
    const made =
      companion === null
        ? await restoreRecord(call, deps, reason.value)
        : await restoreCompanion(call, deps, companion, reason.value)
    return seeOther(call, await findNext(call, deps, made))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refuseRestore(call, deps, companion, error)
  }
}

/** The tag of a form says what it restores. */
function readCompanion(form: Form, name: CompanionName | null): CompanionName | null {
  const etag = form.get('etag') ?? ''
  if (/^\d{1,15}-\w{1,64}$/.test(etag)) return null
  if (name === null || findTaggedNumber(name, etag) === null) throw new Refused({ code: 'bad_form' })
  return name
}

/** The version that it made; null if nothing had to change. */
async function restoreRecord(call: RestoreCall, deps: SiteHttpDeps, reason: string | null): Promise<number | null> {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const precondition = { ifMatch: [requireForm(call).get('etag') ?? ''] }
  const author = toAuthor(requireCaller(call))
  const said = reason === null ? {} : { reason }
  const command: RestoreCommand = { kind: 'restore', id, number, author, precondition, ...said }
  const outcome = await execute(deps, call, command)
  if (outcome.is !== 'stored') return null
  logWrite(deps.log, call, command, outcome)
  return outcome.stored.version
}

async function restoreCompanion(call: RestoreCall, deps: SiteHttpDeps, name: CompanionName, reason: string | null) {
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const { content: body } = await deps.store.readCompanion(id, name, number)
  const base = requireForm(call).get('etag') ?? ''
  const sent = await setCompanion(call, deps, { id, name, base, body, reason })
  if (sent.is === 'refused') throw new Refused(sent.problem)
  return sent.is === 'saved' ? sent.version : null
}

/** The history. `version`: the one that was made, if any. */
async function findNext(call: RestoreCall, deps: SiteHttpDeps, version: number | null): Promise<string> {
  const { urls } = await openSite(call, deps)
  return readTalkPages(call, urls).history(
    version === null ? { saved: 'unchanged' } : { restored: call.params.version },
  )
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
  const version = await requireSeen(deps.store, id, Number(call.params.version))
  const talk = await requireTalk(deps.store, id, findCompanionName(version.line))
  const companion = readCompanion(requireForm(call), findCompanionName(version.line))
  const [site, caller] = [await openSite(call, deps), requireCaller(call)]
  const reason = requireForm(call).get('reason') ?? ''
  const pages = readTalkPages(call, site.urls)
  return { ...respondRestore(call, { site, caller, pages, talk, version, companion, reason, ...rest }), status }
}

function respondRestore(call: Call, props: RestoreProps): TextAnswer {
  const { site, caller, version, companion } = props
  const title = toRestoreTitle(version.line.version, companion)
  return respondEditPage(call, renderEditPage({ site, caller }, title, <RestorePage {...props} />))
}

function RestorePage(props: RestoreProps) {
  const { site, pages, talk, version, companion, problem, shown } = props
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted" dir="auto">
          {talk.record.title}
        </p>
        <h1>{toRestoreTitle(version.line.version, companion)}</h1>
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
          <RecordDiff before={shown} after={toNow(talk, companion)} budget={createSingleBudget()} />
          <h2>What restoring would change now</h2>
        </section>
      )}
      {companion === null ? <Outlook {...props} /> : <CompanionOutlook {...props} name={companion} />}
      <p>
        <a href={pages.history()}>Cancel</a>
      </p>
    </div>
  )
}

/** What restoring changes, as it is now. */
const toNow = ({ record, companions }: CurrentTalk, name: CompanionName | null): JsonObject =>
  name === null
    ? { ...record }
    : Object.fromEntries(
        companions.flatMap((each) => (each.name === name ? [[name, listLines(name, each.content)]] : [])),
      )

/** What restoring a companion would change, which is nothing else of the talk. */
function CompanionOutlook(props: RestoreProps & { readonly name: CompanionName }) {
  const { talk, version, caller, name } = props
  const label = toKind(name).label.toLowerCase()
  const [before, after] = [toNow(talk, name)[name] ?? [], version.seen[name] ?? []]
  if (isCurrent(talk, version.line)) return <p>This is the current version.</p>
  if (isSameJson(before, after)) return <p>Nothing to change: the {label} are the same as in this version.</p>
  const lock = findLock(caller, talk.record)
  return (
    <>
      {lock === null ? (
        <p>Restores the {label} alone, as a new version. The rest of the talk stays as it is. The history is kept.</p>
      ) : (
        <p class="edit-problem">{lock === 'reader' ? readerText : publisherTexts.live}</p>
      )}
      <div class="whole-diff">
        <RecordDiff before={{ [name]: before }} after={{ [name]: after }} isWhole budget={createSingleBudget()} />
      </div>
      {lock === null && <RestoreForm {...props} />}
    </>
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

const readerText = 'Readers may not restore versions.'

const publisherTexts = {
  live: 'The talk is live. Only publishers may restore a version of it.',
  publishing: 'This version is live. Only publishers may restore it, since that would publish the talk.',
} as const

/** Why the caller may not restore the version; null if they may. */
function findRefusal({ role }: Caller, decision: Decision, isLive: boolean): string | null {
  if (!hasRole(role, 'editor')) return readerText
  if (decision.is !== 'refused') return null
  if (decision.refusal.code !== 'publisher_required') return toSentence(decision.refusal)
  return isLive ? publisherTexts.live : publisherTexts.publishing
}

function RestoreForm({ pages, caller, talk: { stored, companions }, version, companion, reason = '' }: RestoreProps) {
  const now = companions.find(({ name }) => name === companion)
  const etag = now === undefined ? stored.versionTag : toCompanionTag(now.name, now)
  return (
    <PostForm caller={caller} action={pages.version(version.line.version)} class="restore-form" hidden={{ etag }}>
      <ReasonInput value={reason} />
      <button type="submit" name="do" value="restore" class="button">
        {companion === null ? 'Restore this version' : `Restore the ${toKind(companion).label.toLowerCase()}`}
      </button>
    </PostForm>
  )
}

async function refuseRestore(
  call: RestoreCall,
  deps: SiteHttpDeps,
  companion: CompanionName | null,
  { problem }: Refused,
): Promise<Restored> {
  if (problem.code !== 'stale') {
    return { unrendered: { problem: refusalTexts[problem.code] ?? toSentence(problem), status: toStatus(problem) } }
  }
  const [id, number] = [Number(call.params.id), Number(call.params.version)]
  const [talk, version] = [await requireTalk(deps.store, id, companion), await requireSeen(deps.store, id, number)]
  const isDone =
    companion === null
      ? decideRestore(talk, version.record, toAuthor(requireCaller(call))).is === 'unchanged'
      : isSameJson(toNow(talk, companion)[companion] ?? [], version.seen[companion] ?? [])
  // A double click: the first request has restored it.
  if (isDone) return seeOther(call, await findNext(call, deps, null))
  const what =
    companion === null
      ? 'The talk was'
      : `The ${toKind(companion).label.toLowerCase()} ${isTranscriptName(companion) ? 'was' : 'were'}`
  return {
    unrendered: {
      problem: `${what} changed after you opened this page, so nothing was restored. Check the differences again.`,
      status: toStatus(problem),
      shown: await findShown(deps, id, companion, requireForm(call).get('etag') ?? ''),
    },
  }
}

/** What the page had shown as current, by the tag in its form. */
async function findShown(
  { store }: SiteHttpDeps,
  id: number,
  name: CompanionName | null,
  etag: string,
): Promise<JsonObject | null> {
  if (name !== null) return readLines(store, id, findTaggedNumber(name, etag) ?? 0, [name])
  const base = await findTalkVersion(store, id, Number.parseInt(etag, 10))
  return base === null ? null : { ...base.record }
}
