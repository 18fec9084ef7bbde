import type { Child } from '#jsx/jsx-runtime'
import { refuseMissing } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import { type PlayerSource, toPlayerSource } from '../../record/player/player-source.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { Player } from '../../site/talk/player.tsx'
import { findTalk, findTalkDetails, type Talk, type TalkDetails } from '../../site/talk/talk.ts'
import { TalkFacts, TalkHead, TalkProse } from '../../site/talk/talk-article.tsx'
import type { ReadStore } from '../../store/store.ts'
import { renderEditPage, requireCaller, requireForm, respondEditPage } from '../edit-page.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { type FormEntries, parseForm, toBlankRecord } from '../form/form-values.ts'
import { recordFormId } from '../form/record-form.tsx'
import { readTalkPages } from '../lists/list-place.ts'

/** `GET /edit/video/<id>/preview`: the stored record as viewers would see it, drafts too. */
export async function showPreview(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const record = await findStoredRecord(deps.store, call.params.id)
  const { urls } = await openSite(call, deps)
  const note = (
    <>
      {record.state === live
        ? 'This talk is live: everybody can see it.'
        : 'This talk is a draft: only curators can see it.'}{' '}
      <a href={readTalkPages(call, urls).edit}>Back to the editor</a>
    </>
  )
  return respondPreview(call, deps, record, note)
}

/** `POST /edit/preview/<id>`: the form of a record as typed. Nothing is stored. */
export async function previewForm(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  return respondForm(call, deps, await findStoredRecord(deps.store, call.params.id))
}

/** `POST /edit/preview`: the form of a new talk as typed. */
export async function previewNew(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  return respondForm(call, deps, blank)
}

const times = '1970-01-01T00:00:00.000'
// Safe: a blank record has all writable fields, and these are the others.
const blank = { ...toBlankRecord(), id: 0, slug: 'video', added: times, updated: times } as unknown as VideoRecord

/** The id of what a preview shows, in the panel and in the page that fills it. */
const previewId = 'preview'

/**
 * The live preview beside the form of a talk; `id` is null for a new one. It belongs behind `RecordForm`, not into it:
 * the first button of a form is the one that Enter presses. Without a script its button shows the preview in a new tab.
 */
export function PreviewPanel({ site: { urls }, id }: { readonly site: Site; readonly id: number | null }) {
  const address = urls.previewForm(id)
  return (
    <details class="preview-panel" data-preview-panel>
      <summary data-key="v">Preview</summary>
      <button
        type="submit"
        form={recordFormId}
        formaction={address}
        formtarget="_blank"
        class="button quiet small"
        name="do"
        value="preview"
      >
        Open the preview in a new tab
      </button>
      <div id={previewId} class="preview" data-preview={address} />
    </details>
  )
}

async function respondForm(call: Call, deps: SiteDeps, base: VideoRecord): Promise<TextAnswer> {
  const { record: typed, wrong } = toTypedRecord(requireForm(call), base)
  const record = { ...typed, title: typed.title === '' ? 'No title yet' : typed.title }
  const note = [
    'This is the current state of the form. Nothing is saved: close this tab to continue.',
    ...(wrong.length === 0
      ? []
      : [`These fields have errors, so they show their stored values: ${wrong.map(toFullLabel).join(', ')}.`]),
  ]
  return respondPreview(call, deps, record, note.join(' '))
}

async function findStoredRecord(store: ReadStore, id: string): Promise<VideoRecord> {
  const stored = (await store.read(Number(id))) ?? (await refuseMissing(store, Number(id)))
  return fromBody(stored.body)
}

interface TypedRecord {
  readonly record: VideoRecord
  /** Fields that show their stored values, because the input is invalid. */
  readonly wrong: readonly string[]
}

function toTypedRecord(form: FormEntries, base: VideoRecord): TypedRecord {
  const whole = parseForm(form, base)
  if (whole.ok) return { record: { ...base, ...whole.changes }, wrong: [] }
  const wrong = [...whole.errors.keys()]
  const table = Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.includes(name)))
  const rest = parseForm(form, base, { table })
  return { record: { ...base, ...(rest.ok ? rest.changes : {}) }, wrong }
}

async function respondPreview(call: Call, deps: SiteDeps, record: VideoRecord, note: Child): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const preview = await findPreview(deps, site, record)
  const body = (
    <div class="preview-page">
      <div class="preview-note">
        <h1>Preview</h1>
        <p>{note}</p>
      </div>
      <PreviewContent {...preview} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller: requireCaller(call) }, 'Preview', body))
}

/** What the page of a talk would show of a record. */
interface Preview {
  readonly site: Site
  readonly talk: Talk
  readonly source: PlayerSource
  readonly details: TalkDetails
}

async function findPreview({ store, markdown }: SiteDeps, site: Site, record: VideoRecord): Promise<Preview> {
  const talk = await findTalk(store, record)
  return {
    ...{ site, talk },
    source: toPlayerSource(record, { ...site.settings, isSecure: site.base.startsWith('https:') }),
    details: await findTalkDetails(store, talk, await markdown()),
  }
}

/**
 * As on the page of the talk. The script replaces each of these parts only if it changed, so that a video keeps
 * playing.
 */
function PreviewContent({ site, talk, source, details }: Preview) {
  return (
    <div id={previewId} class="preview">
      <Player site={site} talk={talk} source={source} start={0} />
      <article class="talk-text">
        <TalkHead site={site} talk={talk} source={source} isPreview />
        <TalkProse details={details} />
        <TalkFacts site={site} talk={talk} details={details} source={source} isPreview />
      </article>
    </div>
  )
}
