import { requireRead } from '../../http/problem.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Site } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { toSameAddresses } from './video-address.ts'

const maxKnown = 10

export interface Known {
  readonly talks: readonly VideoRecord[]
  /** Whether there may be others: looking for all took too long. */
  readonly isPartial: boolean
}

/** The talks, drafts too, that have one of these addresses as their source or as a file. */
export async function findKnownTalks(store: ReadStore, addresses: readonly string[]): Promise<Known> {
  const wanted = toSameAddresses(addresses)
  if (wanted.length === 0) return { talks: [], isPartial: false }
  const { ids, isPartial } = requireRead(await store.findSameVideo({ addresses: wanted, limit: maxKnown }))
  const talks: VideoRecord[] = []
  for (const id of ids) {
    const stored = await store.read(id)
    if (stored !== null) talks.push(fromBody(stored.body))
  }
  return { talks, isPartial }
}

interface KnownTalksProps {
  readonly site: Site
  readonly talks: readonly VideoRecord[]
  /** What to do about it. */
  readonly text: string
}

/** "We have it already", with links to the editor. */
export function KnownTalks({ site: { urls }, talks, text }: KnownTalksProps) {
  return (
    <section class="known-talks" aria-labelledby="known-talks">
      <h2 id="known-talks">
        {talks.length === 1 ? 'We have it already' : `We have it already, ${talks.length} times`}
      </h2>
      <ul>
        {talks.map(({ id, title, category, recorded, state, language }, i) => (
          <li key={id} data-row>
            <a href={urls.edit(id)} lang={toLanguageCode(language) ?? undefined} dir="auto" autofocus={i === 0}>
              {title}
            </a>{' '}
            <span class="muted">
              <bdi>{category}</bdi>
              {recorded !== null && `, ${recorded}`}, {state === live ? 'live' : 'draft'}
            </span>
          </li>
        ))}
      </ul>
      <p>{text}</p>
    </section>
  )
}
