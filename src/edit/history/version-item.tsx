import type { Caller } from '../../http/route.ts'
import type { Site } from '../../site/site.ts'
import type { DiffBudget } from '../diff/diff-budget.ts'
import { ShortDiff } from '../diff/short-diff.tsx'
import { Moment } from '../moment.tsx'
import type { TalkPages } from '../talk-pages.ts'
import { historyTexts } from './history-texts.ts'
import { type CurrentTalk, mayRestore, type Step, type TalkVersion } from './read-versions.ts'

const { history: texts } = historyTexts

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
        {line.version === props.current && <span class="badge">{texts.current}</span>}
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
          aria-label={texts.fromVersion(number)}
        />
        <span aria-hidden="true">{texts.from}</span>
      </label>
      <label>
        <input
          type="radio"
          name="to"
          value={number}
          checked={chosen.to === number}
          aria-label={texts.toVersion(number)}
        />
        <span aria-hidden="true">{texts.to}</span>
      </label>
    </span>
  )
}

interface VersionFactsProps {
  readonly site: Site
  readonly version: TalkVersion
}

/** `Version 3 · Nov 17, 2026, 04:30 UTC by ann: heard it`. */
export function VersionFacts({ site, version: { line, record } }: VersionFactsProps) {
  const kind = line.version === 1 ? texts.first[record.state === 1 ? 'live' : 'draft'] : texts.kinds[line.kind]
  return (
    <span class="version-facts">
      <strong>{texts.version(line.version)}</strong> <Moment at={line.at} /> {texts.by}{' '}
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
          <a href={site.urls.batch(line.batch)}>{texts.batch(line.batch)}</a>
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
      <a href={pages.compare({ from: number, to: current })}>{texts.withCurrent}</a>
      {mayRestore(caller, talk.record, version.record) && (
        <a href={pages.version(number)} aria-label={texts.restoreVersion(number)}>
          {texts.restore}
        </a>
      )}
    </span>
  )
}
