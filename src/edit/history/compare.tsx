import { Refused } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { parseRecordId } from '../../record/record.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import { createSingleBudget, RecordDiff } from '../diff.tsx'
import { renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { VersionFacts } from './history.tsx'
import {
  type CurrentTalk,
  findCompanionName,
  isCurrent,
  mayRestore,
  requireSeen,
  requireTalk,
  type SeenVersion,
  toRestoreTitle,
} from './read-versions.ts'

const toComparedTitle = (from: number, to: number) => `Version ${from} and version ${to}`

/** `/edit/video/<id>/compare?from=3&to=7`: two versions side by side. Without `to`, with the current one. */
export async function showCompare(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const id = Number(call.params.id)
  const talk = await requireTalk(deps.store, id)
  const to = readNumber(call, 'to') ?? talk.newest
  const from = readNumber(call, 'from') ?? Math.max(1, to - 1)
  const later = talk.transcripts.filter(({ number }) => number > Math.min(from, to)).map(({ name }) => name)
  const before = await requireSeen(deps.store, id, from, later)
  const after = await requireSeen(deps.store, id, to, later)
  const html = renderEditPage(
    { site, caller },
    toComparedTitle(from, to),
    <Comparison {...{ site, caller, pages: readTalkPages(call, site.urls), talk, before, after }} />,
  )
  return respondEditPage(call, html)
}

function readNumber(call: Call, name: string): number | null {
  const text = call.query().get(name)
  const number = text === null ? null : parseRecordId(text)
  if (text !== null && number === null) throw new Refused({ code: 'no_such_record_version' })
  return number
}

interface ComparisonProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly before: SeenVersion
  readonly after: SeenVersion
}

function Comparison({ site, caller, pages, talk, before, after }: ComparisonProps) {
  const { newest: current } = talk
  const [from, to] = [before.line.version, after.line.version]
  const older = from < to ? before : after
  return (
    <div class="edit-page">
      <header class="change-head">
        <p class="muted">{toComparedTitle(from, to)}</p>
        <h1 dir="auto">{talk.record.title}</h1>
        <p class="steps">
          <a href={pages.history()}>All versions</a>
          <a href={pages.edit}>Edit</a>
          {from !== to && <a href={pages.compare({ from: to, to: from })}>Swap</a>}
          {from !== current && to !== current && (
            <a href={pages.compare({ from: older.line.version, to: current })}>Compare with the current version</a>
          )}
          {!isCurrent(talk, older.line) && mayRestore(caller, talk.record, older) && (
            <a href={pages.version(older.line.version)}>
              {toRestoreTitle(older.line.version, findCompanionName(older.line))}
            </a>
          )}
        </p>
      </header>
      <dl class="compared">
        {[before, after].map((version, i) => (
          <div key={i}>
            <dt>{i === 0 ? 'From' : 'To'}</dt>
            <dd>
              <VersionFacts site={site} version={version} />
            </dd>
          </div>
        ))}
      </dl>
      {from === to ? (
        <p>Both are the same version. Choose two under “All versions”.</p>
      ) : (
        <div class="whole-diff">
          <RecordDiff before={before.seen} after={after.seen} isWhole budget={createSingleBudget()} />
        </div>
      )}
    </div>
  )
}
