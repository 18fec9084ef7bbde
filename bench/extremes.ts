import { openForReading } from '../src/store/sqlite/connection.ts'
import { toGeneratedStore } from './generate.ts'
import { toHan, toWord } from './generated/words.ts'
import { createColdList, time, toQuery } from './hand/compare.ts'
import type { Question, Row } from './harness/question.ts'

const records = 100_000
const letters = [...'bcdfghjklmnprstv']
const six = 'title,-recorded,duration,-added,updated,-id'

const asked: readonly { readonly name: string; readonly parameters: { readonly [name: string]: string } }[] = [
  { name: '16 beginnings of one letter', parameters: { q: letters.join(' ') } },
  { name: '16 beginnings of one letter, by title', parameters: { q: letters.join(' '), ordering: 'title' } },
  { name: '200 characters of Han', parameters: { q: Array.from({ length: 200 }, (_, i) => toHan(i % 20)).join('') } },
  { name: '100 ids', parameters: { id: Array.from({ length: 100 }, (_, i) => i * 900 + 1).join(',') } },
  { name: 'ordering by all six', parameters: { ordering: six } },
  { name: 'ordering by all six, page 4000', parameters: { ordering: six, page: '4000' } },
  { name: 'page 4900', parameters: { page: '4900' } },
  { name: 'page 5000, which is not there', parameters: { page: '5000' } },
  { name: 'ordering=duration,title, page 4900', parameters: { ordering: 'duration,title', page: '4900' } },
  { name: 'page 4500 of a word in nearly all', parameters: { q: toWord(0), page: '4500' } },
  {
    name: 'page 4500 of a word in nearly all, by title',
    parameters: { q: toWord(0), page: '4500', ordering: 'title' },
  },
  { name: 'exclusion alone', parameters: { q: `-${toWord(0)}` } },
  { name: 'piece of half of the tags', parameters: { tag: 'b', ordering: 'title' } },
  { name: 'common word, piece of half of the tags', parameters: { q: toWord(0), tag: 'b' } },
]

export const extremesQuestion: Question = {
  name: 'extremes',
  asks: `Does any list take too long? ${records.toLocaleString('en-US')} records, no counts cached.`,
  isPinned: false,
  generator: 'none',
  async run({ rounds, say }) {
    const db = openForReading(await toGeneratedStore(records, say))
    const list = createColdList(db)
    const rows: Row[] = []
    for (const { name, parameters } of asked) {
      const query = toQuery(parameters)
      const values: number[] = []
      for (let round = 0; round < rounds; round++) values.push(await time(() => list(query)))
      say(`${name}: ${Math.max(...values).toFixed(1)} ms at most`)
      rows.push({ label: name, unit: 'ms', values })
    }
    return rows
  },
}
