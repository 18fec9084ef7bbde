import { type Caller, toAuthor } from '../../http/auth/caller.ts'
import { attempt } from '../../http/execute.ts'
import {
  type Problem,
  Refused,
  refuseMissing,
  requireRead,
  toSentence,
  toStatus,
  toWriteFailure,
} from '../../http/problem.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { parseReason } from '../../record/command.ts'
import { findTaggedNumber, toCompanionTag } from '../../record/companion/companion-tag.ts'
import { type CompanionName, countEntries, listLines, type SingleName, toKind } from '../../record/companion/kinds.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { VersionLine } from '../../store/change-log.ts'
import type { ReadStore, StoredCompanion } from '../../store/store.ts'
import { ListDiff } from '../diff.tsx'
import { PostForm, renderEditPage, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { RecordForm } from '../form/record-form.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { isOwnSave } from '../save/notices.tsx'
import { ChapterDrafts, ChapterPlayer, makeDrafts } from './chapter-drafts.tsx'
import { findLock } from './form-actions.ts'
import { findEditedTalk, type TalkVersion } from './talk-version.ts'

/** What the page of each companion says. */
const texts: { readonly [Name in SingleName]: { readonly entry: string; readonly help: string } } = {
  related: {
    entry: 'link',
    help:
      'One link per line: the address, a space and a label, such as “https://example.org/slides.pdf Slides”. What a ' +
      'link is, is guessed from label and address; write “[slides]”, “[code]”, “[paper]”, “[notes]”, “[schedule]”, ' +
      '“[video]”, “[discussion]” or “[other]” at the end if the guess is wrong. At most 100.',
  },
  recordings: {
    entry: 'recording',
    help:
      'Other places where the same talk can be watched, one per line: the address, then a note if you like, such as ' +
      '“https://archive.org/details/example without the questions (German)”. A language goes in brackets. At most 20.',
  },
  chapters: {
    entry: 'chapter',
    help:
      'One chapter per line, in order: a time and a title, such as “12:04 How it works”. Write “12:04–15:30 …” for a ' +
      'part that ends before the next one begins, and “#123” at the end for a part that has a page of its own: the talk ' +
      'with that number.',
  },
}

interface Found {
  readonly talk: TalkVersion
  readonly now: StoredCompanion & { readonly name: SingleName }
  readonly edits: readonly EarlierContent[]
}

interface EarlierContent {
  readonly line: VersionLine
  readonly content: JsonObject
}

const maxEdits = 20

async function read(store: ReadStore, id: number, name: SingleName): Promise<Found> {
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const query = { id, companion: name, page: 1, pageSize: maxEdits } as const
  const { lines } = requireRead(await store.listHistory(query))
  const edits: EarlierContent[] = []
  for (const line of lines) edits.push({ line, content: (await store.readCompanion(id, name, line.version)).content })
  return { talk, now: { ...(await store.readCompanion(id, name)), name }, edits }
}

/** `/edit/video/<id>/<companion>`. */
export function showCompanion(name: SingleName) {
  return async (call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> => {
    const found = await read(deps.store, Number(call.params.id), name)
    const caller = requireCaller(call)
    const flag = call.query().get('done')
    const last = found.edits[0]?.line
    const isMade = (flag === 'saved' || flag === 'restored') && last !== undefined && isOwnSave(last, caller)
    const done = isMade || flag === 'unchanged' ? flag : null
    const site = await openSite(call, deps)
    return respondEditPage(call, render({ ...found, site, caller, pages: readTalkPages(call, site.urls), done }))
  }
}

/** Saves the content, or restores an earlier one. */
export function saveCompanion(name: SingleName) {
  return async (call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> => {
    const form = requireForm(call)
    const [base, typed, undo] = [form.get('base'), form.get('field.lines'), form.get('undo')]
    const isDrafting = name === 'chapters' && form.get('do') === 'drafts'
    if (base === null || (undo === null && typed === null && !isDrafting)) throw new Refused({ code: 'bad_form' })
    const id = Number(call.params.id)
    const found = await read(deps.store, id, name)
    const site = await openSite(call, deps)
    const pages = readTalkPages(call, site.urls)
    const reasonText = form.get('reason') ?? ''
    const page: CompanionPage = {
      ...found,
      site,
      caller: requireCaller(call),
      pages,
      reason: reasonText,
      ...toTyped(typed),
    }
    if (isDrafting) return draftChapters(call, deps, page)
    const parsed = undo === null ? toKind(name).parseLines(typed ?? '') : await toEarlier(deps, id, name, undo)
    const reason = parseReason(reasonText)
    if (!parsed.ok || !reason.ok) {
      const problems = [...(parsed.ok ? [] : [...parsed.errors.values()].flat()), ...(reason.ok ? [] : reason.problems)]
      return respond(call, page, 422, { problems })
    }
    const outcome = await setCompanion(call, deps, { id, name, base, body: parsed.content, reason: reason.value })
    if (outcome.is === 'refused') return respondRefused(call, deps, page, base, outcome.problem)
    const done = outcome.is === 'saved' && undo !== null ? 'restored' : outcome.is
    return seeOther(call, site.urls.companion(id, name, { done, list: pages.list }))
  }
}

/** Leads to the batch, which can be undone. */
async function draftChapters(call: HttpCall, deps: SiteHttpDeps, page: CompanionPage): Promise<TextAnswer> {
  const { talk, site, pages } = page
  try {
    const batch = await makeDrafts(call, deps, talk)
    return seeOther(call, site.urls.batch(batch, { done: 1, list: pages.list }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return respond(call, page, toStatus(error.problem), { problem: error.problem })
  }
}

const toTyped = (typed: string | null) => (typed === null ? {} : { typed })

async function toEarlier({ store }: SiteDeps, id: number, name: CompanionName, version: string) {
  const number = Number(version)
  if (!Number.isSafeInteger(number) || number < 0) throw new Refused({ code: 'bad_form' })
  return { ok: true, content: (await store.readCompanion(id, name, number)).content } as const
}

type Sent =
  | { readonly is: 'saved' | 'unchanged'; readonly version: number }
  | { readonly is: 'refused'; readonly problem: Problem }

interface SentCompanion {
  readonly id: number
  readonly name: CompanionName
  readonly base: string
  readonly body: JsonValue
  readonly reason: string | null
}

/** Replaces a companion that still is what `base` names, the tag of its content. */
export async function setCompanion(
  call: HttpCall,
  deps: SiteHttpDeps,
  { base, reason, ...change }: SentCompanion,
): Promise<Sent> {
  const author = toAuthor(requireCaller(call))
  const said = { ...(reason === null ? {} : { reason }), precondition: { ifMatch: [base] } }
  const outcome = await attempt(deps, call, { kind: 'set companion', author, ...change, ...said })
  switch (outcome.is) {
    case 'companion': {
      const { id, name: kind, number: version, wasWritten } = outcome
      if (wasWritten) deps.log.info('write', { kind, id, version, by: author.name, requestId: call.requestId() })
      return { is: wasWritten ? 'saved' : 'unchanged', version }
    }
    case 'refused':
      return { is: 'refused', problem: outcome.refusal }
    case 'failed':
      return { is: 'refused', problem: toWriteFailure(outcome.failure) }
    default:
      throw new Error(`a change of a companion had the outcome of another command: ${outcome.is}`)
  }
}

/** Shows what is stored now beside the typed text, which replaces it only if the form is sent again. */
async function respondRefused(call: HttpCall, deps: SiteHttpDeps, page: CompanionPage, base: string, problem: Problem) {
  if (problem.code === 'bad_fields')
    return respond(call, page, 422, { problems: [...(problem.errors?.values() ?? [])].flat() })
  if (problem.code !== 'stale') return respond(call, page, toStatus(problem), { problem })
  const { name } = page.now
  const { id } = page.talk
  const number = findTaggedNumber(name, base)
  const before = number === null ? null : (await deps.store.readCompanion(id, name, number)).content
  return respond(call, { ...page, ...(await read(deps.store, id, name)) }, 409, { problem, before })
}

function respond(call: HttpCall, page: CompanionPage, status: number, more: Partial<CompanionPage>): TextAnswer {
  return { ...respondEditPage(call, render({ ...page, ...more })), status }
}

interface CompanionPage extends Found {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly done?: keyof typeof doneTexts | null
  /** The unsaved text, if the form is shown again. */
  readonly typed?: string
  readonly reason?: string
  readonly problems?: readonly string[]
  readonly problem?: Problem
  /** What the form was made from, if others have changed it since. */
  readonly before?: JsonObject | null
}

function render(page: CompanionPage): string {
  const { site, caller, pages, talk, now, done = null } = page
  const { label } = toKind(now.name)
  const isLocked = findLock(caller, talk.record) !== null && page.typed === undefined
  const body = (
    <div class="editor">
      <header class="editor-head">
        <p>
          <a href={pages.edit}>Back to the talk</a>
        </p>
        <h1>
          {label}: <bdi>{talk.record.title}</bdi>
        </h1>
      </header>
      {done !== null && <Done {...page} done={done} />}
      <Problems {...page} />
      {!isLocked && now.name === 'chapters' && <ChapterPlayer site={site} record={talk.record} linesId={linesId} />}
      {isLocked ? <p class="notice">With your role you cannot change this talk.</p> : <LinesForm {...page} />}
      {isLocked && <Lines name={now.name} content={now.content} />}
      {!isLocked && now.name === 'chapters' && <ChapterDrafts {...page} record={talk.record} />}
      {!isLocked && <Edits {...page} />}
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, `${label}: ${talk.record.title}`, body)
}

const doneTexts = { saved: 'Saved.', restored: 'Restored.', unchanged: 'There were no changes to save.' } as const

/** Undo restores what was there before. */
function Done({ done, caller, pages, now, edits, talk }: CompanionPage & { readonly done: keyof typeof doneTexts }) {
  const before = edits[1]?.line.version ?? 0
  return (
    <div class="notice is-good" role="status" data-saved={done === 'saved' ? toUnsavedKey({ talk, now }) : undefined}>
      <p>{doneTexts[done]}</p>
      {done !== 'unchanged' && (
        <PostForm caller={caller} action={pages.companion(now.name)}>
          <input type="hidden" name="base" value={toCompanionTag(now.name, now)} />
          <button type="submit" name="undo" value={String(before)} class="button quiet" data-key="u">
            Undo
          </button>
        </PostForm>
      )}
    </div>
  )
}

const toUnsavedKey = ({ talk, now }: Pick<Found, 'talk' | 'now'>) => `video-${talk.id}-${now.name}`

function Problems({ problem, before = null, now, edits, typed }: CompanionPage) {
  if (problem === undefined) return null
  if (problem.code !== 'stale') {
    return (
      <div class="notice is-bad" role="alert">
        <p>
          {`Nothing is saved yet. ${toSentence(problem)}`}
          {typed !== undefined && ' What you typed is still here.'}
        </p>
      </div>
    )
  }
  const { name, content } = now
  const by = edits[0]?.line.by
  return (
    <div class="notice is-bad" role="alert">
      <p>
        Nothing is saved yet: {by === undefined ? 'somebody else' : <bdi>{by}</bdi>} has changed this since you opened
        it. Saving now replaces it with your text below.
      </p>
      <h2>What they changed</h2>
      {before === null ? (
        <Lines name={name} content={content} />
      ) : (
        <ListDiff before={listLines(name, before)} after={listLines(name, content)} hasLines />
      )}
    </div>
  )
}

const linesId = 'field-lines'

function LinesForm(page: CompanionPage) {
  const { pages, caller, now, typed, reason = '', problems = [] } = page
  const { name } = now
  const isWrong = problems.length > 0
  const rows = Math.min(24, Math.max(8, countEntries(name, now.content) + 2))
  return (
    <RecordForm
      {...{ caller, reason }}
      action={pages.companion(name)}
      etag={null}
      hidden={{ base: toCompanionTag(name, now) }}
      unsavedKey={toUnsavedKey(page)}
      isUnsaved={typed !== undefined}
      buttons={[{ action: 'save', label: 'Save' }]}
    >
      <div class={isWrong ? 'field is-wrong' : 'field'}>
        <label for={linesId}>{toKind(name).label}</label>
        <textarea
          id={linesId}
          name="field.lines"
          rows={String(rows)}
          dir="ltr"
          spellcheck="false"
          autocomplete="off"
          aria-describedby="field-lines-help"
          aria-invalid={isWrong ? 'true' : undefined}
          value={typed === undefined ? listLines(name, now.content).join('\n') : toLf(typed)}
        />
        {isWrong && (
          <ul class="field-error" role="alert">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        <p class="help" id="field-lines-help">
          {texts[name].help}
        </p>
      </div>
    </RecordForm>
  )
}

function Lines({ name, content }: { readonly name: CompanionName; readonly content: JsonObject }) {
  const lines = listLines(name, content)
  if (lines.length === 0) return <p>There are none.</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Each earlier content, with a button to restore it. */
function Edits({ caller, pages, now, edits }: CompanionPage) {
  const { name } = now
  const isGrown = (edits.at(-1)?.line.version ?? 0) > 1
  if (!isGrown && edits.every(({ line }) => line.version === now.number)) return null
  return (
    <section class="link-edits" aria-labelledby="link-edits">
      <h2 id="link-edits">Earlier changes</h2>
      <PostForm caller={caller} action={pages.companion(name)}>
        <input type="hidden" name="base" value={toCompanionTag(name, now)} />
        <ol>
          {edits.map(({ line: { version, at, by, reason }, content }) => (
            <li key={version}>
              <time datetime={`${at}Z`}>{toMoment(at)}</time> by <bdi>{by}</bdi>
              {reason !== null && (
                <>
                  : <bdi>{reason}</bdi>
                </>
              )}
              <details>
                <summary>{toCounted(countEntries(name, content), texts[name].entry)}</summary>
                <Lines name={name} content={content} />
                {version !== now.number && (
                  <button type="submit" name="undo" value={String(version)} class="button quiet">
                    Restore this
                  </button>
                )}
              </details>
            </li>
          ))}
          {isGrown && (
            <li>
              Before that
              <details>
                <summary>{toCounted(0, texts[name].entry)}</summary>
                <button type="submit" name="undo" value="0" class="button quiet">
                  Remove all
                </button>
              </details>
            </li>
          )}
        </ol>
      </PostForm>
    </section>
  )
}
