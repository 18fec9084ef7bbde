import { type Problem, Refused, requireRead } from '../../http/problem.ts'
import { type Chapter, listEnds } from '../../record/companion/chapters.ts'
import type { CompanionName, ContentOf } from '../../record/companion/kinds.ts'
import type { Recording } from '../../record/companion/recordings.ts'
import type { RelatedLink } from '../../record/companion/related.ts'
import { isTroubled } from '../../record/link/link.ts'
import { type DeadLinks, toLinkStates } from '../../record/link/uses.ts'
import { toUncheckedWatch, toWatch, type Watch } from '../../record/link/watch.ts'
import { type PlayerSource, toPlayerSource } from '../../record/player/player-source.ts'
import { toPlausibleDuration } from '../../record/quality/finding-codes.ts'
import { fromBody, fromBodyText, type VideoRecord } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { TranscriptName } from '../../record/transcript/transcript-kind.ts'
import type { PageRef } from '../../store/site-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import type { Site } from '../site.ts'
import type { RenderMarkdown } from '../text/markdown.ts'

/** A name with the page it links to; null if there is none. */
export interface NamedLink {
  readonly name: string
  readonly page: PageRef | null
}

/** A record with the data of its links. */
export interface Talk {
  readonly record: VideoRecord
  /** For `lang`; undefined if the language is unknown. */
  readonly languageCode: string | undefined
  readonly categorySlug: string | null
  readonly speakers: readonly NamedLink[]
  /** Null if none of its addresses is known to be dead. */
  readonly dead: DeadLinks | null
}

/** Looks up the links of records that were read as texts. */
export async function findTalks(store: ReadStore, texts: readonly string[]): Promise<Talk[]> {
  return linkTalks(store, texts.map(fromBodyText))
}

/** Looks up the links of records. */
export async function linkTalks(store: ReadStore, records: readonly VideoRecord[]): Promise<Talk[]> {
  const links = await findLinks(store, records)
  return records.map((record) => toTalk(record, links))
}

/** Looks up the links of one record. */
export async function findTalk(store: ReadStore, record: VideoRecord): Promise<Talk> {
  return toTalk(record, await findLinks(store, [record]))
}

/** Null if there is none, or if it is a draft. */
export async function findLiveRecord(store: ReadStore, id: number): Promise<VideoRecord | null> {
  const record = await findRecord(store, id)
  return record?.state === live ? record : null
}

/** Live or draft. */
export async function findRecord(store: ReadStore, id: number): Promise<VideoRecord | null> {
  const stored = await store.read(id)
  return stored && fromBody(stored.body)
}

/** 410 if the record was public once, or was erased; otherwise 404, so that a draft looks like an unused id. */
export async function findTalkProblem(store: ReadStore, id: number): Promise<Problem> {
  const isGone = (await wasWithdrawn(store, id)) || (await store.isErased(id))
  return isGone ? { code: 'gone', detail: 'This talk was withdrawn.' } : { code: 'not_found' }
}

export async function refuseTalk(store: ReadStore, id: number): Promise<never> {
  throw new Refused(await findTalkProblem(store, id))
}

export type LabelledLink = RelatedLink & { readonly label: string }

/** Details that only the page of a talk shows. */
export interface TalkDetails {
  readonly tags: readonly NamedLink[]
  /** Slides first. */
  readonly links: readonly LabelledLink[]
  /** Other places where it can be watched. */
  readonly recordings: readonly Recording[]
  readonly chapters: readonly LinkedChapter[]
  /** Texts as HTML; `""` for none. */
  readonly summary: string
  readonly description: string
  readonly qualityNotes: string
}

/** A chapter with the page of the talk that it is; null if it is none, or one that is not public. */
export type LinkedChapter = Omit<Chapter, 'video'> & { readonly page: PageRef | null }

/** The chapters of a live talk, for viewers. */
export async function findChapters(store: ReadStore, id: number): Promise<readonly LinkedChapter[]> {
  const { chapters } = await readContent(store, id, 'chapters')
  const ids = chapters.flatMap(({ video }) => video ?? [])
  const pages = ids.length === 0 ? new Map<number, PageRef>() : requireRead(await store.findLivePages(ids))
  return chapters.map(({ video, ...chapter }) => ({ ...chapter, page: pages.get(video ?? 0) ?? null }))
}

export async function findTalkDetails(
  store: ReadStore,
  { record }: Talk,
  render: RenderMarkdown,
  /** Whether times in texts become links, which lead to the same page at that time. */
  hasTimes = false,
): Promise<TalkDetails> {
  const { id, tags: names, summary, description, quality_notes: notes } = record
  const length = toPlausibleDuration(record.duration)
  const options = { level: 2, ...(length === null || !hasTimes ? {} : { length }) }
  const toHtml = (text: string) => (text.trim() === '' ? '' : render(text, options))
  const tags = requireRead(await store.findNameIds({ kind: 'tag', names }))
  const { links } = await readContent(store, id, 'related')
  const { recordings } = await readContent(store, id, 'recordings')
  return {
    tags: names.map((name) => ({ name, page: tags.get(name) ?? null })),
    links: toLabelled(links),
    recordings,
    chapters: await findChapters(store, id),
    summary: isPart(summary, description) ? '' : toHtml(summary),
    description: toHtml(description),
    qualityNotes: toHtml(notes),
  }
}

/** Which recordings of a talk can be watched. */
export async function findWatch(store: ReadStore, record: VideoRecord): Promise<Watch> {
  const links = requireRead(await store.findRecordLinks({ id: record.id }))
  if (!links.some(({ state }) => isTroubled(state))) return toUncheckedWatch(record)
  const { recordings } = await readContent(store, record.id, 'recordings')
  return toWatch(record, recordings, toLinkStates(links))
}

/** Talks that a viewer of a talk may like. */
export interface RelatedTalks {
  /** The next talk of the event; null after the last. */
  readonly next: Talk | null
  readonly event: readonly Talk[]
  readonly speakers: readonly Talk[]
  readonly similar: readonly Talk[]
  /** Whether they may change without a write, because some words are not loaded yet. */
  readonly isProvisional: boolean
}

/** Talks per list. */
const maxRelated = 8

export async function findRelatedTalks(store: ReadStore, id: number): Promise<RelatedTalks> {
  const {
    next,
    event,
    speakers,
    similar,
    isProvisional = false,
  } = requireRead(await store.findRelated({ id, limit: maxRelated }))
  const lists = [next === null ? [] : [next], event, speakers, similar]
  const talks = await findTalks(store, lists.flat())
  const [first = [], ...others] = lists.map((list) => talks.splice(0, list.length))
  const [ofEvent = [], bySpeakers = [], alike = []] = others
  return { next: first[0] ?? null, event: ofEvent, speakers: bySpeakers, similar: alike, isProvisional }
}

interface Links {
  readonly slugs: ReadonlyMap<string, string>
  readonly speakers: ReadonlyMap<string, PageRef>
  readonly dead: ReadonlyMap<number, DeadLinks>
}

async function findLinks(store: ReadStore, records: readonly VideoRecord[]): Promise<Links> {
  const titles = [...new Set(records.map(({ category }) => category))]
  const names = [...new Set(records.flatMap(({ speakers }) => speakers))]
  const slugs = requireRead(await store.findCategorySlugs(titles))
  const speakers = requireRead(await store.findNameIds({ kind: 'speaker', names }))
  const dead = requireRead(await store.findDeadLinks(records.map(({ id }) => id)))
  return { slugs, speakers, dead }
}

function toTalk(record: VideoRecord, { slugs, speakers, dead: all }: Links): Talk {
  const dead = all.get(record.id) ?? null
  return {
    // Leaves out a thumbnail that is gone.
    record: dead?.urls.includes(record.thumbnail_url) ? { ...record, thumbnail_url: '' } : record,
    dead,
    languageCode: toLanguageCode(record.language) ?? undefined,
    categorySlug: slugs.get(record.category) ?? null,
    speakers: record.speakers.map((name) => ({ name, page: speakers.get(name) ?? null })),
  }
}

const versionsPerRead = 100

/** Whether a draft was live before: then one of its versions is a withdrawal. */
async function wasWithdrawn(store: ReadStore, id: number): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { lines, count } = requireRead(await store.listHistory({ id, page, pageSize: versionsPerRead }))
    if (lines.some(({ kind }) => kind === 'withdrawn')) return true
    if (page * versionsPerRead >= count) return false
  }
}

/** Many archives repeat the summary at the beginning of the description. */
function isPart(summary: string, description: string): boolean {
  return description.trimStart().startsWith(summary.trim())
}

const toLabelled = (links: readonly RelatedLink[]): LabelledLink[] => {
  const slides = links.filter(({ kind }) => kind === 'slides')
  const sorted = [...slides, ...links.filter(({ kind }) => kind !== 'slides')]
  return sorted.map((link) => ({ ...link, label: link.label ?? toShortUrl(link.url) }))
}

/** The names of the transcripts of a talk. */
export async function listSpoken(store: ReadStore, id: number): Promise<readonly TranscriptName[]> {
  const lines = requireRead(await store.listTranscripts({ id }))
  return lines.flatMap(({ name, origin }) => (origin === null ? [] : [name]))
}

export async function readContent<Name extends CompanionName>(store: ReadStore, id: number, name: Name) {
  // The store gives back what the kind of this name has parsed.
  return (await store.readCompanion(id, name)).content as ContentOf<Name>
}

/** `https://www.example.org/talks/` -> `example.org/talks` */
function toShortUrl(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
}

/** Where a talk is within a longer recording that has it as a chapter. */
export interface Part {
  readonly whole: VideoRecord
  readonly watch: Watch
  readonly start: number
  /** Null: the end of the recording. */
  readonly end: number | null
  /** The nearest parts that have a page of their own. */
  readonly previous: LinkedChapter | null
  readonly next: LinkedChapter | null
}

/** Null if the talk is not a part of another live one. */
export async function findPart(store: ReadStore, id: number): Promise<Part | null> {
  const page = requireRead(await store.findWhole(id))
  const whole = page && (await findLiveRecord(store, page.id))
  if (whole === null) return null
  const chapters = await findChapters(store, whole.id)
  const index = chapters.findIndex((each) => each.page?.id === id)
  const own = chapters[index]
  if (own === undefined) return null
  const hasPage = (each: LinkedChapter) => each.page !== null && each.page.id !== id
  return {
    ...{ whole, watch: await findWatch(store, whole), start: own.start },
    end: listEnds(chapters, whole.duration)[index] ?? null,
    previous: chapters.slice(0, index).findLast(hasPage) ?? null,
    next: chapters.slice(index + 1).find(hasPage) ?? null,
  }
}

/** What the page of a talk plays. */
export interface Played {
  readonly source: PlayerSource
  /** In seconds. */
  readonly start: number
  readonly end: number | null
  /** The record whose recording it is: that of the talk, or the longer one. */
  readonly owner: VideoRecord
}

/** Whether the page plays it. */
export const hasPlayer = ({ files, hosted }: PlayerSource) => files.length > 0 || hosted !== null

/**
 * A part without a player of its own, or with the same recording, plays its piece of the whole. Times in its address are
 * those of the recording then. `asked`: the time in the address.
 */
export function toPlayed(
  site: Site,
  record: VideoRecord,
  watch: Watch,
  part: Part | null,
  asked: number | null,
): Played {
  const toSource = ({ record: from, isFramable }: Watch, start: number) =>
    toPlayerSource(from, { ...site.settings, isSecure: site.base.startsWith('https:'), start, isFramable })
  const start = asked ?? 0
  const own = { source: toSource(watch, start), start, end: null, owner: record }
  if (part === null) return own
  const from = asked ?? Math.floor(part.start)
  const whole = toSource(part.watch, from)
  if (!hasPlayer(whole) || (hasPlayer(own.source) && !isSameRecording(own.source, whole))) return own
  const { files, hosted, watchable } = whole
  const original = own.source.original === null ? whole.original : toSource(watch, from).original
  const end = part.end !== null && part.end > from ? part.end : null
  return { source: { ...own.source, files, hosted, watchable, original }, start: from, end, owner: part.whole }
}

function isSameRecording(one: PlayerSource, other: PlayerSource): boolean {
  if (one.files.length > 0) return one.files.some(({ url }) => other.files.some((each) => each.url === url))
  return one.hosted?.frame === other.hosted?.frame
}
