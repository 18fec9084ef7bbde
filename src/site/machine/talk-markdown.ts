import type { Call, TextAnswer } from '../../http/route.ts'
import type { Recording } from '../../record/companion/recordings.ts'
import type { DeadRecording, Watch } from '../../record/link/watch.ts'
import { toHostLabel, toPlayerSource } from '../../record/player/player-source.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import type { VideoRecord } from '../../record/record.ts'
import { isHttpUrl } from '../../record/text/address.ts'
import { toClock } from '../../record/text/clock.ts'
import { toLine } from '../../record/transcript/captions.ts'
import { joinLines, listParagraphs } from '../../record/transcript/write-transcript.ts'
import { openSite, respondText, type Site, type SiteDeps, toAbsolute } from '../site.ts'
import { findLicence } from '../talk/licence.ts'
import {
  findLiveRecord,
  findTalk,
  findTalkDetails,
  findWatch,
  type LabelledLink,
  type LinkedChapter,
  type NamedLink,
  refuseTalk,
  type Talk,
  type TalkDetails,
} from '../talk/talk.ts'
import { findTranscript, machineNote, type ShownTranscript } from '../talk/talk-transcript.tsx'
import { toSize } from '../text/format.ts'
import { withParameters } from '../urls.ts'

interface WrittenTalk {
  readonly site: Site
  readonly talk: Talk
  readonly details: TalkDetails
  readonly watch: Watch
  readonly transcript: ShownTranscript | null
}

/** `/video/<id>.md`: the record as Markdown, for people and programs that read texts. */
export const showTalkMarkdown = (call: Call<'id'>, deps: SiteDeps) => show(call, deps, 'text/markdown', toTalkMarkdown)

/** `/video/<id>.txt`: a shorter version in plain text. */
export const showTalkText = (call: Call<'id'>, deps: SiteDeps) => show(call, deps, 'text/plain', toTalkText)

async function show(
  call: Call<'id'>,
  deps: SiteDeps,
  type: string,
  write: (written: WrittenTalk) => string,
): Promise<TextAnswer> {
  const { store } = deps
  const id = Number(call.params.id)
  const record = (await findLiveRecord(store, id)) ?? (await refuseTalk(store, id))
  const site = await openSite(call, deps)
  const talk = await findTalk(store, record)
  const details = await findTalkDetails(store, talk, (text) => text)
  const watch = await findWatch(store, record)
  const transcript = await findTranscript(store, record, talk.languageCode, call.query())
  const page = toAbsolute(site, site.urls.video(record))
  return respondText(call, {
    text: write({ site, talk, details, watch, transcript }),
    type: `${type}; charset=utf-8`,
    headers: { Link: `<${page}>; rel="canonical"; type="text/html"` },
  })
}

/** Facts, unformatted texts, and the transcript. */
function toTalkText({ site, talk: { record }, details, transcript }: WrittenTalk): string {
  const length = toPlausibleDuration(record.duration)
  const facts = [
    ['Speakers', record.speakers.map(toLine).join(', ')],
    ['Event', toLine(record.category)],
    ['Day', record.recorded ?? ''],
    ['Length', length === null ? '' : toClock(length)],
    ['Language', toLine(record.language)],
    ['Licence', toLine(record.copyright_text)],
    ['Page', toAbsolute(site, site.urls.video(record))],
  ].filter(([, value]) => value !== '')
  const said = listSaid(transcript).map(({ time, voice, text }) => `${time} ${voice === '' ? '' : `${voice}: `}${text}`)
  return [
    toLine(record.title),
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    details.summary.trim(),
    details.description.trim(),
    ...(transcript === null ? [] : ['Transcript', toNote(transcript), ...said]),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}

const toNote = ({ content: { origin } }: ShownTranscript) => (origin === 'machine' ? machineNote : '')

/** The paragraphs of a transcript. */
function listSaid(transcript: ShownTranscript | null) {
  return listParagraphs(transcript?.content.cues ?? []).map((cues) => {
    const seconds = Math.floor((cues[0]?.start ?? 0) / 1000)
    const text = joinLines(cues.flatMap((cue) => cue.text.split('\n')))
    return { seconds, time: toClock(seconds), voice: cues[0]?.voice ?? '', text }
  })
}

/**
 * Values are escaped, so that none becomes markup. Texts of a record are Markdown themselves; each is a quotation, out of
 * which no heading, list or code leads, and has no HTML.
 */
function toTalkMarkdown({ site, talk, details, watch, transcript }: WrittenTalk): string {
  const { links, recordings, chapters, summary, description, qualityNotes } = details
  const page = toAbsolute(site, site.urls.video(talk.record))
  const facts = listFacts(site, talk, details, watch).filter(([, value]) => value !== '')
  const sections = [
    [`# ${escapeLine(talk.record.title)}`, facts.map(([name, value]) => `- **${name}:** ${value}`).join('\n')],
    ['## Summary', toQuotation(summary)],
    ['## Description', toQuotation(description)],
    ['## Quality', toQuotation(qualityNotes)],
    ['## Chapters', chapters.map((chapter) => `- ${toChapter(site, page, chapter)}`).join('\n')],
    ['## Other recordings', recordings.map((each) => `- ${toRecording(each, watch)}`).join('\n')],
    ['## Links', links.map((link) => `- ${toRelated(link)}`).join('\n')],
    ['## Transcript', transcript === null ? '' : toMarkdownTranscript(page, transcript)],
  ] as const
  return sections
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `${heading}\n\n${text}\n`)
    .join('\n')
}

function toChapter(site: Site, page: string, { start, title, page: own }: LinkedChapter): string {
  const seconds = Math.floor(start)
  const time = toLink(toClock(seconds), withParameters(page, { t: seconds }))
  return `${time} ${toLink(title, own && toAbsolute(site, site.urls.video(own)))}`
}

function toRecording({ url, language = '', note = '' }: Recording, { dead }: Watch): string {
  const gone = dead.find((each) => each.url === url)
  return [toAutolink(url), ...[language, note, gone ? toGone(gone) : ''].filter(Boolean).map(escapeLine)].join(' · ')
}

const toGone = ({ since }: DeadRecording) =>
  since === null ? 'no longer available' : `no longer available since ${since.slice(0, 10)}`

/** The URL of its page; if that is dead, the recording that plays instead, or since when it is gone. */
function toVideo({ source_url: own }: VideoRecord, { record: { source_url: watched }, dead }: Watch): string {
  const gone = watched === '' ? dead.find(({ url }) => url === own) : undefined
  return gone === undefined ? toAutolink(watched) : escapeLine(`${toGone(gone)}, was at ${toHostLabel(own)}`)
}

function toMarkdownTranscript(page: string, transcript: ShownTranscript): string {
  const paragraphs = listSaid(transcript).map(({ seconds, time, voice, text }) => {
    const name = voice === '' ? '' : `**${escapeLine(voice)}:** `
    return `${toLink(time, withParameters(page, { t: seconds }))} ${name}${escapeLine(text)}`
  })
  return [toNote(transcript), ...paragraphs].filter((part) => part !== '').join('\n\n')
}

const toRelated = ({ url, label, kind }: LabelledLink) => `${toLink(label, url)}${kind === 'other' ? '' : ` (${kind})`}`

function listFacts(site: Site, talk: Talk, { tags }: TalkDetails, watch: Watch) {
  const { record, categorySlug, speakers } = talk
  const { urls } = site
  const length = toPlausibleDuration(record.duration)
  const toNames = (names: readonly NamedLink[], toHref: typeof urls.speaker) =>
    names.map(({ name, page }) => toLink(name, page && toAbsolute(site, toHref(page)))).join(', ')
  const { downloads } = toPlayerSource(watch.record, { ...site.settings, isSecure: false })
  const files = downloads.map(({ format, url, bytes }) => {
    return `${toLink(format.toUpperCase(), url)}${bytes === null || bytes === 0 ? '' : ` (${toSize(bytes)})`}`
  })
  return [
    ['Speakers', toNames(speakers, urls.speaker)],
    ['Event', toLink(record.category, categorySlug && toAbsolute(site, urls.category(categorySlug)))],
    ['Day', record.recorded ?? ''],
    ['Length', length === null ? '' : toClock(length)],
    ['Language', escapeLine(record.language)],
    ['Tags', toNames(tags, urls.tag)],
    ['Licence', toLicence(record.copyright_text)],
    ['Page', toAutolink(toAbsolute(site, urls.video(record)))],
    ['Video', toVideo(record, watch)],
    ['Files', files.join(', ')],
    ['JSON', toAutolink(toAbsolute(site, urls.api(`video/${record.id}`, { format: 'json' })))],
  ] as const
}

function toLicence(text: string): string {
  const licence = findLicence(text)
  return licence === null ? escapeLine(text) : toLink(licence.name, licence.url)
}

const toLink = (text: string, url: string | null) =>
  url === null || !isHttpUrl(url) ? escapeLine(text) : `[${escapeLine(text)}](<${toDestination(url)}>)`

const toAutolink = (url: string) => (isHttpUrl(url) ? `<${toDestination(url)}>` : '')

/** Between angle brackets. */
const toDestination = (url: string) => url.replace(/[<>\\\s]/g, encodeURIComponent)

/** Escapes one line of plain text for Markdown. */
const escapeLine = (text: string) => toLine(text).replace(/[\\`*_[\]<>|~#]|&(?=[#A-Za-z])/g, '\\$&')

/** Backslashes keep what would be HTML from being so; addresses between angle brackets stay. */
function toQuotation(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/)
  if (text.trim() === '') return ''
  return lines.map((line) => `> ${line.replace(/<(?!https?:)(?=[A-Za-z/!?])/g, '\\<')}`.trimEnd()).join('\n')
}
