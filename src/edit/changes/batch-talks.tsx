import type { Site } from '../../site/site.ts'
import { createDiffBudget, type DiffBudget, ShortDiff } from '../diff.tsx'
import type { BatchView, ChangedTalk } from './batch-view.ts'
import { changesTexts } from './changes-texts.ts'

const { batch: texts } = changesTexts

interface BatchTalksProps {
  readonly site: Site
  readonly view: Pick<BatchView, 'batch' | 'talks' | 'after' | 'next'>
}

/** The talks of a batch with what changed in each, a page at a time. */
export function BatchTalks({ site, view: { batch, talks, after, next } }: BatchTalksProps) {
  if (talks.length === 0 && after === 0) return null
  const budget = createDiffBudget()
  return (
    <section class="batch-talks">
      <h2>{texts.members}</h2>
      {talks.map((talk) => (
        <TalkChange key={talk.id} {...{ site, talk, budget }} />
      ))}
      <p class="steps">
        {after > 0 && <a href={site.urls.batch(batch.id)}>{texts.first}</a>}
        {next !== null && <a href={site.urls.batch(batch.id, { after: next })}>{texts.next}</a>}
      </p>
    </section>
  )
}

interface TalkChangeProps {
  readonly site: Site
  readonly talk: ChangedTalk
  readonly budget: DiffBudget
}

function TalkChange({ site, talk, budget }: TalkChangeProps) {
  const { id, first, last, before, after } = talk
  return (
    <article class="talk-change">
      <h3 dir="auto">
        <a href={site.urls.edit(id)}>{after.title}</a>
      </h3>
      {before === null ? (
        <p class="muted">{texts.created}</p>
      ) : (
        <ShortDiff {...{ before, after, budget }} href={site.urls.compare(id, { from: first - 1, to: last })} />
      )}
    </article>
  )
}
