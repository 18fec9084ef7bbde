import type { Child } from '#jsx/jsx-runtime'
import { type Problem, toSentence } from '../../http/problem.ts'
import type { Caller } from '../../http/route.ts'
import { type CompanionName, countEntries, listLines, type SingleName, toKind } from '../../record/companion/kinds.ts'
import { type CompanionConflict, toCompanionTag } from '../../record/companion/version.ts'
import type { JsonObject } from '../../record/json.ts'
import { toCounted } from '../../record/text/counted.ts'
import { toLf } from '../../record/text/typed-text.ts'
import type { Site } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { VersionLine } from '../../store/change-log.ts'
import type { StoredCompanion } from '../../store/store.ts'
import { ListDiff } from '../diff.tsx'
import { PostForm, renderEditPage } from '../edit-page.tsx'
import { RecordForm } from '../form/record-form.tsx'
import { ChapterDrafts, ChapterPlayer } from './chapter-drafts.tsx'
import { findLock } from './form-actions.ts'
import type { TalkVersion } from './talk-version.ts'

/** What the page of each companion says. */
const texts: { readonly [Name in SingleName]: { readonly entry: string; readonly help: string } } = {
  related: {
    entry: 'link',
    help:
      'One link per line: the address, a space and a label, such as “https://example.org/slides.pdf Slides”. The ' +
      'kind is guessed from label and address; write “[slides]”, “[code]”, “[paper]”, “[notes]”, “[schedule]”, ' +
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
      'part that ends before the next one begins, and “[#123]” at the end for a part that has its own page, with the ' +
      'number of its talk.',
  },
}

export interface EditedCompanion {
  readonly talk: TalkVersion
  readonly now: StoredCompanion & { readonly name: SingleName }
  /** The newest first. */
  readonly edits: readonly EarlierContent[]
  /** Whether there were more. */
  readonly hasMoreEdits: boolean
}

interface EarlierContent {
  readonly line: VersionLine
  readonly content: JsonObject
}

export interface CompanionPage extends EditedCompanion {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly done?: keyof typeof doneTexts | null
  /** The unsaved text, if the form is shown again. */
  readonly typed?: string
  readonly reason?: string
  readonly problems?: readonly string[]
  readonly problem?: Problem
  /** The tag of the content that the unsaved text is based on. */
  readonly base?: string
  /** What was there before others have changed it. */
  readonly before?: JsonObject | null
  /** What both have changed. */
  readonly conflicts?: readonly CompanionConflict[]
}

/** The page of a companion: a line of text for each entry, and its earlier contents. */
export function renderCompanion(page: CompanionPage): string {
  const { site, caller, talk, now, done = null } = page
  const { label } = toKind(now.name)
  const isLocked = findLock(caller, talk.record) !== null && page.typed === undefined
  const body = (
    <>
      {done !== null && <Done {...page} done={done} />}
      <Problems {...page} />
      {!isLocked && now.name === 'chapters' && <ChapterPlayer site={site} record={talk.record} linesId={linesId} />}
      {isLocked ? <p class="notice">Your role does not let you change this talk.</p> : <LinesForm {...page} />}
      {isLocked && <Lines name={now.name} content={now.content} />}
      {!isLocked && now.name === 'chapters' && <ChapterDrafts {...page} record={talk.record} />}
      {!isLocked && <Edits {...page} />}
    </>
  )
  return renderBesideTalk(page, label, body)
}

/** A page about what a talk has beside its fields. */
export function renderBesideTalk(
  { site, caller, pages, talk: { record } }: Pick<CompanionPage, 'site' | 'caller' | 'pages' | 'talk'>,
  label: string,
  children: Child,
): string {
  const body = (
    <div class="editor">
      <header class="editor-head">
        <p>
          <a href={pages.edit}>Back to the talk</a>
        </p>
        <h1>
          {label}: <bdi>{record.title}</bdi>
        </h1>
      </header>
      {children}
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, `${label}: ${record.title}`, body)
}

const doneTexts = {
  saved: 'Saved.',
  merged: 'Saved, together with what others have changed since.',
  restored: 'Restored.',
  unchanged: 'There were no changes to save.',
} as const

/** Undo restores what was there before. */
function Done({ done, caller, pages, now, edits, talk }: CompanionPage & { readonly done: keyof typeof doneTexts }) {
  const before = edits[1]?.line.version ?? 0
  return (
    <div
      class="notice is-good"
      role="status"
      data-saved={done === 'saved' || done === 'merged' ? toUnsavedKey({ talk, now }) : undefined}
    >
      <p>{doneTexts[done]}</p>
      {done !== 'unchanged' && (
        <PostForm caller={caller} action={pages.companion(now.name)} hidden={{ base: toCompanionTag(now.name, now) }}>
          <button type="submit" name="undo" value={String(before)} class="button quiet" data-key="u">
            Undo
          </button>
        </PostForm>
      )}
    </div>
  )
}

const toUnsavedKey = ({ talk, now }: Pick<EditedCompanion, 'talk' | 'now'>) => `video-${talk.id}-${now.name}`

function Problems(page: CompanionPage) {
  const { problem, typed } = page
  if (problem === undefined) return null
  if (problem.code === 'stale') return <Stale {...page} />
  return (
    <div class="notice is-bad" role="alert">
      <p>
        {`Nothing is saved yet. ${toSentence(problem)}`}
        {typed !== undefined && ' What you typed is still here.'}
      </p>
    </div>
  )
}

function Stale({ before = null, now: { name, content }, edits, conflicts }: CompanionPage) {
  const by = edits[0]?.line.by
  const who = by === undefined ? 'somebody else' : <bdi>{by}</bdi>
  if (conflicts === undefined)
    return (
      <div class="notice is-bad" role="alert">
        <p>Nothing is saved: {who} has changed this since you opened it.</p>
        <h2>What they changed</h2>
        <ListDiff before={before === null ? [] : listLines(name, before)} after={listLines(name, content)} hasLines />
      </div>
    )
  const { entry } = texts[name]
  const same = conflicts.length === 1 ? entry : `${conflicts.length} ${entry}s`
  return (
    <div class="notice is-bad" role="alert">
      <p>
        Nothing is saved yet: {who} has changed {conflicts.length === 0 ? 'this' : `the same ${same}`} since you opened
        it. The text below has yours, and all other changes of both of you. Correct it where theirs is better, and save
        it again.
      </p>
      {conflicts.map(({ keys, base, theirs, yours }) => (
        <dl key={String(keys[0])} class="both-sides">
          <dt>Theirs</dt>
          <SideLines lines={listLines(name, theirs)} />
          <dt>Yours</dt>
          <SideLines lines={listLines(name, yours)} />
          <dt>Before</dt>
          <SideLines lines={listLines(name, base)} />
        </dl>
      ))}
    </div>
  )
}

function SideLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <dd>
      <bdi>{lines.length === 0 ? 'none' : lines.join('\n')}</bdi>
    </dd>
  )
}

const linesId = 'field-lines'

function LinesForm(page: CompanionPage) {
  const { pages, caller, now, typed, reason = '', problems = [] } = page
  const { name } = now
  const { base = toCompanionTag(name, now) } = page
  const isWrong = problems.length > 0
  const rows = Math.min(24, Math.max(8, countEntries(name, now.content) + 2))
  return (
    <RecordForm
      {...{ caller, reason }}
      action={pages.companion(name)}
      etag={null}
      hidden={{ base }}
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
function Edits({ caller, pages, now, edits, hasMoreEdits }: CompanionPage) {
  const { name } = now
  const isGrown = (edits.at(-1)?.line.version ?? 0) > 1 && !hasMoreEdits
  if (!isGrown && edits.every(({ line }) => line.version === now.number)) return null
  return (
    <section class="link-edits" aria-labelledby="link-edits">
      <h2 id="link-edits">Earlier changes</h2>
      <PostForm caller={caller} action={pages.companion(name)} hidden={{ base: toCompanionTag(name, now) }}>
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
          {hasMoreEdits && (
            <li>
              <a href={pages.history()}>Earlier ones are in the history</a>
            </li>
          )}
        </ol>
      </PostForm>
    </section>
  )
}
