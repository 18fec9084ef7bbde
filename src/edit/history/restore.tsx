import { live } from '../../record/state.ts'
import { type Call, type Caller, type TextAnswer } from '../../http/route.ts'
import { toSentence } from '../../http/problem.ts'
import { hasRole } from '../../record/command.ts'
import type { Decision } from '../../record/decide.ts'
import type { VideoRecord } from '../../record/record.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { createSingleBudget, RecordDiff } from '../diff.tsx'
import { renderEditPage } from '../edit-layout.tsx'
import { ReasonInput } from '../form/record-form.tsx'
import { PostForm } from '../post-form.tsx'
import { requireCaller, toAuthor } from '../require-caller.ts'
import { respondEditPage } from '../respond-edit.ts'
import { readTalkPages, type TalkPages } from '../talk-pages.ts'
import { type CurrentTalk, decideRestore, type NumberedVersion, requireTalk, requireVersion } from './read-versions.ts'
import { VersionFacts } from './version-item.tsx'

const toRestoreTitle = (number: number) => `Restore version ${number}`
const publisherTexts = {
  live: 'The talk is live. Only publishers may restore a version of it.',
  publishing: 'This version is live. Only publishers may restore it, since that would publish the talk.',
} as const

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

export interface RestoreProps {
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

export function respondRestore(call: Call, props: RestoreProps): TextAnswer {
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
          <h2>What was changed meanwhile</h2>
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

/** What would change, if anything would, and if the caller may. */
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
        <p>The talk gets these values, as a new version. Nothing of its history is lost.</p>
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

/** Why the caller may not restore it; null if they may. */
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
