import { type Problem, toSentence } from '../../http/problem.ts'
import type { Caller } from '../../http/route.ts'
import type { JsonValue } from '../../record/json.ts'
import { type LinksLog, toLine, toLinks, toLinksTag } from '../../record/links.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import { toMoment } from '../../site/text/format.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { toLf } from '../form/form-values.ts'
import { RecordForm } from '../form/record-form.tsx'
import { PostForm } from '../post-form.tsx'
import type { TalkPages } from '../talk-pages.ts'
import { findLock } from '../video/form-actions.ts'
import type { TalkVersion } from '../video/talk-version.ts'

export interface LinksPage {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: TalkVersion
  /** As the extras have them. */
  readonly links: JsonValue | undefined
  readonly log: LinksLog | null
  readonly done?: 'saved' | 'unchanged' | null
  /** What is not saved, if the form is shown again. */
  readonly typed?: string
  readonly reason?: string
  readonly problems?: readonly string[]
  readonly problem?: Problem
}

export function renderLinks(page: LinksPage): string {
  const { site, caller, pages, talk, links, log, done = null } = page
  const isLocked = findLock(caller, talk.record) !== null && page.typed === undefined
  const key = toDraftKey(talk.id)
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
          {done === 'saved' ? 'Saved.' : 'Nothing was different, so nothing was saved.'}
        </p>
      )}
      <Problems {...page} />
      {isLocked ? <p class="notice">Your role cannot change this talk.</p> : <LinksForm {...page} />}
      {isLocked && <LinkList links={links} />}
      {!isLocked && log !== null && <Edits {...{ caller, pages, links, log }} />}
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, `Related links: ${talk.record.title}`, body)
}

const toDraftKey = (id: number) => `video-${id}-links`

function Problems({ problem, links }: LinksPage) {
  if (problem === undefined) return null
  const isStale = problem.code === 'stale'
  return (
    <div class="notice is-bad" role="alert">
      <p>
        {isStale
          ? 'Nothing is saved yet: somebody else has changed the links. These are the ones that are stored now. Saving replaces them by what is in the text below.'
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
      draftKey={toDraftKey(talk.id)}
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
          One link per line: its address, then a space and what it is, such as “https://example.org/slides.pdf Slides”.
          At most 100.
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

/** What the links were before each edit, and a button to go back to that. */
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
        Go back to these
      </button>
    </details>
  )
}
