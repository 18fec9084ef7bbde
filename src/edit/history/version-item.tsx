import type { Caller } from '../../http/route.ts'
import type { Site } from '../../site/site.ts'
import { type DiffBudget, ShortDiff } from '../diff.tsx'
import { Moment } from '../moment.tsx'
import type { TalkPages } from '../talk-pages.ts'
import { type CurrentTalk, mayRestore, type NumberedVersion, type Step } from './read-versions.ts'

const firstKinds = { live: 'New talk, live', draft: 'New talk, draft' } as const
const changeKinds = { created: 'Published', withdrawn: 'Withdrawn', updated: null } as const

interface VersionItemProps {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: CurrentTalk
  readonly step: Step
  /** The versions that are chosen for a comparison at first. */
  readonly chosen: { readonly from: number; readonly to: number }
  /** The number of the current version. */
  readonly current: number
  /** Whether there is nothing to compare it with. */
  readonly isAlone: boolean
  readonly budget: DiffBudget
}

/** One version: who made it, when and why, and what it changed. */
export function VersionItem(props: VersionItemProps) {
  const { site, step, chosen, isAlone } = props
  const { version, before } = step
  const { line, record } = version
  return (
    <li id={`version-${line.version}`}>
      <div class="version-head">
        {!isAlone && <Choice number={line.version} chosen={chosen} />}
        <VersionFacts site={site} version={version} />
        {line.version === props.current && <span class="badge">current</span>}
        <VersionLinks {...props} />
      </div>
      {before !== null && (
        <ShortDiff before={before.record} after={record} budget={props.budget} href={toHref(props, line.version)} />
      )}
    </li>
  )
}

const toHref = ({ pages }: VersionItemProps, to: number) => pages.compare({ from: to - 1, to })

function Choice({ number, chosen }: { readonly number: number; readonly chosen: VersionItemProps['chosen'] }) {
  return (
    <span class="version-choice">
      <label>
        <input
          type="radio"
          name="from"
          value={number}
          checked={chosen.from === number}
          aria-label={`From version ${number}`}
        />
        <span aria-hidden="true">From</span>
      </label>
      <label>
        <input
          type="radio"
          name="to"
          value={number}
          checked={chosen.to === number}
          aria-label={`To version ${number}`}
        />
        <span aria-hidden="true">To</span>
      </label>
    </span>
  )
}

interface VersionFactsProps {
  readonly site: Site
  readonly version: NumberedVersion
}

/** `Version 3 · Nov 17, 2026, 04:30 UTC by ann: heard it`. */
export function VersionFacts({ site, version: { line, record } }: VersionFactsProps) {
  const kind = line.version === 1 ? firstKinds[record.state === 1 ? 'live' : 'draft'] : changeKinds[line.kind]
  return (
    <span class="version-facts">
      <strong>Version {line.version}</strong> <Moment at={line.at} /> by{' '}
      <a href={site.urls.changes({ by: line.by })}>
        <bdi>{line.by}</bdi>
      </a>
      {kind !== null && (
        <>
          {' '}
          <span class="badge">{kind}</span>
        </>
      )}
      {line.batch !== null && (
        <>
          {' · '}
          <a href={site.urls.batch(line.batch)}>Batch {line.batch}</a>
        </>
      )}
      {line.reason !== null && (
        <q class="reason" dir="auto">
          {line.reason}
        </q>
      )}
    </span>
  )
}

function VersionLinks({ pages, caller, talk, step: { version }, current }: VersionItemProps) {
  const { version: number } = version.line
  if (number === current) return null
  return (
    <span class="version-links">
      <a href={pages.compare({ from: number, to: current })}>Compare with the current version</a>
      {mayRestore(caller, talk.record, version.record) && (
        <a href={pages.version(number)} aria-label={`Restore version ${number}`}>
          Restore
        </a>
      )}
    </span>
  )
}
