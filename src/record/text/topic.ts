import { toBareKey } from '../variants/spelling-keys.ts'

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
