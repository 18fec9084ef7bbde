import type { Child } from '#jsx/jsx-runtime'
import type { Site } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { TalkLink } from './name-talks.tsx'

/** What a page says first. */
export interface PageMessages {
  /** What has been done. */
  readonly notice?: Child
  /** Why something was not done. */
  readonly problem?: Child
  /** Names of the drafts that are saved now, which the browser need not keep. */
  readonly saved?: string
}

export function Messages({ notice, problem, saved }: PageMessages) {
  return (
    <>
      {notice !== undefined && (
        <div class="edit-notice" role="status" data-saved={saved}>
          {notice}
        </div>
      )}
      {problem !== undefined && (
        <div class="edit-problem" role="alert">
          {problem}
        </div>
      )}
    </>
  )
}

/** Each name keeps its own direction of writing. */
export function NameRow({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
}

interface ExampleListProps {
  readonly site: Site
  readonly examples: readonly Example[]
  /** The work list that the talks belong to. */
  readonly list: string
  /** Left out where all talks have the same event. */
  readonly hasEvent?: boolean
}

/** A few talks: title, event and year. */
export function ExampleList({ site, examples, list, hasEvent = true }: ExampleListProps) {
  return (
    <ul class="name-examples">
      {examples.map((talk) => (
        <li key={talk.id}>
          <TalkLink site={site} talk={talk} list={list} />{' '}
          {hasEvent && (
            <span class="muted">
              <bdi>{talk.category}</bdi>
              {toYear(talk)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Most events have the year in their title. */
function toYear({ recorded, category }: Example): string {
  const year = recorded?.slice(0, 4) ?? ''
  return year === '' || category.includes(year) ? '' : `, ${year}`
}
