import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../../http/caller.ts'
import type { Finding } from '../../../record/quality/finding-codes.ts'
import type { FieldErrors, VideoRecord } from '../../../record/record.ts'
import { draft, live } from '../../../record/state.ts'
import { listLanguageNames } from '../../../record/text/language.ts'
import { toSlug } from '../../../record/text/slug.ts'
import type { StoredVersion } from '../../../store/change-log.ts'
import type { Site } from '../../site.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { toWritable } from '../form/field-hints.ts'
import { Facts, FormFields } from '../form/form-fields.tsx'
import type { Typed } from '../form/parse-form.ts'
import { RecordForm } from '../form/record-form.tsx'
import { PreviewPanel } from '../preview/preview-panel.tsx'
import { toDraftKey } from './draft-keys.ts'
import { toButtons } from './editor-actions.ts'
import { EditorHead } from './editor-head.tsx'
import { Findings } from './findings.tsx'
import type { ListPlace } from './list-place.ts'
import { editedFields, findLock, lockedFields } from './locks.ts'
import { RecordValues } from './record-values.tsx'
import { Review, type Reviewed } from './review.tsx'
import { saveNoticeId } from './save-notice.tsx'
import type { TalkVersion } from './talk-version.ts'
import { videoTexts as texts } from './video-texts.ts'

/** What the page of the editor shows. Everything but the talk is left out where it is not known. */
export interface EditorPage {
  readonly site: Site
  readonly caller: Caller
  /** The version that the form is made from. */
  readonly talk: TalkVersion
  /** The talk as it is stored now, if the form is of an older version. */
  readonly current?: TalkVersion
  readonly place: ListPlace | null
  /** How the version that is stored now was made. */
  readonly made?: Pick<StoredVersion, 'by' | 'at'> | null
  readonly findings?: readonly Finding[]
  /** Whether the person came here by saving another talk. */
  readonly isNext?: boolean
  /** What was typed and is not saved, if the form is shown again. */
  readonly typed?: Typed
  readonly errors?: FieldErrors
  readonly reason?: string
  readonly notices?: Child
  readonly review?: Reviewed | null
}

/** The editor as HTML: the form, or the values of a talk that this person cannot change. */
export function renderEditor(page: EditorPage): string {
  const { site, caller, talk, current = talk, place, made = null, findings = [], notices } = page
  // A form that is shown again is never taken away, whatever the role is.
  const lock = page.typed === undefined ? findLock(caller, talk.record) : null
  const body = (
    <div class="editor">
      <EditorHead {...{ site, caller, place, made }} talk={current} isUnsaved={page.typed !== undefined} />
      {notices}
      {lock !== null && <p class="notice">{texts.locked[lock]}</p>}
      <div class="editor-columns">
        {lock === null ? <EditorForm {...page} /> : <RecordValues record={talk.record} />}
        <aside class="editor-side">
          <Findings findings={findings} isLinked={lock === null} />
          {lock === null && <PreviewPanel site={site} id={talk.id} />}
        </aside>
      </div>
      <Facts record={current.record} />
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, talk.record.title, body)
}

function EditorForm(page: EditorPage) {
  const { site, caller, talk, current = talk, place, typed, errors, reason = '', review = null } = page
  const action = site.at.edit(talk.id, { list: place?.list, from: place?.from })
  return (
    <RecordForm
      {...{ action, caller, reason }}
      etag={talk.etag}
      draftKey={toDraftKey(talk.id)}
      isUnsaved={typed !== undefined}
      isLive={current.record.state === live}
      buttons={toButtons(caller, current.record.state === talk.record.state ? talk.record.state : null, place)}
    >
      {review !== null && <Review {...review} site={site} address={site.at.edit(talk.id, { do: 'review' })} />}
      <FormFields
        record={talk.record}
        locked={lockedFields}
        languages={listLanguageNames()}
        toPickAddress={site.at.pick}
        notes={hasOldSlug(talk.record) ? { title: texts.oldSlug(talk.record.slug) } : {}}
        focus={page.isNext === true ? { name: findFirst(page.findings ?? []), noticeId: saveNoticeId } : null}
        {...(typed === undefined ? {} : { typed })}
        {...(errors === undefined ? {} : { errors })}
      />
    </RecordForm>
  )
}

/** Whether the address of a draft has other words than its title; a number may follow them. */
function hasOldSlug({ state, slug, title }: VideoRecord): boolean {
  const words = toSlug(title)
  return (
    state === draft && slug !== words && !(slug.startsWith(`${words}-`) && /^\d+$/.test(slug.slice(words.length + 1)))
  )
}

/** The first field of the form that needs work. */
function findFirst(findings: readonly Finding[]): string {
  const wanted = new Set<string>(findings.map(({ field }) => field))
  const names = toWritable(editedFields).map(([name]) => name)
  return names.find((name) => wanted.has(name)) ?? 'title'
}
