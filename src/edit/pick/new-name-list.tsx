import type { Site } from '../../site/site.ts'
import type { NewName } from './new-names.ts'
import { pickTexts } from './pick-texts.ts'

/** "New speaker: Ned New", one line for each. An event that is stored links to its page. */
export function NewNameList({ site, names }: { readonly site: Site; readonly names: readonly NewName[] }) {
  if (names.length === 0) return null
  return (
    <ul class="new-names">
      {names.map(({ kind, name, slug }) => (
        <li key={`${kind} ${name}`}>
          {pickTexts.newNames[kind]}:{' '}
          {slug === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <a href={site.urls.editName(kind, slug)}>
              <bdi>{name}</bdi>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
