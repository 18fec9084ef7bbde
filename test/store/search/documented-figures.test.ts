import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { qualities } from '../../../src/store/search/alternatives.ts'
import { weights } from '../../../src/store/search/ranking.ts'

const page = readFileSync(resolve(import.meta.dir, '../../../docs/search.md'), 'utf8').replaceAll(/\s+/g, ' ')

const figures: readonly string[] = [
  `share* ^ ${weights.coverage}`,
  `${qualities.variant} for another way to write it`,
  `${qualities.form} for another form`,
  `${qualities.swappedEnding} if Latin endings are swapped`,
  `${qualities.beginning} for a longer word`,
  `${qualities.part} for one that contains it`,
  `${qualities.spelling} for a spelling one edit away, ${qualities.spelling2} for two`,
  `title ${weights.field.title}, divided by 1 + ${weights.titleLength}`,
  `speakers ${weights.field.speakers}, category ${weights.field.category}, tags ${weights.field.tags}`,
  `summary ${weights.field.summary} or description ${weights.field.description}, up to ${weights.frequency.at(-1)} times`,
  `the year of the recording ${weights.field.year},`,
  `^ ${weights.rarity} for n of N records`,
  `${qualities.nickname} for a nickname`,
  `by its likeness ^ ${weights.exactness},`,
  `records that match less than ${weights.least} of it`,
  `${weights.nearness} for each pair of adjacent query words`,
  `${weights.textNearness} for each pair that is at most three words apart elsewhere`,
  `${weights.whole} if the title has no other words`,
  `up to ${weights.recency} for new records`,
]

test.each(figures)('docs/search.md says: %s', (figure) => {
  expect(page).toContain(figure)
})
