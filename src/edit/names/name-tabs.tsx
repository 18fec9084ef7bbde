import type { Site } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'
import { namesTexts } from './names-texts.ts'

// True: these are the keys of the table.
export const nameKinds = Object.keys(namesTexts.kinds) as NameKind[]

interface NameTabsProps {
  readonly site: Site
  readonly kind: NameKind
  /** The page itself, not one below it. */
  readonly current?: 'list' | 'variants'
}

/** Links between the kinds of names, and to the variants of this kind. */
export function NameTabs({ site: { urls }, kind, current }: NameTabsProps) {
  return (
    <nav class="name-tabs" aria-label={namesTexts.tabs}>
      <ul>
        {nameKinds.map((each) => (
          <li key={each}>
            <a
              href={current === 'variants' && each !== 'category' ? urls.variants(each) : urls.editNames(each)}
              aria-current={each === kind ? (current === undefined ? 'true' : 'page') : undefined}
            >
              {namesTexts.kinds[each].title}
            </a>
          </li>
        ))}
      </ul>
      {kind !== 'category' && current !== 'variants' && <a href={urls.variants(kind)}>{namesTexts.variants}</a>}
      {current === 'variants' && <a href={urls.editNames(kind)}>{namesTexts.list.all}</a>}
    </nav>
  )
}
