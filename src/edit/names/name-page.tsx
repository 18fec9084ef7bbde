import type { Call, TextAnswer } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { Site, SiteDeps } from '../../site/site.ts'
import type { NameKind } from '../../site/urls.ts'
import type { Example } from '../../store/name-reads.ts'
import { renderEditPage, respondEditPage, seeOther } from '../edit-page.tsx'
import { OthersChanges, toSavedKeys } from '../save/notices.tsx'
import { CategoryForm, type CategoryState, toUnsavedEventKey } from './category/category-form.tsx'
import { CategoryHistory, findOthersChanges, listVersions, type VersionPage } from './category/category-history.tsx'
import { type CuratedName, findCurated, toListParameters } from './curated-name.ts'
import { MergeForm, RenameForm, type TypedName } from './name-forms.tsx'
import { type NameFrame, openName } from './name-frame.ts'
import { Messages, NameRow, type PageMessages } from './name-parts.tsx'
import { NameTabs } from './name-tabs.tsx'
import { listTalks, TalkTable } from './name-talks.tsx'
import { namesTexts } from './names-texts.ts'

const texts = namesTexts.name
const maxTalks = 10

/** What a page says besides the name itself. */
export interface NameState extends PageMessages {
  readonly typed?: TypedName
  readonly category?: CategoryState
}

/** `/edit/names/speaker/<id>` and `/edit/names/tag/<id>`. */
export function showNamed(kind: 'speaker' | 'tag') {
  return (call: Call<'id'>, deps: SiteDeps) => showName(call, deps, kind, call.params.id)
}

/** `/edit/names/category/<slug>`. */
export function showCategory(call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  return showName(call, deps, 'category', call.params.slug)
}

/** One that was merged leads to the other. */
async function showName(call: Call, deps: SiteDeps, kind: NameKind, key: string): Promise<TextAnswer> {
  const frame = await openName(call, deps, kind, key)
  const { urls } = frame.site
  if (frame.name.key !== key) return seeOther(call, urls.editName(kind, frame.name.key, { from: key }))
  return respondName(call, deps, frame, await findMessages(call, deps, frame))
}

/** The address has a code, never a text: what is shown comes from the store. */
async function findMessages(call: Call, deps: SiteDeps, frame: NameFrame): Promise<PageMessages> {
  const { site, name } = frame
  const { kind, key } = name
  const query = call.query()
  const code = query.get('saved') ?? ''
  if (Object.hasOwn(savedTexts, code)) {
    const others = await findOthers(deps, frame, code, query.get('since'))
    if (others === null) return {}
    // True: it is one of the keys.
    const text = savedTexts[code as keyof typeof savedTexts]
    const batch = query.get('batch') ?? ''
    const notice = (
      <>
        <p>{/^[1-9]\d{0,14}$/.test(batch) ? <BatchNotice {...{ site, text }} batch={Number(batch)} /> : text}</p>
        <OthersChanges what="event" changes={others} />
      </>
    )
    return { notice, saved: `${toSavedKeys(toUnsavedEventKey(key))} ${toUnsavedEventKey(null)}` }
  }
  const from = query.get('from') ?? ''
  const isAlias = from !== '' && from !== key && (await findCurated(deps, kind, from))?.key === key
  return isAlias ? { notice: texts.cameFrom[kind](from) } : {}
}

const savedTexts = { yes: texts.saved, same: texts.unchanged, created: texts.created, merged: texts.saved }

/** What others changed besides a save; null for an address that no save of this person has just led to. */
async function findOthers(deps: SiteDeps, frame: NameFrame, code: string, since: string | null) {
  if (frame.name.kind !== 'category' || code === 'same') return []
  return findOthersChanges(deps, frame, /^\d{1,15}$/.test(since ?? '') ? Number(since) : null)
}

interface BatchNoticeProps extends Pick<NameFrame, 'site'> {
  readonly text: string
  readonly batch: number
}

function BatchNotice({ site, text, batch }: BatchNoticeProps) {
  return (
    <>
      {text} <a href={site.urls.batch(batch, { done: 1 })}>{texts.batch}</a>
    </>
  )
}

/** The page of a name; after a form that was refused, with what was typed. */
export async function respondName(call: Call, deps: SiteDeps, frame: NameFrame, state: NameState): Promise<TextAnswer> {
  const { site, caller, name } = frame
  const talks = await listTalks(deps, name, maxTalks)
  const versions = name.kind === 'category' ? await listVersions(call, deps, name.key) : null
  const body = <NamePage {...frame} {...{ state, talks, versions }} />
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, name.name, body))
}

interface NamePageProps extends NameFrame {
  readonly state: NameState
  readonly talks: readonly Example[]
  readonly versions: VersionPage | null
}

function NamePage({ state, talks, versions, ...frame }: NamePageProps) {
  const { site, caller, name } = frame
  const mayChange = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page name-page">
      <NameTabs site={site} kind={name.kind} />
      <h1 dir="auto">{name.name}</h1>
      <Messages {...state} />
      <Facts {...frame} />
      {!mayChange && <p class="muted">{texts.readOnly(caller.role)}</p>}
      {mayChange && name.fields !== null && <CategoryForm {...frame} {...state.category} fields={name.fields} />}
      {mayChange && (
        <div class="name-forms">
          {name.fields === null && <RenameForm {...frame} typed={state.typed} />}
          <MergeForm {...frame} typed={state.typed} />
        </div>
      )}
      <Talks {...frame} talks={talks} />
      {versions !== null && <CategoryHistory {...frame} versions={versions} />}
    </div>
  )
}

function Facts({ site: { urls }, name }: NameFrame) {
  const drafts = name.count - name.live
  const list = toListParameters(name)
  return (
    <div class="name-facts">
      <p>
        {namesTexts.talks(name.count)}
        {drafts > 0 && ', '}
        {drafts > 0 && <a href={urls.workList({ ...list, state: 2 })}>{texts.drafts(drafts)}</a>}
        {name.live > 0 && ' · '}
        {name.live > 0 && <a href={toPublicPage(urls, name)}>{texts.page}</a>}
        {name.live > 0 && name.kind === 'category' && (
          <>
            {' · '}
            <a href={urls.changesFeed(name.slug)}>{texts.changesFeed}</a>
          </>
        )}
      </p>
      {name.aliases.length > 0 && (
        <p>
          {texts.aliases}: <NameRow names={name.aliases} />
        </p>
      )}
    </div>
  )
}

function toPublicPage(urls: Site['urls'], { kind, key, slug }: CuratedName): string {
  return kind === 'category' ? urls.category(slug) : urls[kind]({ id: Number(key), slug })
}

function Talks({ site, name, talks }: NameFrame & Pick<NamePageProps, 'talks'>) {
  return (
    <section class="name-talks">
      <h2>{texts.talksTitle}</h2>
      {talks.length === 0 ? <p class="muted">{texts.noTalks}</p> : <TalkTable {...{ site, name, talks }} />}
      {talks.length > 0 && (
        <p>
          {talks.length < name.count && `${texts.newest(talks.length, name.count)} `}
          <a href={site.urls.workList(toListParameters(name))}>{texts.workList}</a>
        </p>
      )}
    </section>
  )
}
