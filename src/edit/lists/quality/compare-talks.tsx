import { Refused } from '../../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../../http/route.ts'
import { hasRole } from '../../../record/command.ts'
import { parseRecordId } from '../../../record/record.ts'
import { live } from '../../../record/state.ts'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import { toShortDay } from '../../../site/text/format.ts'
import { createSingleBudget, RecordDiff, toDifferingNames, toLang } from '../../diff.tsx'
import { PostForm, renderEditPage, requireCaller, respondEditPage } from '../../edit-page.tsx'
import { findEditedTalk, type TalkVersion } from '../../talk-pages.ts'
import { listTexts } from '../lists-texts.ts'
import { ParkButton } from '../park/park-button.tsx'

const { duplicates: texts } = listTexts

/** Where two talks differ, field by field. `compared` has their ids with a comma. */
export async function compareTalks(call: Call, deps: SiteDeps, compared: string): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const [one, other, ...more] = await Promise.all(compared.split(',', 3).map((word) => readTalk(deps, word)))
  if (one == null || other == null || more.length > 0) throw new Refused({ code: 'not_found', detail: texts.wrong })
  const title = texts.compareTitle(one.id, other.id)
  const isSame = toDifferingNames(one.record, other.record).length === 0
  const body = (
    <div class="edit-page">
      <p>
        <a href={site.urls.duplicates()}>{texts.back}</a>
      </p>
      <h1>{title}</h1>
      <div class="compared-talks">
        <ComparedTalk {...{ site, caller }} talk={one} side="one" />
        <ComparedTalk {...{ site, caller }} talk={other} side="other" />
      </div>
      {isSame ? (
        <p>{texts.same}</p>
      ) : (
        <RecordDiff before={one.record} after={other.record} budget={createSingleBudget()} />
      )}
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

async function readTalk({ store }: SiteDeps, word: string): Promise<TalkVersion | null> {
  const id = parseRecordId(word.trim())
  return id === null ? null : findEditedTalk(store, id)
}

interface ComparedProps {
  readonly site: Site
  readonly caller: Caller
  readonly talk: TalkVersion
  /** The first talk is shown as the text before a change, the other one as the text after it. */
  readonly side: 'one' | 'other'
}

/** One of the talks: how its values are marked below, its editor, and the way to take it off the site. */
function ComparedTalk({ site, caller, talk: { id, record, etag }, side }: ComparedProps) {
  const Mark = side === 'one' ? 'del' : 'ins'
  const isLive = record.state === live
  const facts = [
    record.category,
    isLive ? listTexts.table.live : listTexts.table.draft,
    `${texts.added} ${toShortDay(record.added.slice(0, 10))}`,
  ]
  return (
    <section aria-labelledby={`talk-${side}`}>
      <h2 id={`talk-${side}`}>{texts.talk(id)}</h2>
      <p class="value-diff">
        {texts.only} <Mark>{texts.marks[side]}</Mark>
      </p>
      <p>
        <a href={site.urls.edit(id)} lang={toLang(record)} dir="auto">
          {record.title}
        </a>
      </p>
      <p class="muted" dir="auto">
        {facts.join(' · ')}
      </p>
      <div class="compared-actions">
        <a href={site.urls.edit(id)} aria-describedby={`talk-${side}`}>
          {texts.edit}
        </a>
        {isLive && hasRole(caller.role, 'publisher') && (
          <PostForm caller={caller} action={site.urls.edit(id)}>
            <input type="hidden" name="etag" value={etag} />
            <button type="submit" class="button quiet" name="do" value="withdraw" aria-describedby={`talk-${side}`}>
              {texts.withdraw}
            </button>
          </PostForm>
        )}
        <ParkButton {...{ site, caller, record }} list="" />
      </div>
    </section>
  )
}
