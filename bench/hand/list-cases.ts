import { toCategory, toTag } from '../generated/record.ts'
import { toPersonName } from '../generated/words.ts'
import { byDay, type Case, countLive, indexed, toCountSql, toHand, toIdsSql } from './case.ts'

const live = 'state = 1'
const byState = indexed('state')
const [largest, fourth] = [toCategory(0), toCategory(3)]
const [speaker, tag] = [toPersonName(0), toTag(1001)]

const inCategory = (title: string) => ({
  from: indexed('category'),
  where: `${live} AND category_id = (SELECT id FROM category WHERE title = ?)`,
  values: [title],
})
const inLanguage = (language: string) => ({
  from: indexed('language'),
  where: `${live} AND language = ?`,
  values: [language],
})
/** Finds names by trigrams, as the engine does. */
const named = (kind: 'speaker' | 'tag', piece: string) => {
  const trigrams = [...piece].slice(2).map((_, i) => `"${piece.slice(i, i + 3)}"`)
  const found = `SELECT rowid FROM ${kind}_piece WHERE ${kind}_piece MATCH ?`
  return {
    where: `${kind}_id IN (SELECT id FROM ${kind} WHERE id IN (${found}) AND instr(key, ?))`,
    values: [trigrams.join(' AND '), piece],
  }
}
const isNamed = (kind: 'speaker' | 'tag', piece: string) => {
  const { where, values } = named(kind, piece)
  return { where: `id IN (SELECT record_id FROM record_${kind} WHERE ${where})`, values }
}
const fold = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const ofSpeaker = isNamed('speaker', fold(speaker))
const ofTag = isNamed('tag', toTag(0))
const ofRareTag = isNamed('tag', tag)

export const filterCases: readonly Case[] = [
  { name: 'no filter', parameters: {}, count: countLive, ids: toIdsSql({ from: byState, where: live }) },
  { name: 'largest category', parameters: { category: largest }, ...toHand(inCategory(largest)) },
  { name: 'small category', parameters: { category: toCategory(500) }, ...toHand(inCategory(toCategory(500))) },
  {
    name: 'busiest speaker',
    parameters: { speaker },
    ...toHand({ from: 'listing NOT INDEXED', where: `${live} AND ${ofSpeaker.where}`, values: ofSpeaker.values }),
  },
  {
    name: 'most frequent tag',
    parameters: { tag: toTag(0) },
    count: toCountSql({ from: 'listing NOT INDEXED', where: `${live} AND ${ofTag.where}`, values: ofTag.values }),
    ids: toIdsSql({
      from: byState,
      where: `${live} AND EXISTS (SELECT 1 FROM record_tag WHERE record_id = listing.id AND +${named('tag', toTag(0)).where})`,
      values: ofTag.values,
    }),
  },
  {
    name: 'rare tag',
    parameters: { tag },
    ...toHand({ from: 'listing NOT INDEXED', where: `${live} AND ${ofRareTag.where}`, values: ofRareTag.values }),
  },
  { name: 'language of most', parameters: { language: 'English' }, ...toHand(inLanguage('English')) },
  { name: 'language of few', parameters: { language: 'Czech' }, ...toHand(inLanguage('Czech')) },
  ...[
    {
      name: 'recorded_after',
      parameters: { recorded_after: '2015-01-01' },
      where: `${live} AND recorded >= '2015-01-01'`,
    },
    {
      name: 'recorded_before',
      parameters: { recorded_before: '2010-01-01' },
      where: `${live} AND recorded <= '2010-01-01'`,
    },
    {
      name: 'a month of recording',
      parameters: { recorded_after: '2015-01-01', recorded_before: '2015-01-31' },
      where: `${live} AND recorded BETWEEN '2015-01-01' AND '2015-01-31'`,
    },
  ].map(({ where, ...rest }) => ({ ...rest, ...toHand({ from: byState, where }) })),
  {
    name: 'duration_min',
    parameters: { duration_min: '3600' },
    count: toCountSql({ from: indexed('duration'), where: `duration >= 3600 AND ${live}` }),
    ids: toIdsSql({ from: byState, where: `${live} AND duration >= 3600` }),
  },
  {
    name: 'duration_max',
    parameters: { duration_max: '130' },
    ...toHand({ from: indexed('duration'), where: `duration <= 130 AND ${live}` }),
  },
  {
    name: 'has=mp4',
    parameters: { has: 'mp4' },
    ...toHand({ from: indexed('media_1'), where: `media & 1 AND ${live}` }),
  },
  {
    name: 'has=flv',
    parameters: { has: 'flv' },
    ...toHand({ from: indexed('media_8'), where: `media & 8 AND ${live}` }),
  },
  {
    name: 'source_url',
    parameters: { source_url: 'https://talks.example.org/77' },
    ...toHand({
      from: indexed('source'),
      where: `source_url = 'https://talks.example.org/77' AND source_url <> '' AND ${live}`,
    }),
  },
  {
    name: 'id=, five',
    parameters: { id: '1,2,3,50,99' },
    ...toHand({ from: 'listing NOT INDEXED', where: `id IN (1, 2, 3, 50, 99) AND ${live}` }),
  },
  { name: 'state=2', parameters: { state: '2' }, drafts: true, ...toHand({ from: byState, where: 'state = 2' }) },
]

export const orderCases: readonly Case[] = [
  { field: 'added', index: indexed('added'), orders: ['added, id', 'added DESC, id DESC'] },
  { field: 'updated', index: indexed('updated'), orders: ['updated, id', 'updated DESC, id DESC'] },
  { field: 'recorded', index: byState, orders: ['recorded NULLS LAST, title_key DESC, id DESC', byDay] },
  { field: 'title', index: indexed('title'), orders: ['title_key, id', 'title_key DESC, id DESC'] },
  { field: 'duration', index: indexed('duration'), orders: ['duration NULLS LAST, id', 'duration DESC, id DESC'] },
  { field: 'id', index: 'listing NOT INDEXED', orders: ['id', 'id DESC'] },
].flatMap(({ field, index, orders }) =>
  orders.map((order, i) => {
    const ordering = `${i === 0 ? '' : '-'}${field}`
    const ids = toIdsSql({ from: index, where: live, order })
    return { name: `ordering=${ordering}`, parameters: { ordering }, count: countLive, ids }
  }),
)

export const combinedCases: readonly Case[] = [
  {
    name: 'category and language',
    parameters: { category: fourth, language: 'English' },
    ...toHand({
      ...inCategory(fourth),
      where: `${inCategory(fourth).where} AND language = 'English'`,
    }),
  },
  {
    name: 'language, media and duration',
    parameters: { language: 'English', has: 'mp4', duration_min: '3600' },
    count: toCountSql({
      from: indexed('duration'),
      where: `duration >= 3600 AND ${live} AND language = 'English' AND media & 1`,
    }),
    ids: toIdsSql({ from: byState, where: `${live} AND duration >= 3600 AND language = 'English' AND media & 1` }),
  },
  {
    name: 'category by title',
    parameters: { category: largest, ordering: 'title' },
    count: toCountSql(inCategory(largest)),
    ids: toIdsSql({ ...inCategory(largest), from: indexed('title'), order: 'title_key, id' }),
  },
  {
    name: 'few languages, newest first',
    parameters: { language: 'Czech', ordering: '-added' },
    count: toCountSql(inLanguage('Czech')),
    ids: toIdsSql({ ...inLanguage('Czech'), order: 'added DESC, id DESC' }),
  },
  {
    name: 'speaker and tag, last changed first',
    parameters: { speaker, tag: toTag(1), ordering: '-updated' },
    ...toHand({
      from: 'listing NOT INDEXED',
      where: `${live} AND ${ofSpeaker.where} AND EXISTS (
        SELECT 1 FROM record_tag WHERE record_id = listing.id AND +${named('tag', toTag(1)).where})`,
      values: [...ofSpeaker.values, ...named('tag', toTag(1)).values],
      order: 'updated DESC, id DESC',
    }),
  },
]
