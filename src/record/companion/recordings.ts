import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../json.ts'
import { language as languageKind, parseLanguageName } from '../text/language.ts'
import {
  accept,
  BadEntry,
  type CompanionKind,
  type CompanionRecord,
  type CompanionSource,
  findAddress,
  listOwn,
  parseEntries,
  parseLinesOf,
  refuseOthers,
  requireAddress,
  requireLine,
  requireOneOf,
  splitLine,
  withSign,
} from './companion.ts'

export const recordingKinds = ['page', 'file'] as const

/** Another place where the same talk can be watched. */
export type Recording = {
  readonly url: string
  readonly kind: (typeof recordingKinds)[number]
  readonly language?: string
  readonly note?: string
}
export type Recordings = { readonly recordings: readonly Recording[] }

export const maxRecordings = 20
const maxNote = 255
/** The key under which sources have all recordings of a talk, those of the record's own fields too. */
const sourceKey = 'videos'
/** What answers add to entries. */
const added = ['own', 'state']

const language = languageKind()
const fileName = /\.(?:mp4|m4v|webm|ogv|ogg|flv|mov|mkv|avi|mp3)$/i

const guessKind = (url: string): Recording['kind'] => (fileName.test(new URL(url).pathname) ? 'file' : 'page')

const toRecording = (url: string, kind: Recording['kind'] | null, spoken = '', note = ''): Recording => ({
  url,
  kind: kind ?? guessKind(url),
  ...(spoken === '' ? {} : { language: spoken }),
  ...(note === '' ? {} : { note }),
})

/** Null for what is the record's own. */
function parseRecording(entry: JsonObject, own: readonly string[]): Recording | null {
  const { url, kind, language: spoken, note, ...others } = entry
  if (entry.own === true) return null
  refuseOthers(others, added)
  const address = requireAddress(url)
  return own.includes(address)
    ? null
    : toRecording(
        address,
        requireOneOf('kind', kind, recordingKinds),
        requireLanguage(spoken),
        requireLine('note', note, maxNote),
      )
}

function requireLanguage(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  const parsed = language.parse(value)
  if (!parsed.ok) throw new BadEntry(`"language": ${parsed.problems.join(' ')}`)
  return parsed.value
}

const fileTypes = ['mp4', 'webm', 'ogv', 'flv']

function findSourceRecording(entry: JsonValue): Recording | null {
  if (!isJsonObject(entry)) return null
  const url = findAddress(entry.url)
  if (url === null) return null
  const { type, language: spoken, note } = entry
  const kind = typeof type === 'string' && fileTypes.includes(type) ? 'file' : null
  const parsed = typeof spoken === 'string' ? language.parse(spoken) : null
  return toRecording(url, kind, parsed?.ok === true ? parsed.value : '', toNote(note))
}

function toNote(note: JsonValue | undefined): string {
  const text = typeof note === 'string' && note.isWellFormed() ? note.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  return [...text].slice(0, maxNote).join('')
}

/** Each address once. */
const toFirst = (all: readonly Recording[]) =>
  all.filter(({ url }, i) => all.findIndex((each) => each.url === url) === i)

const toList = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** The source's entries that its record could not express: `said` has those that it could. */
function listOthers({ values, basis }: CompanionSource): readonly JsonValue[] {
  const said = isJsonObject(basis.said) ? toList(basis.said[sourceKey]) : []
  const own = said.flatMap((entry) => (isJsonObject(entry) ? [entry.url] : []))
  return toList(values[sourceKey]).filter((entry) => !(isJsonObject(entry) && own.includes(entry.url ?? null)))
}

function toEntry({ url, kind, ...more }: Recording): JsonObject {
  return { type: kind === 'file' ? (findExtension(url) ?? 'file') : new URL(url).hostname, url, ...more }
}

/** `https://example.org/a.MP4?x` -> `mp4` */
export const findExtension = (url: string) => /\.(\w{1,8})$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? null

export const recordings: CompanionKind<Recordings> = {
  label: 'Other recordings',
  empty: { recordings: [] },
  parse(body, record) {
    const own = listOwn(record).map(({ url }) => url)
    const parsed = parseEntries(body, { name: 'recordings', max: maxRecordings }, (entry) => parseRecording(entry, own))
    return parsed.ok ? accept({ recordings: toFirst(parsed.content) }) : parsed
  },
  fromSource(source) {
    const all = listOthers(source).flatMap((entry) => findSourceRecording(entry) ?? [])
    return { recordings: toFirst(all).slice(0, maxRecordings) }
  },
  /** Only the entries beside the record's own change; `file` has those already. */
  toSource({ recordings: all }, source, file) {
    const others = source === null ? [] : listOthers(source)
    const known = others.flatMap((entry) => findSourceRecording(entry)?.url ?? [])
    const own = toList(file[sourceKey]).filter((entry) => !(isJsonObject(entry) && known.includes(String(entry.url))))
    const entries = all.map(
      (each) => others.find((entry) => isSameJson(findSourceRecording(entry), each)) ?? toEntry(each),
    )
    return { [sourceKey]: [...own, ...entries] }
  },
  listTraits: ({ recordings: all }) => (all.length > 0 ? ['recordings'] : []),
  listRecords: () => [],
  toLines: ({ recordings: all }) => all.map(toLine).join('\n'),
  parseLines: (text) => parseLinesOf('recordings', text, parseLine),
  entries: { list: 'recordings', key: 'url', isSorted: false },
  edit: null,
}

/** A recording as one line of text: the address, a note, the language in brackets, a kind that nobody would guess. */
function toLine({ url, kind, language: spoken, note = '' }: Recording): string {
  // A note may end like a language, or like a kind.
  const said = spoken ?? (findLanguage(note) === null ? null : '')
  const isGuessed = kind === guessKind(url) && findKind(note) === null
  return [url, withSign(note), said === null ? '' : `(${said})`, isGuessed ? '' : `[${kind}]`].filter(Boolean).join(' ')
}

/** The kind in brackets at the end of a line. */
function findKind(line: string): Recording['kind'] | null {
  const [, word] = /(?:^|\s)\[(\w{1,12})\]$/.exec(line) ?? []
  return recordingKinds.find((each) => each === word) ?? null
}

/** The language in brackets at the end of a line, `""` for empty ones. */
function findLanguage(line: string): string | null {
  const [, word] = /(?:^|\s)\(([^()]{0,60})\)$/.exec(line) ?? []
  return word === undefined || word === '' ? (word ?? null) : parseLanguageName(word)
}

function parseLine(line: string): JsonObject {
  const kind = findKind(line)
  const rest = kind === null ? line : line.slice(0, line.lastIndexOf('[')).trim()
  const spoken = findLanguage(rest)
  const { url, words } = splitLine(spoken === null ? rest : rest.slice(0, rest.lastIndexOf('(')))
  return toRecording(requireAddress(url), kind, spoken ?? '', requireLine('note', words, maxNote))
}

/** As an answer has them: the record's own first, each with its state. */
export function toAllRecordings(
  { recordings: all }: Recordings,
  record: CompanionRecord,
  findState: (url: string) => string,
): JsonObject {
  const own = listOwn(record)
  const others = all.filter(({ url }) => !own.some((each) => each.url === url))
  const shown = [...own.map((each) => ({ ...each, own: true })), ...others]
  return { recordings: shown.map((each) => ({ ...each, state: findState(each.url) })) }
}
