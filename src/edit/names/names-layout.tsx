import type { Child } from '#jsx/jsx-runtime'
import type { EntryKind } from '../../record/name.ts'
import type { Site } from '../../site/site.ts'

/** What the kinds of names are called, in the order of the tabs. */
export const kindTitles = { speaker: 'Speakers', tag: 'Tags', category: 'Events' } as const

const tabKinds = ['speaker', 'tag', 'category'] as const satisfies readonly EntryKind[]

interface NameTabsProps {
  readonly site: Site
  readonly kind: EntryKind
  /** The page itself, not one below it. */
  readonly current?: 'list' | 'variants'
}

/** Links between the kinds of names, and to the variants of this kind. */
export function NameTabs({ site: { urls }, kind, current }: NameTabsProps) {
  return (
    <nav class="name-tabs" aria-label="Kinds of names">
      <ul>
        {tabKinds.map((tab) => (
          <li key={tab}>
            <a
              href={current === 'variants' && tab !== 'category' ? urls.variants(tab) : urls.editNames(tab)}
              aria-current={tab === kind ? (current === undefined ? 'true' : 'page') : undefined}
            >
              {kindTitles[tab]}
            </a>
          </li>
        ))}
      </ul>
      {kind !== 'category' && current !== 'variants' && <a href={urls.variants(kind)}>Possible duplicates of names</a>}
      {current === 'variants' && <a href={urls.editNames(kind)}>All names</a>}
    </nav>
  )
}

/** What a page about names says first. */
export interface PageMessages {
  /** What was done. */
  readonly notice?: Child
  /** Why something was not done. */
  readonly problem?: Child
  /** Keys of the unsaved forms that the browser may drop, since they are saved. */
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
export function JoinedNames({ names }: { readonly names: readonly string[] }) {
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
