import { toBareKey } from '../variants/spelling-keys.ts'
import { guessSeries } from './series.ts'

/** `Various speakers` stands for people whose names nobody has entered. */
const notOnePerson =
  /^(?:various|multiple|several|many|unknown|assorted|different)\b|^(?:speakers?|authors?|panel|lightning talks?|n\/?a)$/i

/** Whether the name of a speaker is that of somebody. */
export const isPerson = (speaker: string) => !notOnePerson.test(speaker)

/** What every record of an archive is, or may be. */
const everything = new Set(
  ['video', 'videos', 'youtube', 'recording', 'recordings', 'talk', 'talks', 'presentation', 'session', 'conference']
    .concat(['conferences', 'event', 'events', 'meetup', 'misc', 'other', 'untagged', 'none', 'unknown'])
    .map(toBareKey),
)
const year = /(?:19|20)\d\d/

/** Whether a tag may be a topic: tags with a year name an event, and some say what every record is. */
export const isTopic = (tag: string) => !year.test(tag) && !everything.has(toBareKey(tag))

/** `Tests` and `test`; not `pandas`, `analysis` and `class`, whose singular would be another word. */
const plural = /(?<=\p{L}{3}[^\P{L}aisu])s$/u

/** The first of the rows whose names differ in case, accents, punctuation and plural only. */
export function toOneSpelling<Row>(rows: readonly Row[], toName: (row: Row) => string): Row[] {
  const known = new Set<string>()
  return rows.filter((row) => {
    const key = toBareKey(toName(row)).replace(plural, '')
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

/** `PyCon` of `PyCon US 2019`. */
const conferenceWord = /^\p{L}{1,30}con(?:f|ference)?(?!\p{L})/iu

/** What an event and its series are called, without case and punctuation: a tag of such a name labels the event. */
export function toEventKeys({ title, series }: { readonly title: string; readonly series: string }): readonly string[] {
  const names = [title, series.trim(), guessSeries(title) ?? '', conferenceWord.exec(title)?.[0] ?? '']
  return names.filter((name) => name !== '').map(toBareKey)
}

interface Named {
  readonly value: string
}

/** One spelling of each topic among tags, without labels of these events and of everything. */
export function toTopics<Tag extends Named>(tags: readonly Tag[], events: readonly Named[]): Tag[] {
  const labels = new Set(events.flatMap(({ value }) => toEventKeys({ title: value, series: '' })))
  const isLabel = ({ value }: Tag) => !isTopic(value) || labels.has(toBareKey(value))
  return toOneSpelling(tags, ({ value }) => value).filter((tag) => !isLabel(tag))
}
