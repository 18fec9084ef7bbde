import { gunzipSync, gzipSync } from 'node:zlib'
import { type Problem, Refused, refuseMissing, requireRead, toSentence, toStatus } from '../../http/problem.ts'
import type { Call, Caller, Form, HttpCall, TextAnswer } from '../../http/route.ts'
import { parseReason } from '../../record/command.ts'
import { toKind } from '../../record/companion/kinds.ts'
import { findTaggedNumber, toCompanionTag } from '../../record/companion/version.ts'
import type { JsonObject } from '../../record/json.ts'
import { parseLanguageWord, toLanguageCode } from '../../record/text/language.ts'
import { guessType, type ReadTranscript, readTranscript } from '../../record/transcript/read-transcript.ts'
import { origins, type Transcript } from '../../record/transcript/transcript.ts'
import {
  findBadTool,
  type TranscriptName,
  toTranscriptLanguage,
  toTranscriptName,
} from '../../record/transcript/transcript-kind.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { StoredCompanion } from '../../store/store.ts'
import { PostForm, requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { setCompanion } from './companion.ts'
import { renderBesideTalk } from './companion-page.tsx'
import { findLock } from './form-actions.ts'
import { findEditedTalk, type TalkVersion } from './talk-version.ts'
import {
  originLabels,
  TranscriptPreview,
  toLanguageText,
  toSummary,
  toTranscript,
  type Upload,
} from './transcript-preview.tsx'

interface TranscriptsPage {
  readonly site: Site
  readonly caller: Caller
  readonly pages: TalkPages
  readonly talk: TalkVersion
  readonly all: readonly (StoredCompanion & { readonly name: TranscriptName })[]
  readonly done?: string | null
  readonly problems?: readonly string[]
  readonly upload?: Upload
  /** What was typed beside a file that was refused. */
  readonly typed?: Form
}

async function read(call: Call<'id'>, deps: SiteDeps): Promise<TranscriptsPage> {
  const [id, { store }] = [Number(call.params.id), deps]
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const all: TranscriptsPage['all'][number][] = []
  for (const { name, origin } of requireRead(await store.listTranscripts({ id }, call.signal)))
    if (origin !== null) all.push({ ...(await store.readCompanion(id, name)), name })
  const site = await openSite(call, deps)
  return { site, caller: requireCaller(call), pages: readTalkPages(call, site.urls), talk, all }
}

/** `/edit/video/<id>/transcripts`. */
export async function showTranscripts(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  return respondEditPage(call, render({ ...(await read(call, deps)), done: call.query().get('done') }))
}

/** Reads a file and shows what it says, then stores it; or deletes a transcript. `do` says which. */
export async function changeTranscripts(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const page = await read(call, deps)
  switch (form.get('do')) {
    case 'read':
      return previewFile(call, deps, page)
    case 'save':
      return saveFile(call, deps, page)
    case 'delete':
      return deleteOne(call, deps, page)
    default:
      throw new Refused({ code: 'bad_form' })
  }
}

function respond(call: HttpCall, page: TranscriptsPage, problems: readonly string[], status = 422): TextAnswer {
  return { ...respondEditPage(call, render({ ...page, problems })), status }
}

async function previewFile(call: HttpCall<'id'>, { store }: SiteHttpDeps, page: TranscriptsPage): Promise<TextAnswer> {
  const form = requireForm(call)
  const bytes = call.files.get('file')
  const tag = readLanguage(form)
  const tool = (form.get('tool') ?? '').trim()
  const badTool = tool === '' ? null : findBadTool(tool)
  const found = bytes === undefined ? null : readTranscript(guessType(bytes), bytes)
  const problems = [
    ...(bytes === undefined ? ['Choose a file.'] : []),
    ...(tag === null ? ['Enter the language, such as “en” or “German”.'] : []),
    ...(badTool === null ? [] : [`Tool: ${badTool}`]),
    ...(found?.ok === false ? found.problems : []),
  ]
  if (found?.ok !== true || tag === null || badTool !== null) return respond(call, { ...page, typed: form }, problems)
  const name = toTranscriptName(tag)
  const transcript = toStored(found, form.get('origin') ?? '', tool)
  const packed = gzipSync(JSON.stringify(transcript), { level: 1 }).toString('base64')
  const now = await store.readCompanion(page.talk.id, name)
  const upload = { name, transcript, now, packed, format: found.format, forgiven: found.forgiven, reason: '' }
  return respondEditPage(call, render({ ...page, upload }))
}

const readLanguage = (form: Form) => parseLanguageWord((form.get('language') ?? '').trim())

function toStored(found: Extract<ReadTranscript, { ok: true }>, given: string, tool: string): Transcript {
  const origin = origins.find((each) => each === given) ?? found.origin
  return { origin, ...(tool === '' ? {} : { tool }), cues: found.cues }
}

/** Room for the largest file as JSON. */
const maxUnpackedBytes = 64 * 1024 * 1024

async function saveFile(call: HttpCall<'id'>, deps: SiteHttpDeps, page: TranscriptsPage): Promise<TextAnswer> {
  const form = requireForm(call)
  const [packed, base, tag] = [form.get('packed') ?? '', form.get('base') ?? '', readLanguage(form)]
  const body = unpack(packed)
  if (body === null || tag === null) throw new Refused({ code: 'bad_form' })
  const reasonText = form.get('reason') ?? ''
  const reason = parseReason(reasonText)
  if (!reason.ok) return respond(call, page, reason.problems)
  const [{ id }, name] = [page.talk, toTranscriptName(tag)]
  const outcome = await setCompanion(call, deps, { id, name, base, body, reason: reason.value })
  if (outcome.is !== 'refused')
    return seeOther(call, page.site.urls.transcripts(id, { done: outcome.is, list: page.pages.list }))
  if (outcome.problem.code !== 'stale')
    return respond(call, page, [toSentence(outcome.problem)], toStatus(outcome.problem))
  const number = findTaggedNumber(name, base)
  const upload: Upload = {
    ...{ name, packed, format: 'Your file', forgiven: null, reason: reasonText },
    // Unpacks only what this page has packed; the writer checks it.
    transcript: body as Transcript,
    now: await deps.store.readCompanion(id, name),
    before: number === null ? toKind(name).empty : (await deps.store.readCompanion(id, name, number)).content,
  }
  return { ...respondEditPage(call, render({ ...page, upload })), status: toStatus(outcome.problem) }
}

function unpack(packed: string): JsonObject | null {
  try {
    const text = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: maxUnpackedBytes }).toString()
    const value = JSON.parse(text)
    return toKind('transcripts/en').parse(value, {} as never).ok ? value : null
  } catch {
    return null
  }
}

async function deleteOne(call: HttpCall<'id'>, deps: SiteHttpDeps, page: TranscriptsPage): Promise<TextAnswer> {
  const form = requireForm(call)
  const [base, tag] = [form.get('base'), readLanguage(form)]
  if (base === null || tag === null) throw new Refused({ code: 'bad_form' })
  const name = toTranscriptName(tag)
  const body = toKind(name).empty
  const outcome = await setCompanion(call, deps, { id: page.talk.id, name, base, body, reason: null })
  if (outcome.is === 'refused')
    return respond(call, page, [toDeleteProblem(outcome.problem)], toStatus(outcome.problem))
  return seeOther(call, page.site.urls.transcripts(page.talk.id, { done: 'deleted', list: page.pages.list }))
}

const toDeleteProblem = (problem: Problem) =>
  problem.code === 'stale' ? 'Somebody has replaced this transcript since you opened the page.' : toSentence(problem)

const doneTexts: { readonly [done: string]: string } = {
  saved: 'The transcript is saved.',
  unchanged: 'The transcript has not changed.',
  deleted: 'The transcript is deleted. The history can restore it.',
}

function render(page: TranscriptsPage): string {
  const { site, caller, pages, talk, done = null, problems = [], upload } = page
  const isLocked = findLock(caller, talk.record) !== null
  const action = site.urls.transcripts(talk.id, { list: pages.list })
  const text = done === null ? undefined : doneTexts[done]
  const body = (
    <>
      {text !== undefined && (
        <div class="notice is-good" role="status">
          <p>{text}</p>
        </div>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
      {upload !== undefined && <TranscriptPreview caller={caller} action={action} upload={upload} />}
      {upload === undefined && <Stored {...page} isLocked={isLocked} />}
      {isLocked && <p class="notice">Your role does not let you change this talk.</p>}
      {!isLocked && upload === undefined && <UploadForm {...page} />}
    </>
  )
  return renderBesideTalk(page, 'Transcripts', body)
}

function Problems({ problems }: { readonly problems: readonly string[] }) {
  return (
    <div class="notice is-bad" role="alert">
      <p>Nothing is saved.</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  )
}

function Stored({ site, caller, pages, talk, all, isLocked }: TranscriptsPage & { readonly isLocked: boolean }) {
  return (
    <>
      {all.map((each) => {
        const language = toTranscriptLanguage(each.name)
        const api = (suffix: string) => site.urls.api(`video/${talk.id}/transcripts/${language}.${suffix}`)
        return (
          <section key={language} class="link-edits" aria-labelledby={`transcript-${language}`}>
            <h2 id={`transcript-${language}`}>{toLanguageText(language)}</h2>
            <p>
              <bdi>{toSummary(toTranscript(each))}</bdi>. <a href={api('vtt')}>WebVTT</a>,{' '}
              <a href={api('srt')}>SubRip</a>, <a href={api('txt')}>text</a>, <a href={pages.history()}>history</a>
            </p>
            {!isLocked && (
              <PostForm
                caller={caller}
                action={site.urls.transcripts(talk.id, { list: pages.list })}
                hidden={{ base: toCompanionTag(each.name, each), language }}
              >
                <button type="submit" name="do" value="delete" class="button quiet">
                  Delete<span class="hidden-text"> the transcript in {language}</span>
                </button>
              </PostForm>
            )}
          </section>
        )
      })}
    </>
  )
}

function UploadForm({ site, caller, pages, talk, all, typed }: TranscriptsPage) {
  const [language] = all.map(({ name }) => toTranscriptLanguage(name))
  const spoken = typed?.get('language') ?? toLanguageCode(talk.record.language) ?? language ?? ''
  return (
    <PostForm
      class="edit-form transcript-form"
      caller={caller}
      action={site.urls.transcripts(talk.id, { list: pages.list })}
    >
      <h2>{all.length === 0 ? 'Add a transcript' : 'Add or replace a transcript'}</h2>
      <div class="field">
        <label for="file">File</label>
        <input type="file" id="file" name="file" accept=".vtt,.srt,.json,.json3" aria-describedby="file-help" />
        <p class="help" id="file-help">
          WebVTT, SubRip, or JSON of Whisper, whisper.cpp, YouTube or Podcasting 2.0. At most 16 MiB.
        </p>
      </div>
      <div class="field">
        <label for="language">Language</label>
        <input type="text" id="language" name="language" value={spoken} autocomplete="off" spellcheck="false" />
      </div>
      <div class="field">
        <label for="origin">Origin</label>
        <select id="origin" name="origin">
          <option value="">Automatic, from the format of the file</option>
          {origins.map((each) => (
            <option key={each} value={each} selected={each === typed?.get('origin')}>
              {originLabels[each]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="tool">Tool</label>
        <input
          type="text"
          id="tool"
          name="tool"
          value={typed?.get('tool') ?? ''}
          maxlength={100}
          aria-describedby="tool-help"
        />
        <p class="help" id="tool-help">
          The program that created it, such as “whisper medium”.
        </p>
      </div>
      <p>
        <button type="submit" name="do" value="read" class="button">
          Preview
        </button>
      </p>
    </PostForm>
  )
}
