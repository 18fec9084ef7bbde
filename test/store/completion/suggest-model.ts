import { fromBody } from '../../../src/record/record.ts'
import type { Visibility } from '../../../src/record/state.ts'
import { toFolded } from '../../../src/record/text/fold.ts'
import { toJoinedWords, toQueryWords, toWords } from '../../../src/record/text/words.ts'
import { compareCodePoints } from '../../../src/store/columns/numbering.ts'
import type { Database } from '../../../src/store/database.ts'

interface Talk {
  readonly id: number
  readonly title: string
  readonly day: string
  readonly names: readonly string[]
}

export interface Expected {
  /** `kind text count` of all names that have the words as typed, in order. */
  readonly names: readonly string[]
  readonly titles: readonly string[]
}

/** What a caller sees, read from the records themselves. */
export async function readTalks(db: Database, visibility: Visibility): Promise<Talk[]> {
  const sql = `SELECT body FROM record JOIN listing ON listing.id = record.id WHERE listing.state <= ? ORDER BY record.id`
  const rows = await db.query<{ body: Uint8Array }, [number]>(sql).all(visibility === 'live' ? 1 : 2)
  return rows.map(({ body }) => {
    const { id, title, recorded, speakers, tags, category } = fromBody(body)
    const names = [...speakers.map((name) => `speaker ${name}`), ...tags.map((name) => `tag ${name}`)]
    return { id, title, day: recorded ?? '1970-01-01', names: [...names, `category ${category}`] }
  })
}

/** Names and titles that have all words as typed, found by looking at each of them. */
export function findPlainly(talks: readonly Talk[], typed: string): Expected {
  const all = toQueryWords(typed)
  const words = [
    ...new Map(all.map((word, i) => [word.words.join(' '), [...word.words, ...toJoinedWords(all, i)]])).values(),
  ]
  const isIn = (text: string) => (texts: readonly string[]) =>
    texts.some((each) => toWords(text).some((word) => word.startsWith(each)))
  const isFound = (text: string) => words.length > 0 && words.every(isIn(text))
  const counts = new Map<string, number>()
  for (const name of talks.flatMap(({ names }) => names)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const found = [...counts].map(([name, count]) => toName(name, count, toFolded(typed)))
  const titles = talks.map(({ id, day, title, names }) => {
    const ofSpeakers = names.flatMap((name) => (name.startsWith('speaker ') ? [name.slice('speaker '.length)] : []))
    const rest = words.filter((texts) => !isIn(title)(texts))
    const isTitle = rest.length < words.length && rest.every((texts) => ofSpeakers.some((name) => isIn(name)(texts)))
    return { id, day, isTitle, bySpeaker: rest.length > 0 ? 1 : 0 }
  })
  return {
    names: found
      .filter(({ text }) => isFound(text))
      .map((name, _, all) => ({ ...name, weight: toWeight(name, all) }))
      .sort((a, b) => a.tier - b.tier || b.weight - a.weight || a.place - b.place || compareNames(a, b))
      .map(({ kind, text, count }) => `${kind} ${text} ${count}`),
    titles: titles
      .filter(({ isTitle }) => isTitle && [...typed].length > 1)
      .sort((a, b) => a.bySpeaker - b.bySpeaker || compareCodePoints(b.day, a.day) || a.id - b.id)
      .map(({ id }) => `video ${id}`),
  }
}

function toName(name: string, count: number, key: string) {
  const at = name.indexOf(' ')
  const [kind, text] = [name.slice(0, at), name.slice(at + 1)]
  const folded = toFolded(text)
  const [, series = folded, year = ''] = (kind === 'category' && /^(.+) (20\d\d)$/.exec(folded)) || []
  const place = folded.startsWith(key) ? 0 : 1
  return { kind, text, folded, series, year, count, tier: folded === key ? 0 : 1, place }
}

/** The count of the largest edition of its series. */
const toWeight = ({ series, year, count }: FoundName, all: readonly FoundName[]) =>
  year === ''
    ? count
    : Math.max(...all.filter((each) => each.year !== '' && each.series === series).map((each) => each.count))

type FoundName = ReturnType<typeof toName>

const compareNames = (a: FoundName, b: FoundName) =>
  compareCodePoints(a.series, b.series) ||
  compareCodePoints(b.year, a.year) ||
  compareCodePoints(a.folded, b.folded) ||
  compareCodePoints(a.text, b.text) ||
  compareCodePoints(a.kind, b.kind)
