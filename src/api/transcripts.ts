import { readBody, requireBodyType } from '../http/body.ts'
import { Refused, requireRead, toParameterProblem } from '../http/problem.ts'
import { orNotModified, toHeaders, toUtf8Body } from '../http/respond.ts'
import type { Call, HttpCall, TextAnswer } from '../http/route.ts'
import { type JsonObject, type JsonValue, toAsciiJson } from '../record/json.ts'
import type { VideoRecord } from '../record/record.ts'
import { live } from '../record/state.ts'
import { parseLanguageTag } from '../record/text/language.ts'
import { toSrt, toVtt } from '../record/transcript/captions.ts'
import { readTranscript as readFile, transcriptTypes } from '../record/transcript/read-transcript.ts'
import { type Cue, type Origin, origins, type Transcript } from '../record/transcript/transcript.ts'
import {
  findBadTool,
  type TranscriptName,
  toTranscriptLanguage,
  toTranscriptName,
} from '../record/transcript/transcript-kind.ts'
import { toPlainText, toPodcastTranscript } from '../record/transcript/write-transcript.ts'
import type { StoredCompanion } from '../store/store.ts'
import { changeCompanion, requireAccepted, requireVisible, toCompanionETag } from './companions.ts'
import { type ReadDeps, toSingleAnswer, toVisibility } from './envelope.ts'
import { checkRecord, type RecordDeps } from './records.ts'
import { requireAuthor } from './write.ts'

/** JSON with a time for each word has several megabytes for a long talk; `--max-body` is for records. */
const maxFileBytes = 16 * 1024 * 1024

/** How a transcript is written, by its suffix; the first is the default. */
const forms: { readonly [suffix: string]: { readonly type: string; write(cues: readonly Cue[]): string } } = {
  vtt: { type: 'text/vtt', write: toVtt },
  srt: { type: 'application/x-subrip', write: toSrt },
  txt: { type: 'text/plain', write: toPlainText },
  json: { type: 'application/json', write: (cues) => toAsciiJson(toPodcastTranscript(cues)) },
}

type TranscriptCall = Call<'id' | 'language'>

// Only parsed transcripts are stored under such a name.
const toTranscript = ({ content }: StoredCompanion) => content as Transcript

/** `en.vtt` is the language `en` as WebVTT. */
function readName(call: TranscriptCall): { readonly name: TranscriptName; readonly suffix: string | null } {
  const [, word = '', suffix = null] = /^(.{1,80}?)(?:\.(vtt|srt|txt|json))?$/.exec(call.params.language) ?? []
  const language = parseLanguageTag(word)
  if (language === null) throw new Refused({ code: 'no_such_transcript' })
  return { name: toTranscriptName(language), suffix }
}

function chooseForm(call: TranscriptCall, suffix: string | null): string {
  if (suffix !== null) return suffix
  const type = requireAccepted(call, ['text/vtt', ...Object.values(forms).map((form) => form.type)])
  return Object.keys(forms).find((each) => forms[each]?.type === type) ?? 'vtt'
}

/** `GET /api/v2/video/<id>/transcripts`: what there is, without the texts. */
export async function listTranscripts(call: Call<'id'>, { store }: Pick<ReadDeps, 'store'>): Promise<TextAnswer> {
  const { id } = await requireVisible(call, store)
  const lines = requireRead(await store.listTranscripts({ id }, call.signal))
  const transcripts: JsonObject[] = []
  for (const { name, origin } of lines)
    if (origin !== null) transcripts.push(toLine(await store.readCompanion(id, name), name))
  return toSingleAnswer(call, [toAsciiJson({ transcripts })], toVisibility(call))
}

function toLine(companion: StoredCompanion, name: TranscriptName): JsonObject {
  const { origin, tool = null, cues } = toTranscript(companion)
  return {
    language: toTranscriptLanguage(name),
    ...{ origin, tool, cues: cues.length },
    ...{ end: (cues.at(-1)?.end ?? 0) / 1000, version: companion.number, etag: toCompanionETag(companion) },
  }
}

/** `GET /api/v2/video/<id>/transcripts/<language>`, by suffix or Accept; generated from the cues. */
export async function readTranscript(call: TranscriptCall, { store }: Pick<ReadDeps, 'store'>): Promise<TextAnswer> {
  const { name, suffix } = readName(call)
  chooseForm(call, suffix)
  const record = await requireVisible(call, store)
  return orNotModified(call, toAnswer(call, record, await store.readCompanion(record.id, name), suffix))
}

function toAnswer(call: TranscriptCall, record: VideoRecord, companion: StoredCompanion, suffix: string | null) {
  const { cues } = toTranscript(companion)
  if (cues.length === 0) throw new Refused({ code: 'no_such_transcript' })
  const chosen = chooseForm(call, suffix)
  const { type, write } = forms[chosen] ?? { type: 'text/vtt', write: toVtt }
  const isPublic = record.state === live && (call.method === 'GET' || call.method === 'HEAD')
  const headers = toHeaders(
    call.route.headers,
    chosen === 'json' ? type : `${type}; charset=utf-8`,
    isPublic ? 'revalidate' : 'private',
  )
  headers.set('ETag', toCompanionETag(companion).replace('.json', `.${chosen}`))
  headers.set('Content-Language', toTranscriptLanguage(readName(call).name))
  return { status: 200, headers, ...toUtf8Body(write(cues)) }
}

/** `PUT /api/v2/video/<id>/transcripts/<language>` replaces it with a file. */
export async function putTranscript(call: HttpCall<'id' | 'language'>, deps: RecordDeps): Promise<TextAnswer> {
  const { name, suffix } = readName(call)
  chooseForm(call, suffix)
  await checkRecord(deps, Number(call.params.id), requireAuthor(call).role)
  const type = requireBodyType(call.head, transcriptTypes)
  const bytes = await readBody(call, maxFileBytes)
  const said = readOrigin(call)
  return changeCompanion(
    call,
    deps,
    name,
    (): JsonValue => {
      const read = readFile(type, bytes)
      if (!read.ok) throw new Refused({ code: 'bad_fields', errors: new Map([['transcript', read.problems]]) })
      return { origin: read.origin, ...said, cues: read.cues }
    },
    (_, record, companion) => toAnswer(call, record, companion, suffix),
  )
}

/** `origin=` and `tool=`, where they are given. */
function readOrigin(call: Call): { readonly origin?: Origin; readonly tool?: string } {
  const [given, tool] = [call.query().get('origin') || null, call.query().get('tool') || null]
  const origin = origins.find((each) => each === given)
  const errors = new Map<string, readonly string[]>()
  if (given !== null && origin === undefined) errors.set('origin', [`origin must be one of ${origins.join(', ')}.`])
  const badTool = tool === null ? null : findBadTool(tool)
  if (badTool !== null) errors.set('tool', [`tool: ${badTool}`])
  if (errors.size > 0) throw new Refused(toParameterProblem(errors))
  return { ...(origin === undefined ? {} : { origin }), ...(tool === null ? {} : { tool }) }
}

/** `DELETE /api/v2/video/<id>/transcripts/<language>`; the history keeps it, and can restore it. */
export async function deleteTranscript(call: HttpCall<'id' | 'language'>, deps: RecordDeps): Promise<TextAnswer> {
  const { name } = readName(call)
  const id = Number(call.params.id)
  await checkRecord(deps, id, requireAuthor(call).role)
  if (toTranscript(await deps.store.readCompanion(id, name)).cues.length === 0)
    throw new Refused({ code: 'no_such_transcript' })
  const empty: Transcript = { origin: 'human', cues: [] }
  return changeCompanion(
    call,
    deps,
    name,
    () => empty,
    () => ({
      status: 204,
      headers: toHeaders(call.route.headers, null, 'private'),
      pieces: [],
    }),
  )
}
