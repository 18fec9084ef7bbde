import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { Site } from '../../site/site.ts'
import type {
  Activity,
  BatchActivity,
  CategoryActivity,
  DismissalActivity,
  NamePair,
  VersionActivity,
} from '../../store/change-log.ts'
import { toFullLabel } from '../form/field-hints.ts'
import { BatchTitle } from './batch-title.tsx'
import { changesTexts } from './changes-texts.ts'

const { changes: texts, batch: batchTexts } = changesTexts

interface ChangeLineProps {
  readonly site: Site
  readonly caller: Caller
  readonly line: Activity
  readonly view: {
    readonly titles: ReadonlyMap<number, string>
    readonly names: ReadonlyMap<number, readonly NamePair[]>
  }
}

/** One change: when, who, what and why. */
export function ChangeLine({ site, caller, line, view }: ChangeLineProps) {
  switch (line.is) {
    case 'version':
      return <VersionChange site={site} line={line} title={view.titles.get(line.id)} />
    case 'batch':
      return <BatchChange {...{ site, caller, line }} names={view.names.get(line.id) ?? []} />
    case 'category':
      return <EventChange site={site} line={line} />
    case 'dismissal':
      return <DismissalChange site={site} line={line} />
    case 'erasure':
      return (
        <Line at={line.at}>
          <span class="muted">{texts.erased(line.id)}</span>
        </Line>
      )
  }
}

interface LineProps {
  readonly at: string
  readonly author?: { readonly site: Site; readonly by: string }
  readonly reason?: string | null
  readonly children: Child
}

function Line({ at, author, reason = null, children }: LineProps) {
  return (
    <li class="change-line">
      <time datetime={`${at}Z`}>{at.slice(11, 16)}</time>
      <div>
        {children}
        {author !== undefined && (
          <span class="change-by">
            {' '}
            {texts.by}{' '}
            <a href={author.site.urls.changes({ by: author.by })}>
              <bdi>{author.by}</bdi>
            </a>
          </span>
        )}
        {reason !== null && (
          <q class="reason" dir="auto">
            {reason}
          </q>
        )}
      </div>
    </li>
  )
}

interface VersionChangeProps {
  readonly site: Site
  readonly line: VersionActivity
  /** Absent if the talk was erased a moment ago. */
  readonly title: string | undefined
}

function VersionChange({ site, line, title }: VersionChangeProps) {
  if (title === undefined) return <Line at={line.at}>{texts.erasedSince(line.id)}</Line>
  const { id, version, kind, changed, batch } = line
  const badge = version === 1 ? texts.first : texts.kinds[kind]
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      <a href={site.urls.edit(id)} dir="auto">
        {title}
      </a>{' '}
      {badge !== null && <span class="badge">{badge}</span>}{' '}
      {version > 1 && (
        <>
          <span class="change-fields">{changed.map(toFullLabel).join(', ')}</span>{' '}
          <a href={site.urls.compare(id, { from: version - 1, to: version })} aria-label={texts.diffOf(title)}>
            {texts.diff}
          </a>{' '}
        </>
      )}
      {batch !== null && <a href={site.urls.changes({ batch })}>{batchTexts.title(batch)}</a>}
    </Line>
  )
}

interface BatchChangeProps {
  readonly site: Site
  readonly caller: Caller
  readonly line: BatchActivity
  readonly names: readonly NamePair[]
}

/** Who may not see the page of a batch sees its changes. */
function BatchChange({ site, caller, line, names }: BatchChangeProps) {
  const isOpen = hasRole(caller.role, 'publisher') || caller.name === line.by
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      <a href={isOpen ? site.urls.batch(line.id) : site.urls.changes({ batch: line.id })}>
        <BatchTitle batch={line} names={names} />
      </a>{' '}
      <span class="badge">{changesTexts.talks(line.records)}</span>
    </Line>
  )
}

function EventChange({ site, line }: { readonly site: Site; readonly line: CategoryActivity }) {
  const isNew = line.version === 1
  return (
    <Line at={line.at} author={{ site, by: line.by }} reason={line.reason}>
      {isNew ? texts.newEvent : texts.eventChanged}:{' '}
      <a href={site.urls.editName('category', line.slug)} dir="auto">
        {line.title}
      </a>{' '}
      {!isNew && <span class="change-fields">{line.changed.map((name) => texts.eventFields[name]).join(', ')}</span>}
    </Line>
  )
}

function DismissalChange({ site, line }: { readonly site: Site; readonly line: DismissalActivity }) {
  return (
    <Line at={line.at} author={{ site, by: line.by }}>
      {texts.dismissed[line.of]}:{' '}
      {line.names.map((name, i) => (
        <span key={i}>
          {i > 0 && ', '}
          {name === null ? <em>{texts.goneName}</em> : <bdi>{name}</bdi>}
        </span>
      ))}
    </Line>
  )
}
