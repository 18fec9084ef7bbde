import { fields } from '../../record/fields.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { Urls } from '../../site/urls.ts'
import { toListHref } from '../lists/list-address.ts'
import { bulkTexts } from './bulk-texts.ts'
import type { ChosenTalks } from './chosen-talks.ts'
import type { FirstTalks, ListedTalk } from './listed-talks.ts'

interface ChosenListProps {
  readonly urls: Urls
  readonly chosen: ChosenTalks
  readonly first: FirstTalks
}

/** So many titles are enough to see that these are the right talks. */
const shownAtOnce = 5

/** How many talks are selected, and the first of them. */
export function ChosenList({ urls, chosen, first: { count, talks, missing } }: ChosenListProps) {
  const [shown, folded] = [talks.slice(0, shownAtOnce), talks.slice(shownAtOnce)]
  const unlisted = (count ?? 0) - talks.length - missing
  return (
    <section class="bulk-chosen" aria-label={bulkTexts.selection}>
      <p>
        <strong>{count === null ? bulkTexts.unknownCount : bulkTexts.selected(count)}</strong>
        {chosen.is === 'list' && ` ${bulkTexts.whole}`}
        {missing > 0 && ` ${bulkTexts.missing(missing)}`}
      </p>
      {chosen.list !== '' && (
        <a class="to-list" href={toListHref(urls, new URLSearchParams(chosen.list))}>
          {bulkTexts.toList}
        </a>
      )}
      <Talks urls={urls} list={chosen.list} talks={shown} />
      {folded.length > 0 && (
        <details>
          <summary>{bulkTexts.moreTalks(folded.length + Math.max(0, unlisted))}</summary>
          <Talks urls={urls} list={chosen.list} talks={folded} />
          {unlisted > 0 && <p>{bulkTexts.unlisted(unlisted)}</p>}
        </details>
      )}
    </section>
  )
}

interface TalksProps {
  readonly urls: Urls
  readonly list: string
  readonly talks: readonly ListedTalk[]
}

function Talks({ urls, list, talks }: TalksProps) {
  if (talks.length === 0) return null
  return (
    <ul>
      {talks.map((talk) => (
        <li key={talk.id}>
          <TalkLink {...{ urls, list, talk }} /> <span class="muted">({toStateName(talk.state)})</span>
        </li>
      ))}
    </ul>
  )
}

const toStateName = (state: number) => fields.state.kind.choices?.find(({ value }) => value === state)?.display_name

/** A talk by its title, in its language. */
export function TalkLink({ urls, list, talk }: Omit<TalksProps, 'talks'> & { readonly talk: ListedTalk }) {
  return (
    <a href={urls.edit(talk.id, { list })} dir="auto" lang={toLanguageCode(talk.language) ?? undefined}>
      {talk.title}
    </a>
  )
}
