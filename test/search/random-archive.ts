import type { Command } from '../../src/record/command.ts'
import type { Changes } from '../../src/record/record.ts'
import type { Random } from './random.ts'

/** Words with many near neighbours, other forms, compounds and signs, in many scripts. */
export const vocabulary = [
  ...['python', 'pythons', 'pythonic', 'pyhton', 'test', 'tests', 'tested', 'testing', 'tester', 'testbed', 'text'],
  ...['async', 'asyncio', 'synchronous', 'asynchronous', 'thread', 'threads', 'threading', 'threaded', 'tread', 'the'],
  ...['data', 'date', 'database', 'databases', 'data base', 'base', 'basic', 'full-text', 'fulltext', 'full text'],
  ...['C', 'C++', 'C#', 'C++17', 'F#', '.NET', 'ASP.NET', 'node.js', 'nodejs', 'Node', 'js', '3.12', '3.1', '12', '3'],
  ...["don't", 'dont', "O'Reilly", 'oreilly', 'e-mail', 'email', 'mail', 'state-of-the-art', 'art', 'a', 'I', 'x'],
  ...['Datenbank', 'Datenbanksysteme', 'Datenbanken', 'Softwareentwicklung', 'Software-Entwicklung', 'Entwicklung'],
  ...['Müller', 'Mueller', 'Muller', 'Straße', 'Strasse', 'café', 'cafe', 'Łódź', 'Lodz', 'smørrebrød', 'İstanbul'],
  ...["l'apprentissage", 'apprentissage', 'Käse', 'Kaese', 'ışık', 'isik', 'naïve', 'Ångström', 'Ærø', 'co\u00adop'],
  ...['тестирование', 'тестирования', 'тест', 'база', 'базы', 'данных', 'данные', 'ёлка', 'елка', 'программа'],
  ...['λόγος', 'λόγου', 'λόγοι', 'δεδομένα', 'δεδομένων', 'βάση', 'كتاب', 'الكتاب', 'كتب', 'البيانات', 'بيانات'],
  ...['תכנות', 'התכנות', 'נתונים', 'データベース', 'データ', 'データベース入門', '入門', '機械学習', '学習', 'ﾃﾞｰﾀ'],
  ...['数据库', '数据', '机器学习', '学习', '数', '데이터', '데이터를', '데이터베이스', '한국어', '한국', '프로그래밍'],
  ...['การเขียนโปรแกรม', 'โปรแกรม', 'ภาษา', 'हिन्दी', 'हिंदी', 'पाइथन', 'डेटाबेस', 'Nguyễn', 'nguyen', 'dữ liệu', 'dự'],
  ...['Python入門', 'v1.2.3', 'IPv6', '½', 'x²', '💡', 'AND', 'NOT', 'title:x', 'ſtrange', 'ﬁne', '\u{20000}\u{20001}'],
] as const

/** Each only in drafts, in records that are withdrawn, or in records that are erased. */
export const hidden = { draft: 'zanzibarium', withdrawn: 'quixotica', erased: 'mandragoran' } as const

export const names = [
  'Ada Müller',
  'Ada Mueller',
  'Guido Tester',
  'Ana Nguyễn',
  '山田太郎',
  'Иван Тестов',
  "Pat O'Reilly",
  'Bo Li',
]
export const categories = [
  'PyCon 2023',
  'PyCon 2024',
  'EuroPython',
  'Datenbanktage',
  '東京データ勉強会',
  'Тестирование 2022',
]
const languages = ['English', 'German', 'Russian', 'Japanese', '']
const days = ['2019-05-01', '2021-02-28', '2023-10-10', '2023-10-11', '1969-12-31', null] as const

const author = { name: 'test', role: 'admin' } as const

function toText(random: Random, least: number, most: number): string {
  const words = Array.from({ length: random.between(least, most) }, () => random.pick(vocabulary))
  return words.join(random.pick([' ', ' ', ' ', ', ', '-', '. ']))
}

/** All searched and filtered fields. Few days and titles, so that many records are equally good. */
export function toTalk(random: Random): Changes & { readonly category: string; readonly title: string } {
  const some = <T>(values: readonly T[], most: number) => [
    ...new Set(Array.from({ length: random.between(0, most) }, () => random.pick(values))),
  ]
  return {
    title: toText(random, 1, random.pick([2, 4, 8])) || 'x',
    category: random.pick(categories),
    speakers: some(names, 3),
    tags: some(vocabulary, 4).map((word) => word.slice(0, 100)),
    summary: random.pick(['', toText(random, 1, 6)]),
    description: random.pick(['', '', toText(random, 3, 20), toText(random, 20, 80)]),
    language: random.pick(languages),
    recorded: random.pick(days),
    duration: random.pick([null, 60, 600, 601, 3600]),
    state: random.pick([1, 1, 1, 2]),
    video_mp4_url: random.pick([null, 'https://media.example.org/talk.mp4']),
    thumbnail_url: random.pick(['', 'https://media.example.org/talk.png']),
  }
}

export const toCreate = (changes: Changes): Command => ({ kind: 'create', author, changes })
export const toMerge = (id: number, changes: Changes): Command => ({
  kind: 'merge',
  id,
  author,
  precondition: {},
  changes,
})
export const toRename = (slug: string, title: string): Command => ({
  kind: 'category',
  author,
  slug,
  changes: { title },
})
