import { type Caller, toAuthor } from '../../http/auth/caller.ts'
import { attempt, logWrite } from '../../http/execute.ts'
import { type Problem, Refused, refuseMissing, toSentence, toStatus, toWriteFailure } from '../../http/problem.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { type LinksCommand, parseReason } from '../../record/command.ts'
import type { JsonValue } from '../../record/json.ts'
import { type LinksLog, linksKey, parseLinks, toLine, toLinks, toLinksTag } from '../../record/links.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { ReadStore } from '../../store/store.ts'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { RecordForm } from '../form/record-form.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { isOwnSave } from '../save/notices.tsx'
import { findLock } from './form-actions.ts'
import { findEditedTalk, type TalkVersion } from './talk-version.ts'

interface FoundLinks {
  readonly talk: TalkVersion
  readonly links: JsonValue | undefined
  readonly log: LinksLog | null
}

async function readLinks(store: ReadStore, id: number): Promise<FoundLinks> {
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const { extras, links: log } = await store.readExtras(id)
  return { talk, links: extras[linksKey], log }
}

/** `/edit/video/<id>/links`. */
export async function showLinks(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const found = await readLinks(deps.store, Number(call.params.id))
  const flag = call.query().get('done')
  const caller = requireCaller(call)
  const last = found.log?.edits[0]
  const isSaved = flag === 'saved' && last !== undefined && isOwnSave(last, caller)
  const done = isSaved ? ('saved' as const) : flag === 'unchanged' ? ('unchanged' as const) : null
  const site = await openSite(call, deps)
  const page = { ...found, site, caller, pages: readTalkPages(call, site.urls), done }
  return respondEditPage(call, renderLinks(page))
}

/** Saves the links, or restores earlier ones. Both are edits, each with a version of the talk. */
export async function saveLinks(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const base = form.get('base')
  if (base === null || !(form.has('undo') || form.has('field.links'))) throw new Refused({ code: 'bad_form' })
  const id = Number(call.params.id)
  const found = await readLinks(deps.store, id)
  const reasonText = form.get('reason') ?? ''
  const site = await openSite(call, deps)
  const pages = readTalkPages(call, site.urls)
  const page = { ...found, site, caller: requireCaller(call), pages, reason: reasonText }
  const typed = form.get('field.links')
  const parsed = form.has('undo') ? toEarlier(found.log, form.get('undo')) : parseLinks(typed ?? '', found.links)
  const reason = parseReason(reasonText)
  if (!parsed.ok || !reason.ok) {
    const problems = [...(parsed.ok ? [] : parsed.problems), ...(reason.ok ? [] : reason.problems)]
    return respond(call, withTyped(page, typed), 422, { problems })
  }
  const outcome = await send(call, deps, { id, base, links: parsed.value, reason: reason.value })
  if (outcome.is === 'refused') return respondRefused(call, deps, withTyped(page, typed), outcome.problem)
  return seeOther(call, site.urls.links(id, { done: outcome.is, list: pages.list }))
}

const withTyped = (page: LinksPage, typed: string | null) => (typed === null ? page : { ...page, typed })

/** The links before an edit, or as they were imported. */
function toEarlier(log: LinksLog | null, name: string | null) {
  const value = name === 'imported' ? log?.imported : log?.edits[Number(name)]?.before
  if (value === undefined) throw new Refused({ code: 'bad_form' })
  return { ok: true, value: Array.isArray(value) ? value : [] } as const
}

type Sent = { readonly is: 'saved' | 'unchanged' } | { readonly is: 'refused'; readonly problem: Problem }
type LinksChange = Pick<LinksCommand, 'id' | 'base' | 'links'> & { readonly reason: string | null }

async function send(call: HttpCall, deps: SiteHttpDeps, { reason, ...change }: LinksChange): Promise<Sent> {
  const author = toAuthor(requireCaller(call))
  const command = { kind: 'set links', author, ...change, ...(reason === null ? {} : { reason }) } as const
  const outcome = await attempt(deps, call, command)
  switch (outcome.is) {
    case 'stored':
      logWrite(deps.log, call, command, outcome)
      return { is: 'saved' }
    case 'unchanged':
      return { is: 'unchanged' }
    case 'refused':
      return { is: 'refused', problem: outcome.refusal }
    case 'failed':
      return { is: 'refused', problem: toWriteFailure(outcome.failure) }
    default:
      throw new Error(`a change of links had the outcome of another command: ${outcome.is}`)
  }
}

/** Shows the current links: the typed text replaces them only if the form is sent again. */
async function respondRefused(call: HttpCall, deps: SiteHttpDeps, page: LinksPage, problem: Problem) {
  if (problem.code !== 'stale') return respond(call, page, toStatus(problem), { problem })
  return respond(call, { ...page, ...(await readLinks(deps.store, page.talk.id)) }, 409, { problem })
}

function respond(call: HttpCall, page: LinksPage, status: number, more: Partial<LinksPage>): TextAnswer {
  return { ...respondEditPage(call, renderLinks({ ...page, ...more })), status }
}

interface LinksPage {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: TalkVersion
  /** As the extras have them. */
  readonly links: JsonValue | undefined
  readonly log: LinksLog | null
  readonly done?: 'saved' | 'unchanged' | null
  /** The unsaved text, if the form is shown again. */
  readonly typed?: string
  readonly reason?: string
  readonly problems?: readonly string[]
  readonly problem?: Problem
}

function renderLinks(page: LinksPage): string {
  const { site, caller, pages, talk, links, log, done = null } = page
  const isLocked = findLock(caller, talk.record) !== null && page.typed === undefined
  const key = toUnsavedLinksKey(talk.id)
  const body = (
    <div class="editor">
      <header class="editor-head">
        <p>
          <a href={pages.edit}>Back to the talk</a>
        </p>
        <h1>
          Related links: <bdi>{talk.record.title}</bdi>
        </h1>
      </header>
      {done !== null && (
        <p class="notice is-good" role="status" data-saved={done === 'saved' ? key : undefined}>
          {done === 'saved' ? 'Saved.' : 'There were no changes to save.'}
        </p>
      )}
      <Problems {...page} />
      {isLocked ? <p class="notice">With your role you cannot change this talk.</p> : <LinksForm {...page} />}
      {isLocked && <LinkList links={links} />}
      {!isLocked && log !== null && <Edits {...{ caller, pages, links, log }} />}
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, `Related links: ${talk.record.title}`, body)
}

const toUnsavedLinksKey = (id: number) => `video-${id}-links`

function Problems({ problem, links }: LinksPage) {
  if (problem === undefined) return null
  const isStale = problem.code === 'stale'
  return (
    <div class="notice is-bad" role="alert">
      <p>
        {isStale
          ? 'Nothing is saved yet: somebody else has changed the links. These are stored now; saving replaces them with the text below.'
          : `Nothing is saved yet. ${toSentence(problem)} What you typed is still here.`}
      </p>
      {isStale && <LinkList links={links} />}
    </div>
  )
}

function LinksForm({ pages, caller, talk, links, typed, reason = '', problems = [] }: LinksPage) {
  const isWrong = problems.length > 0
  return (
    <RecordForm
      {...{ caller, reason }}
      action={pages.links}
      etag={null}
      hidden={{ base: toLinksTag(links) }}
      unsavedKey={toUnsavedLinksKey(talk.id)}
      isUnsaved={typed !== undefined}
      buttons={[{ action: 'save', label: 'Save' }]}
    >
      <div class={isWrong ? 'field is-wrong' : 'field'}>
        <label for="field-links">Related links</label>
        <textarea
          id="field-links"
          name="field.links"
          rows="8"
          dir="ltr"
          spellcheck="false"
          autocomplete="off"
          aria-describedby="field-links-help"
          aria-invalid={isWrong ? 'true' : undefined}
          value={typed === undefined ? toLinks(links).map(toLine).join('\n') : toLf(typed)}
        />
        {isWrong && (
          <p class="field-error" role="alert">
            {problems.join(' ')}
          </p>
        )}
        <p class="help" id="field-links-help">
          One link per line: the address, a space and a label, such as “https://example.org/slides.pdf Slides”. At most
          100.
        </p>
      </div>
    </RecordForm>
  )
}

function LinkList({ links }: Pick<LinksPage, 'links'>) {
  const all = toLinks(links)
  if (all.length === 0) return <p>This talk has no related links.</p>
  return (
    <ul>
      {all.map((link) => (
        <li key={toLine(link)}>
          <a href={link.url} rel="nofollow noopener ugc">
            <bdi>{link.label === '' ? link.url : link.label}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}

type EditsProps = Pick<LinksPage, 'caller' | 'pages' | 'links'> & { readonly log: LinksLog }

/** The links before each edit, with a button to restore them. */
function Edits({ caller, pages, links, log }: EditsProps) {
  return (
    <section class="link-edits" aria-labelledby="link-edits">
      <h2 id="link-edits">Earlier changes</h2>
      <PostForm caller={caller} action={pages.links}>
        <input type="hidden" name="base" value={toLinksTag(links)} />
        <ol>
          {log.edits.map(({ at, by, reason, before }, i) => (
            <li key={at}>
              <time datetime={`${at}Z`}>{toMoment(at)}</time> by <bdi>{by}</bdi>
              {reason !== null && (
                <>
                  : <bdi>{reason}</bdi>
                </>
              )}
              <Earlier value={before} name={String(i)} isEdit />
            </li>
          ))}
          <li>
            As imported
            <Earlier value={log.imported} name="imported" />
          </li>
        </ol>
      </PostForm>
    </section>
  )
}

interface EarlierProps {
  readonly value: JsonValue
  /** What the button sends. */
  readonly name: string
  /** Whether these links were replaced by an edit. */
  readonly isEdit?: boolean
}

function Earlier({ value, name, isEdit }: EarlierProps) {
  return (
    <details>
      <summary>
        {toCounted(toLinks(value).length, 'link')}
        {isEdit && ' before'}
      </summary>
      <LinkList links={value} />
      <button type="submit" name="undo" value={name} class="button quiet">
        Restore these links
      </button>
    </details>
  )
}
